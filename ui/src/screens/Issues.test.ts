import { cleanup, fireEvent, render, screen, within } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { backend, type IssueCard } from "$lib/backend";
import { app } from "$lib/state";
import { speak } from "$lib/text/language.svelte";
import Issues from "./Issues.svelte";

vi.mock("$lib/table/Table.svelte", async () => ({ default: (await import("$lib/detail/TableStub.svelte")).default }));

function card(audit: string, severity: string, urls: number, more: Partial<IssueCard> = {}): IssueCard {
  return {
    audit, title: `Title of ${audit}`, family: "links", family_title: "Links and structure", severity, priority: "high", findings: urls, urls, checked: 600,
    judged: "pages with links", before: null, ignored: 0, changed: false, ...more,
  };
}
const CARDS = [
  card("links-to-broken", "issue", 60, { before: 4_800, findings: 4_812 }),
  card("broken-page", "issue", 12, { family: "responses", family_title: "Responses" }),
  card("noindex", "warning", 8, { before: 10 }),
];

function show(cards: IssueCard[]) {
  vi.spyOn(backend, "issues").mockResolvedValue(cards);
  vi.spyOn(backend, "audit").mockImplementation((id) => Promise.resolve({
    id, title: `Title of ${id}`, family: "links", severity: "issue", priority: "high", judged: "pages", why: `Why ${id}`, fix: `Fix ${id}`,
    thresholds: [{ setting: "audit.depth_max", label: "Deepest page", help: "", default: "4" }], references: ["https://docs.example/guide/links-crawlable"],
  }));
  vi.spyOn(backend, "issueGroups").mockResolvedValue([
    { label: "footer > a", findings: 4_800, urls: 600, example: "https://tea.example/", filter: { is: { column: "element", operator: "equals", value: "footer > a" } }, ignore: { place: { element: "body>footer>a", target: null } } },
  ]);
  render(Issues);
}

const tree = () => screen.getByRole("tree");
const press = (key: string) => fireEvent.keyDown(document.activeElement ?? tree(), { key });
const chosen = () => screen.getAllByRole("treeitem", { selected: true }).map((item) => item.dataset["testid"]);
const filterShown = () => JSON.parse(screen.getByTestId("table-stub").dataset["filter"] ?? "null") as unknown;

beforeEach(() => {
  speak("en");
  Object.assign(app, { screen: "issues", params: {}, crawl: 3, job: null, project: null, visit: 0, catalogue: [{ id: "findings", title: "Findings", columns: [], sort: null }] });
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

it("lists audits by severity with their share and change, and chooses the worst", async () => {
  show(CARDS);
  const row = await screen.findByTestId("audit-links-to-broken");
  expect(row.textContent).toMatch(/60.*10.0 % of 600 pages with links.*\+12/su);
  expect(screen.getByTestId("audit-noindex").textContent).toContain("−2");
  expect(chosen()).toEqual(["audit-links-to-broken"]);
  expect(await screen.findByText("Why links-to-broken")).toBeTruthy();
  expect(screen.getByText("Fix links-to-broken")).toBeTruthy();
});

it("chooses the audit that another screen named", async () => {
  app.params = { audit: "noindex" };
  show(CARDS);
  expect(await screen.findByText("Why noindex")).toBeTruthy();
  expect(chosen()).toEqual(["audit-noindex"]);
});

it("tells lines of one audit apart by what their findings weigh", async () => {
  show([...CARDS, card("links-to-broken", "issue", 7, { priority: "medium" }), card("links-to-broken", "warning", 3, { priority: "low" })]);
  await screen.findAllByTestId("audit-links-to-broken");
  const lines = screen.getAllByTestId("audit-links-to-broken");
  expect(lines.map((line) => within(line).getByTestId("issue-weight").textContent)).toEqual(["Issue, high priority", "Issue, medium priority", "Warning, low priority"]);
  expect(within(screen.getByTestId("audit-noindex")).queryByTestId("issue-weight")).toBeNull();
  await fireEvent.click(lines[1]!);
  expect((await screen.findByTestId("issue-weights")).textContent).toMatch(/here as Issue, medium priority, and as Issue, high priority \(60 URLs\), Warning, low priority \(3 URLs\)/u);
  await fireEvent.click(screen.getByTestId("audit-noindex"));
  expect(screen.queryByTestId("issue-weights")).toBeNull();
});

it("is walked through with the keyboard: rows choose, groups close and open", async () => {
  show(CARDS);
  (await screen.findByTestId("audit-links-to-broken")).focus();
  await press("ArrowDown");
  expect(chosen()).toEqual(["audit-broken-page"]);
  await press("ArrowLeft");
  expect(document.activeElement?.id).toBe("group-issue");
  await press("ArrowLeft");
  expect(screen.queryByTestId("audit-broken-page")).toBeNull();
  await press("ArrowRight");
  expect(screen.getByTestId("audit-broken-page")).toBeTruthy();
  await press("End");
  expect(chosen()).toEqual(["audit-noindex"]);
});

it("searches and filters by severity", async () => {
  show(CARDS);
  await fireEvent.input(await screen.findByTestId("issues-search"), { target: { value: "responses" } });
  expect(screen.queryByTestId("audit-links-to-broken")).toBeNull();
  expect(screen.getByTestId("audit-broken-page")).toBeTruthy();
  await fireEvent.input(screen.getByTestId("issues-search"), { target: { value: "" } });
  await fireEvent.click(screen.getByTestId("severity-warning"));
  expect(screen.queryByTestId("audit-broken-page")).toBeNull();
  expect((screen.getByTestId("severity-note") as HTMLButtonElement).disabled).toBe(true);
});

it("shows findings of the audit, and those of one template when it is chosen", async () => {
  show(CARDS);
  const template = await screen.findByRole("button", { name: /^footer > a/u });
  // Only those of the line that is chosen: an audit's findings may weigh differently.
  const is = (column: string, value: string | number) => ({ is: { column, operator: "equals", value } });
  const own = { all: [is("audit", "links-to-broken"), is("severity", "issue"), is("priority", "high"), is("ignored", 0)] };
  expect(filterShown()).toEqual(own);
  await fireEvent.click(template);
  expect(filterShown()).toEqual({ all: [own, { is: { column: "element", operator: "equals", value: "footer > a" } }] });
  await fireEvent.click(screen.getByRole("button", { name: "Show all" }));
  expect(filterShown()).toEqual(own);
});

it("ignores a template by what makes it one, and reads the counts anew", async () => {
  show(CARDS);
  const ignore = vi.spyOn(backend, "ignore").mockResolvedValue([]);
  const issues = vi.mocked(backend.issues);
  await fireEvent.click(await screen.findByTestId("ignore-group-0"));
  await fireEvent.input(screen.getByTestId("ignore-reason"), { target: { value: "Goes with the relaunch" } });
  issues.mockResolvedValue([card("links-to-broken", "issue", 0, { ignored: 4_812 }), ...CARDS.slice(1)]);
  await fireEvent.click(screen.getByTestId("ignore-do"));
  expect(ignore).toHaveBeenCalledWith({ audit: "links-to-broken", what: [{ place: { element: "body>footer>a", target: null } }], reason: "Goes with the relaunch", until: null });
  expect(await screen.findByText("All findings of this audit are ignored.")).toBeTruthy();
  expect(chosen()).toEqual(["audit-links-to-broken"]);
  expect(screen.getByTestId("issues-ignored").textContent).toBe("4,812 ignored");
  vi.spyOn(backend, "ignored").mockResolvedValue([]);
  await fireEvent.click(screen.getByTestId("issues-ignored"));
  expect(await screen.findByText("Nothing is ignored in this project.")).toBeTruthy();
});

it("stays at an audit that was made to weigh something else", async () => {
  show(CARDS);
  vi.spyOn(backend, "setSeverity").mockResolvedValue();
  vi.mocked(backend.issues).mockResolvedValue([card("links-to-broken", "note", 60, { changed: true }), ...CARDS.slice(1)]);
  await fireEvent.click(await screen.findByTestId("severity-menu"));
  await fireEvent.click(await screen.findByRole("menuitemradio", { name: "Note" }));
  expect(await screen.findByTestId("severity-reset")).toBeTruthy();
  expect(chosen()).toEqual(["audit-links-to-broken"]);
});

it("shows what became of findings where the crawl looked at some again", async () => {
  const counts = { encountered: 2, fetched: 2, failed: 0, blocked: 0, excluded: 0, over_limit: 0, not_followed: 0, queued: 0 };
  app.project = {
    path: "/p", name: "p", bytes: 1,
    crawls: [{ crawl: 3, job: "recheck", start_url: "https://tea.example/", started: "", finished: "", state: "finished", resumable: false, holder: null, counts }],
  };
  vi.spyOn(backend, "recheck").mockResolvedValue({ crawl: 3, base: 2, complete: true, asked: 2, fixed: 2, still_there: 0, not_rechecked: 0, waiting: 0, findings: [] });
  show(CARDS);
  expect((await screen.findByTestId("recheck-fixed")).textContent).toBe("2");
  expect(screen.queryByRole("tree")).toBeNull();
});

it("opens the URLs, the threshold's setting, and copies a text for a ticket", async () => {
  const written = vi.fn().mockResolvedValue(undefined);
  vi.stubGlobal("navigator", { ...navigator, clipboard: { writeText: written }, language: "en" });
  show(CARDS);
  vi.spyOn(backend, "issueText").mockResolvedValue("# Link to a broken URL");
  await fireEvent.click(await screen.findByRole("button", { name: "Copy as text" }));
  await vi.waitFor(() => expect(written).toHaveBeenCalledWith("# Link to a broken URL"));
  await fireEvent.click(screen.getByRole("button", { name: /Deepest page: 4/u }));
  expect(app.screen).toBe("settings");
  await fireEvent.click(screen.getByRole("button", { name: "Open URLs" }));
  expect([app.screen, app.params.filter]).toEqual(["urls", { finding: "links-to-broken" }]);
  vi.unstubAllGlobals();
});

it("tells apart the findings of one audit that weigh differently", async () => {
  const twice = CARDS.filter((card) => card.audit === "links-to-broken");
  show([...twice, ...twice.map((card) => ({ ...card, severity: "warning", priority: "low", urls: 7 }))]);
  const [worse, lighter] = await screen.findAllByTestId("audit-links-to-broken");
  expect(worse?.getAttribute("aria-selected")).toBe("true");
  await fireEvent.click(lighter!);
  expect(lighter?.getAttribute("aria-selected")).toBe("true");
  expect(JSON.stringify(filterShown())).toContain('"value":"warning"');
});

it("calls it good where nothing was found", async () => {
  show([]);
  expect(await screen.findByText("Nothing found")).toBeTruthy();
});
