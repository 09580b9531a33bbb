import { cleanup, fireEvent, render, screen, within } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { backend, type CrawlCard, type JobNews, type Overview, type SectionCard, type TrapCard } from "$lib/backend";
import { app } from "$lib/state";
import { speak } from "$lib/text/language.svelte";
import OverviewScreen from "./Overview.svelte";

const crawl: CrawlCard = {
  crawl: 3, job: "audit", start_url: "https://tea.example/", started: "2026-03-11T08:30:00Z", finished: "2026-03-11T08:42:40Z", state: "done", resumable: false,
  holder: null, counts: { encountered: 1_240, fetched: 1_200, failed: 10, blocked: 30, excluded: 0, over_limit: 0, not_followed: 0, queued: 0 },
};
const broken = {
  audit: "links-to-broken", title: "Link to a broken URL", severity: "issue", priority: "high", findings: 4_812, urls: 612, why: "Visitors meet an error.",
};
const overview: Overview = {
  crawl, pages: 612, indexable: 523, issues: 4_900, warnings: 77, ignored: 0, fix_first: [broken], caution: null,
  distributions: [{
    id: "status", title: "Status", table: "urls",
    bars: [
      { label: "2xx", count: 600, tone: "good", filter: { is: { column: "status", operator: "equals", value: 200 } } },
      { label: "4xx", count: 12, tone: "bad", filter: { is: { column: "status", operator: "equals", value: 404 } } },
    ],
  }],
};

const TRAP = { pattern: "https://tea.example/events/*/*", kind: "calendar", why: "every page names the next month", kept_back: 812, allowed: false, examples: ["https://tea.example/events/2031/1"] };

const section = (path: string, more: Partial<SectionCard> = {}): SectionCard => ({
  section: `https://tea.example${path}`, pages: 240, indexable: 200, findings: 31, words: 412, bytes: 18_400, ttfb_ms: 120, links: 64, depth: 2,
  outcomes: [{ label: "4xx", count: 12, tone: "bad", filter: { search: path } }],
  filter: { is: { column: "url", operator: "matches", value: `^https://tea\\.example${path}` } }, ...more,
});

function show(answer: Overview, traps: TrapCard[] = [], sections: SectionCard[] = []) {
  vi.spyOn(backend, "traps").mockResolvedValue(traps);
  vi.spyOn(backend, "sections").mockResolvedValue(sections);
  const asked = vi.spyOn(backend, "overview").mockResolvedValue(answer);
  render(OverviewScreen);
  return asked;
}

beforeEach(() => {
  speak("en");
  Object.assign(app, {
    screen: "overview", params: {}, crawl: 3, job: null,
    project: { path: "/tea.gossamer", name: "tea", bytes: 1, crawls: [crawl] },
    catalogue: [{ id: "urls", title: "URLs", sort: null, columns: ["internal", "status", "content_type", "indexable"].map((id) => ({ id })) }],
  });
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

it("shows the figures of the crawl", async () => {
  show(overview);
  expect((await screen.findByTestId("overview-pages")).textContent).toMatch(/612.*1,240/u);
  expect(screen.getByTestId("overview-indexable").textContent).toMatch(/523.*85\.5 %/u);
  expect(screen.getByTestId("overview-took").textContent).toContain("12:40");
});

it("opens what is to be fixed in Issues", async () => {
  show(overview);
  const fix = await screen.findByTestId("fix-links-to-broken");
  expect(fix.textContent).toMatch(/Link to a broken URL.*Visitors meet an error\..*612.*4,812 times/su);
  await fireEvent.click(fix);
  expect([app.screen, app.params.audit]).toEqual(["issues", "links-to-broken"]);
});

it("opens the list behind a bar and behind a figure", async () => {
  show(overview);
  const spread = await screen.findByTestId("spread-status");
  await fireEvent.click(within(spread).getByRole("button", { name: /^4xx/u }));
  expect([app.screen, app.params.filter, app.params.title]).toEqual(["urls", overview.distributions[0]?.bars[1]?.filter, "Status: 4xx"]);
  await fireEvent.click(screen.getByTestId("overview-indexable"));
  expect(app.params.filter).toEqual({ is: { column: "indexable", operator: "equals", value: 1 } });
});

it("shows the sections with what is usual in them, and opens their lists", async () => {
  show(overview, [], [section("/shop/"), section("/blog/", { pages: 9, words: null })]);
  const table = within(await screen.findByTestId("sections"));
  const [, shop, blog] = table.getAllByRole("row");
  expect(shop!.textContent).toMatch(/\/shop\/\s*240\s*200\s*31\s*412\s*18\.4 kB\s*120 ms\s*64\s*2/u);
  expect(blog!.textContent).toMatch(/\/blog\/\s*9\s*200\s*31\s*–/u);
  await fireEvent.click(table.getByRole("button", { name: "/blog/" }));
  expect([app.screen, app.params.table, app.params.title, app.params.filter]).toEqual(["urls", "pages", "/blog/", section("/blog/").filter]);
  await fireEvent.click(within(shop!).getByRole("button", { name: /^4xx/u }));
  expect([app.params.title, app.params.filter]).toEqual(["/shop/: 4xx", { search: "/shop/" }]);
});

it("shows no sections where there is one only", async () => {
  show(overview, [], [section("/shop/")]);
  await screen.findByTestId("overview-pages");
  expect(screen.queryByTestId("sections")).toBeNull();
});

it("offers no list that the catalogue cannot express", async () => {
  app.catalogue = [];
  show(overview);
  expect((await screen.findByTestId("overview-pages")).tagName).toBe("DIV");
});

it("says that nothing is to be fixed, and that it is too early to say so", async () => {
  show({ ...overview, fix_first: [], issues: 0, warnings: 0 });
  expect(await screen.findByText("Nothing to fix")).toBeTruthy();
  cleanup();
  app.job = job(1);
  show({ ...overview, fix_first: [], issues: 0, warnings: 0 });
  expect(await screen.findByText("Not judged yet")).toBeTruthy();
});

it("ticks its counter while the crawl runs, and moves nothing else before it is asked to", async () => {
  app.job = job(1);
  const asked = show(overview);
  const refresh = await screen.findByRole("button", { name: "Up to date" });
  expect((refresh as HTMLButtonElement).disabled).toBe(true);
  app.job = job(2, 1_500);
  const now = await screen.findByRole("button", { name: "Refresh" });
  expect(screen.getByTestId("overview-pages").textContent).toMatch(/612.*1,500/u);
  expect(asked).toHaveBeenCalledTimes(1);
  asked.mockResolvedValue({ ...overview, pages: 700 });
  await fireEvent.click(now);
  await vi.waitFor(() => expect(screen.getByTestId("overview-pages").textContent).toContain("700"));
});

it("says what was kept back as a trap before the numbers are read, and lets it go on", async () => {
  const allow = vi.spyOn(backend, "allowTrap").mockResolvedValue({ resume: true });
  const resume = vi.spyOn(backend, "resumeAudit").mockRejectedValue({ code: "cancelled", message: "", detail: [] });
  show(overview, [TRAP, { ...TRAP, pattern: "https://tea.example/old/*", allowed: true }]);
  const note = await screen.findByTestId("trap-note");
  expect(note.textContent).toMatch(/1 pattern was paused.*resumes this crawl.*\/events\/\*\/\*.*every page names the next month.*812 URLs kept back/su);
  expect(note.textContent).not.toContain("/old/");
  await fireEvent.click(screen.getByRole("button", { name: /^Let it go on/u }));
  expect(allow).toHaveBeenCalledWith(3, TRAP.pattern);
  await vi.waitFor(() => expect(resume).toHaveBeenCalledWith("/tea.gossamer"));
});

it("keeps the word on traps in its place while the numbers are read anew", async () => {
  app.job = job(1);
  show(overview, [TRAP]);
  await screen.findByTestId("trap-note");
  app.job = job(2, 1_500);
  const again = vi.spyOn(backend, "traps").mockReturnValue(new Promise(() => undefined));
  await fireEvent.click(await screen.findByRole("button", { name: "Refresh" }));
  expect(again).toHaveBeenCalledTimes(2);
  expect(screen.getByTestId("trap-note").textContent).toContain("asks for them at once");
});

it("offers no way to let a trap of an older crawl go on, and says which setting does", async () => {
  app.project!.crawls = [crawl, { ...crawl, crawl: 4 }];
  show(overview, [TRAP]);
  expect((await screen.findByTestId("trap-note")).textContent).toContain("limits.allow_traps");
  expect(screen.queryByTestId("crawl-trap-continue")).toBeNull();
});

it("says what went wrong, with a way to try again", async () => {
  vi.spyOn(backend, "overview").mockRejectedValueOnce({ code: "store", message: "The project file cannot be read.", detail: [] }).mockResolvedValue(overview);
  render(OverviewScreen);
  expect(await screen.findByText("The project file cannot be read.")).toBeTruthy();
  await fireEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByTestId("overview-pages")).toBeTruthy();
});

function job(revision: number, encountered = 1_240): JobNews {
  return {
    job: 1, project: "/tea.gossamer", crawl: 3, start_url: crawl.start_url, state: "running", phase: "crawling", counts: { ...crawl.counts, encountered }, elapsed_ms: 5_000,
    rate: 4, rates: [], current: null, issues: 0, warnings: 0, revision, notices: [], error: null, pages: 612,
  };
}
