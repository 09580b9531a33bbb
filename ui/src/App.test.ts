import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/svelte";
import { tick } from "svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import App from "./App.svelte";
import { backend, type JobNews } from "./lib/backend";
import { takeSeatedTable } from "./lib/frame/seated";
import { app, chooseCrawl, closeProject, go, goBack, hear, openList, openProject, type Screen } from "./lib/state";
import { tableSeats } from "./lib/table/seats";
import { speak } from "./lib/text/language.svelte";

const PATH = "/home/mia/Audits/lindenleaf.gossamer";
const OTHER = "/home/mia/Audits/staging.gossamer";
const COUNTS = { encountered: 540, fetched: 400, failed: 1, blocked: 9, excluded: 5, over_limit: 4, not_followed: 3, queued: 118 };
const news = (revision: number, more: Partial<JobNews> = {}): JobNews => ({
  job: 70, project: PATH, crawl: 3, start_url: "https://lindenleaf.example/", state: "running", phase: "crawling", counts: COUNTS, elapsed_ms: 41_000, rate: 14.2,
  rates: [12, 14.2], current: null, issues: 0, warnings: 0, revision, error: null, pages: 246, notices: [], ...more,
});

beforeEach(async () => {
  speak("en");
  vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(600);
  vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(1_200);
  app.job = null;
  render(App);
  await waitFor(() => expect(app.ready).toBe(true));
  await openProject(PATH);
});
afterEach(async () => {
  cleanup();
  await closeProject();
  vi.restoreAllMocks();
});

const shown = (name: Screen) => screen.getByTestId(`screen-${name}`);
const kept = () => document.querySelectorAll("main .kept").length;
const rows = (name: Screen) => within(shown(name)).queryAllByTestId("row");

/** Goes to a screen and waits until it has what it asks for. */
async function visit(name: Screen, settled: () => unknown = () => expect(shown(name).textContent?.trim()).toBeTruthy()) {
  go(name);
  await waitFor(settled, { timeout: 5_000 });
  return shown(name);
}
const visitUrls = () => visit("urls", () => expect(rows("urls").length).toBeGreaterThan(10));
const grid = (name: Screen) => within(shown(name)).getAllByRole("grid")[0] as HTMLElement;

describe("a screen that was left", () => {
  it("stays as it was: place, selection, filter and what is written", async () => {
    const urls = await visitUrls();
    const [row, list] = [rows("urls")[4] as HTMLElement, grid("urls")];
    await fireEvent.click(within(row).getAllByRole("gridcell")[2] as HTMLElement);
    list.scrollTop = 280;
    await fireEvent.scroll(list);
    const search = within(urls).getByTestId<HTMLInputElement>("search");
    await fireEvent.input(search, { target: { value: "tea" } });
    await fireEvent.keyDown(search, { key: "Enter" });
    await waitFor(() => expect(list.getAttribute("aria-busy")).toBe("false"));
    await fireEvent.click(within(rows("urls")[3] as HTMLElement).getAllByRole("gridcell")[2] as HTMLElement);
    const before = { busy: list.getAttribute("aria-busy"), count: list.getAttribute("aria-rowcount"), place: list.scrollTop, chosen: within(urls).getByTestId("selected-count").textContent };
    const opened = vi.spyOn(backend, "openTable");
    await visit("issues");
    expect(urls.isConnected).toBe(true);
    expect(urls.dataset["testid"]).toBeUndefined();
    await visit("urls");
    expect(shown("urls")).toBe(urls);
    expect(grid("urls")).toBe(list);
    expect({ busy: list.getAttribute("aria-busy"), count: list.getAttribute("aria-rowcount"), place: list.scrollTop, chosen: within(urls).getByTestId("selected-count").textContent }).toEqual(before);
    expect(search.value).toBe("tea");
    // Nothing has changed meanwhile: nothing is asked for again.
    await tick();
    expect(opened.mock.calls.filter(([query]) => query.table === "urls")).toHaveLength(0);
  });

  it("has nothing to reach: it is inert, and the one that is shown is not", async () => {
    const urls = await visitUrls();
    const issues = await visit("issues");
    await waitFor(() => expect(urls.inert).toBe(true));
    expect(issues.inert).toBe(false);
    await visit("urls");
    await waitFor(() => expect([urls.inert, issues.inert]).toEqual([false, true]));
  });

  it("asks nothing, whatever the job says, and follows what it missed when it is come back to", async () => {
    hear(news(1));
    await visit("overview", () => expect(shown("overview").textContent).toContain("Pages"));
    await visit("issues", () => expect(within(shown("issues")).queryByTestId("issue-pane")).toBeTruthy());
    await visitUrls();
    await visit("robots");
    await visit("network");
    await visit("crawl", () => expect(within(shown("crawl")).getByTestId("crawl-pages").textContent).toBe("246"));
    await visit("settings");
    await waitFor(() => expect(kept()).toBe(7));
    const calls = (["overview", "issues", "openTable", "tableRows", "tableLength", "robotsHosts", "sitemapTree", "network", "pulse", "traps"] as const).map((name) => vi.spyOn(backend, name));
    const asked = () => calls.filter((call) => call.mock.calls.length > 0).map((call) => call.getMockName());
    vi.useFakeTimers();
    for (let revision = 2; revision < 40; revision++) {
      hear(news(revision, { pages: 246 + revision }));
      await vi.advanceTimersByTimeAsync(200);
    }
    expect(asked()).toEqual([]);
    // Not even its texts have moved.
    expect(document.querySelector('[data-testid="crawl-pages"]')?.textContent).toBe("246");
    vi.useRealTimers();
    await visit("crawl", () => expect(within(shown("crawl")).getByTestId("crawl-pages").textContent).toBe("285"));
    const [overview, issues, opened] = calls;
    await visit("overview", () => expect(overview).toHaveBeenCalledOnce());
    await visit("issues", () => expect(issues).toHaveBeenCalledOnce());
    await visit("urls", () => expect(opened?.mock.calls.some(([query]) => (query as { table: string }).table === "urls")).toBe(true));
  });

  it("looks at another crawl only when somebody looks at it", async () => {
    await visitUrls();
    await visit("settings");
    const opened = vi.spyOn(backend, "openTable");
    chooseCrawl(2);
    await new Promise((done) => setTimeout(done, 50));
    expect(opened).not.toHaveBeenCalled();
    await visit("urls", () => expect(opened).toHaveBeenCalled());
    expect(opened.mock.calls[0]?.[0]).toMatchObject({ table: "urls", crawl: 2 });
  });

  it("shows what a person has said meanwhile", async () => {
    await visit("overview", () => expect(shown("overview").textContent).toContain("Pages"));
    await visit("settings");
    const asked = vi.spyOn(backend, "overview");
    await visit("overview");
    await new Promise((done) => setTimeout(done, 30));
    expect(asked).not.toHaveBeenCalled();
    await visit("settings");
    await backend.setSeverity("noindex", "issue", null);
    await visit("overview", () => expect(asked).toHaveBeenCalledOnce());
  });

  it("gives up what was being built for it, and asks again", async () => {
    await visitUrls();
    let refuse: (error: unknown) => void = () => undefined;
    const cancel = vi.spyOn(backend, "cancelTable").mockImplementation(async () => refuse({ code: "cancelled", message: "Cancelled.", detail: [] }));
    const opened = vi.spyOn(backend, "openTable").mockImplementation(() => new Promise((_, reject) => (refuse = reject)));
    const head = within(grid("urls")).getByTestId("column-title");
    await fireEvent.pointerDown(head, { button: 0 });
    await fireEvent.pointerUp(head, { button: 0 });
    expect(opened).toHaveBeenCalledOnce();
    await visit("settings", () => expect(cancel).toHaveBeenCalled());
    expect(document.querySelector("main [aria-busy=true]")).toBeNull();
    opened.mockRestore();
    await visit("urls", () => expect(grid("urls").getAttribute("aria-busy")).toBe("false"));
    expect(head.getAttribute("aria-sort")).toBe("ascending");
    await waitFor(() => expect(rows("urls").length).toBeGreaterThan(10));
  });

  it("hears no keys: they go to the screen that is shown", async () => {
    await visitUrls();
    const links = await visit("links", () => expect(rows("links").length).toBeGreaterThan(0));
    await fireEvent.keyDown(document.body, { key: "/" });
    expect(links.contains(document.activeElement)).toBe(true);
    // What the palette offers is for the list in sight.
    expect(takeSeatedTable()).toBe([...tableSeats.entries()].find(([key]) => key.startsWith("links."))?.[1]);
    await visit("overview");
    expect(takeSeatedTable()).toBeNull();
    (document.activeElement as HTMLElement).blur();
    await fireEvent.keyDown(document.body, { key: "/" });
    expect(document.activeElement).toBe(screen.getByTestId("quick-search"));
  });

  it("takes along what floats above it", async () => {
    const urls = await visitUrls();
    await fireEvent.click(within(urls).getByTestId("table-columns"));
    expect(screen.getByTestId("column-picker")).toBeTruthy();
    await visit("issues");
    expect(screen.queryByTestId("column-picker")).toBeNull();
    await visit("urls");
    await fireEvent.click(within(urls).getByTestId("urls-export"));
    expect(await screen.findByTestId("export-form")).toBeTruthy();
    await visit("issues");
    expect(document.querySelector("dialog")).toBeNull();
  });
});

describe("the focus", () => {
  it("goes on where it was when a screen is come back to by a key", async () => {
    await visitUrls();
    const list = grid("urls");
    list.focus();
    await visit("links", () => expect(rows("links").length).toBeGreaterThan(0));
    expect(list.contains(document.activeElement)).toBe(false);
    goBack();
    await waitFor(() => expect(document.activeElement).toBe(list));
  });

  it("stays on the rail that somebody goes through", async () => {
    await visitUrls();
    grid("urls").focus();
    const entry = screen.getByTestId("rail-issues");
    entry.focus();
    await fireEvent.click(entry);
    await visit("issues");
    const back = screen.getByTestId("rail-urls");
    back.focus();
    await fireEvent.click(back);
    await visitUrls();
    expect(document.activeElement).toBe(back);
  });
});

describe("a list that another screen opens", () => {
  it("is the kept screen with its filter and title, and without them as it was", async () => {
    const urls = await visitUrls();
    await visit("issues");
    openList({ search: "oolong" }, "Oolong");
    await tick();
    expect(within(urls).getByRole("heading", { name: "Oolong" })).toBeTruthy();
    // The rows in sight are those of before, and said to be.
    expect(grid("urls").getAttribute("aria-busy")).toBe("true");
    await waitFor(() => expect(grid("urls").getAttribute("aria-busy")).toBe("false"));
    await visit("issues");
    await visitUrls();
    expect(within(urls).getByRole("heading", { name: "Oolong" })).toBeTruthy();
  });
});

it("has every id once, and every screen once", async () => {
  hear(news(1));
  for (const name of ["overview", "issues", "urls", "links", "robots", "network", "crawl", "settings", "start"] as const) await visit(name);
  await waitFor(() => expect(kept()).toBe(9));
  await waitFor(() => expect(within(shown("start")).queryByTestId("recent")).toBeTruthy());
  const ids = [...document.querySelectorAll("[id]")].map((one) => one.id);
  expect(ids.filter((id, place) => ids.indexOf(id) !== place)).toEqual([]);
  for (const name of ["overview", "urls", "overview"] as const) await visit(name);
  expect(kept()).toBe(9);
});

it("lets the screens of a project go with it", async () => {
  const urls = await visitUrls();
  const overview = await visit("overview", () => expect(shown("overview").textContent).toContain("Pages"));
  const asked = vi.spyOn(backend, "overview");
  await openProject(OTHER);
  await waitFor(() => expect(asked).toHaveBeenCalledOnce());
  expect([urls.isConnected, overview.isConnected, kept()]).toEqual([false, false, 1]);
  await visitUrls();
  expect(shown("urls")).not.toBe(urls);
  await closeProject();
  await waitFor(() => expect(kept()).toBe(1));
  expect(shown("start")).toBeTruthy();
});
