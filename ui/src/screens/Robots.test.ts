import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { backend, type SitemapNode } from "$lib/backend";
import { app, openProject } from "$lib/state";
import { toasts } from "$lib/state/toasts.svelte";
import { speak } from "$lib/text/language.svelte";
import Robots from "./Robots.svelte";

const PATH = "/home/mia/Audits/lindenleaf.gossamer";

beforeEach(async () => {
  speak("en");
  app.job = null;
  app.catalogue = await backend.tables();
  await openProject(PATH);
  Object.assign(app, { screen: "robots", crawl: 3, params: { origin: "https://lindenleaf.example" }, visit: app.visit + 1, detail: null });
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const hosts = () => screen.getAllByRole("option");
const line = (n: number) => screen.getByTestId("robots-text").querySelector(`[data-line="${n}"]`);
const key = (name: string) => fireEvent.keyDown(screen.getByTestId("robots-hosts"), { key: name });

it("lists the hosts, the own one first, with outcome, blocked URLs and warnings in words", async () => {
  render(Robots);
  await screen.findByTestId("robots-text");
  expect(hosts()[0]?.textContent).toMatch(/lindenleaf\.example.*12 blocked.*200.*Rules read.*3 problems/su);
  expect(hosts()[0]?.getAttribute("aria-selected")).toBe("true");
  expect(screen.getByText("photos.example").closest("[role=option]")?.textContent).toContain("Not reachable");
});

it("shows the file with its problems, and marks the group that is followed", async () => {
  render(Robots);
  await screen.findByTestId("robots-text");
  expect(line(23)?.textContent).toContain("not a number of seconds");
  expect([line(2), line(13), line(14), line(15)].map((one) => one?.classList.contains("followed"))).toEqual([true, true, false, false]);
  expect(screen.getByText(/Followed by GossamerBot, lines 2–13/u)).toBeTruthy();
  await fireEvent.click(screen.getByTestId("robots-problem-next"));
  expect(line(23)?.classList.contains("marked")).toBe(true);
});

it("opens the URLs that the file blocked", async () => {
  render(Robots);
  const button = await screen.findByTestId("robots-blocked");
  expect(button.textContent).toContain("Blocked by this file: 12");
  await fireEvent.click(button);
  expect([app.screen, JSON.stringify(app.params.filter)]).toEqual(["urls", expect.stringMatching(/state.*blocked.*starts.*lindenleaf/u)]);
});

it("is walked through with the keyboard, and says what there is where there is no file", async () => {
  render(Robots);
  await screen.findByTestId("robots-text");
  await key("End");
  expect(await screen.findByText("The rules are not known")).toBeTruthy();
  await key("Home");
  for (let i = 0; i < 4; i++) await key("ArrowDown");
  expect(await screen.findByText("There is no robots.txt")).toBeTruthy();
  expect(hosts()[4]?.getAttribute("aria-selected")).toBe("true");
});

it("tells which line decides, and goes there", async () => {
  render(Robots);
  await fireEvent.input(await screen.findByTestId("robots-urls"), { target: { value: "/cart\n/imprint\nhttps://maps.example/x" } });
  const rows = within(await screen.findByTestId("robots-verdicts")).getAllByRole("row").slice(1).map((row) => row.textContent);
  expect(rows).toEqual([expect.stringMatching(/Blocked.*\/cart.*Line 3.*Disallow: \/cart/su), expect.stringMatching(/Allowed.*\/imprint/su), expect.stringMatching(/Not covered/u)]);
  expect(screen.getByText("1 allowed, 1 blocked, 1 not covered")).toBeTruthy();
  await fireEvent.click(screen.getByRole("button", { name: /Line 3/u }));
  expect(line(3)?.classList.contains("marked")).toBe(true);
});

it("asks for another crawler, and marks its group", async () => {
  const ask = vi.spyOn(backend, "robotsTest");
  render(Robots);
  const agent = await screen.findByTestId<HTMLInputElement>("robots-agent");
  await fireEvent.input(agent, { target: { value: "GreedyBot" } });
  await fireEvent.change(agent);
  await waitFor(() => expect(line(22)?.classList.contains("followed")).toBe(true));
  expect(line(3)?.classList.contains("followed")).toBe(false);
  await waitFor(() => expect(ask.mock.calls.some(([, , , who]) => who === "GreedyBot")).toBe(true));
  await fireEvent.input(agent, { target: { value: "GossamerBot" } });
  await fireEvent.change(agent);
});

it("takes URLs of the crawl into the tester", async () => {
  render(Robots);
  await fireEvent.input(await screen.findByTestId("robots-urls"), { target: { value: "" } });
  await fireEvent.click(screen.getByTestId("robots-pick"));
  await fireEvent.input(await screen.findByTestId("robots-pick-search"), { target: { value: "admin" } });
  const list = screen.getByRole("listbox", { name: "URLs of the crawl" });
  const found = await within(list).findByText("/admin");
  await waitFor(() => expect(within(list).queryByText("/assets/site.css")).toBeNull());
  await fireEvent.click(found);
  expect(screen.getByTestId<HTMLTextAreaElement>("robots-urls").value).toBe("/admin\n");
  expect(await screen.findByText("added")).toBeTruthy();
});

it("tries another text, tells what it would block, and sends nothing", async () => {
  const sandbox = vi.spyOn(backend, "robotsSandbox");
  render(Robots);
  await fireEvent.click(await screen.findByLabelText("Sandbox"));
  expect(screen.getByTestId("robots-sandbox-note").textContent).toContain("Nothing here is ever sent");
  const editor = screen.getByTestId<HTMLTextAreaElement>("robots-editor");
  expect(await screen.findByText("The text is as fetched: nothing changes.")).toBeTruthy();
  await fireEvent.input(editor, { target: { value: editor.value.replace("Disallow: /cart", "Disallow: /tea/oolong") } });
  await waitFor(() => expect(Number(screen.getByTestId("robots-newly_blocked").querySelector("strong")?.textContent)).toBeGreaterThan(10));
  expect(screen.getByTestId("robots-newly_allowed").querySelector("strong")?.textContent).toBe("2");
  await fireEvent.click(screen.getByTestId("robots-newly_allowed"));
  const list = screen.getByTestId("robots-effect-list");
  expect(within(list).getByText("/cart")).toBeTruthy();
  await fireEvent.keyDown(list, { key: "Enter" });
  expect(app.detail).not.toBeNull();
  await fireEvent.click(screen.getByTestId("robots-reset"));
  await waitFor(() => expect(screen.getByText("The text is as fetched: nothing changes.")).toBeTruthy());
  expect(sandbox.mock.calls.length).toBeGreaterThan(1);
});

it("gives back what a reset threw away", async () => {
  toasts.splice(0);
  render(Robots);
  await fireEvent.click(await screen.findByLabelText("Sandbox"));
  const editor = screen.getByTestId<HTMLTextAreaElement>("robots-editor");
  const fetched = editor.value;
  await fireEvent.input(editor, { target: { value: "User-agent: *\nDisallow: /all\n" } });
  await fireEvent.click(screen.getByTestId("robots-reset"));
  expect(editor.value).toBe(fetched);
  expect([toasts[0]?.text, toasts[0]?.action?.label]).toEqual(["The sandbox has the text as fetched again.", "Undo"]);
  toasts[0]?.action?.onclick();
  await waitFor(() => expect(editor.value).toBe("User-agent: *\nDisallow: /all\n"));
  await fireEvent.click(screen.getByTestId("robots-reset"));
  await fireEvent.click(screen.getByLabelText("As fetched"));
});

it("says what is wrong with a line of the sandbox in words, and goes there", async () => {
  render(Robots);
  await fireEvent.click(await screen.findByLabelText("Sandbox"));
  const editor = screen.getByTestId<HTMLTextAreaElement>("robots-editor");
  const list = await screen.findByTestId("robots-problem-list");
  expect(list.textContent).toMatch(/Line 23.*not a number of seconds/su);
  expect(editor.getAttribute("aria-describedby")).toBe(list.id);
  await fireEvent.click(within(list).getByRole("button", { name: "Line 23" }));
  await waitFor(() => expect(within(list).getByRole("button", { name: "Line 23" }).closest("li")?.classList.contains("marked")).toBe(true));
  await fireEvent.click(screen.getByLabelText("As fetched"));
});

it("keeps what was written in the sandbox for who comes back", async () => {
  render(Robots);
  await fireEvent.click(await screen.findByLabelText("Sandbox"));
  await fireEvent.input(screen.getByTestId("robots-editor"), { target: { value: "User-agent: *\nDisallow: /\n" } });
  cleanup();
  render(Robots);
  expect((await screen.findByTestId<HTMLTextAreaElement>("robots-editor")).value).toBe("User-agent: *\nDisallow: /\n");
  await fireEvent.click(screen.getByTestId("robots-reset"));
  await fireEvent.click(screen.getByLabelText("As fetched"));
});

it("shows the sitemaps as a tree with counts, errors and their places", async () => {
  render(Robots);
  await fireEvent.click(await screen.findByRole("tab", { name: /Sitemaps/u }));
  const tree = await screen.findByTestId("sitemap-tree");
  expect(within(tree).getAllByTestId("sitemap-row").map((row) => row.getAttribute("aria-level"))).toEqual(["1", "2", "2", "2", "2", "2", "3", "1"]);
  expect(within(tree).getAllByTestId("sitemap-error")[0]?.textContent).toMatch(/XML error.*Line 312, column 7.*ends within/su);
  await fireEvent.keyDown(tree, { key: "ArrowLeft" });
  expect(within(tree).getAllByTestId("sitemap-row")).toHaveLength(2);
  await fireEvent.keyDown(tree, { key: "ArrowRight" });
  await fireEvent.click(within(tree).getAllByTestId("sitemap-other_hosts")[0]!);
  expect([app.screen, app.params.table]).toEqual(["urls", "sitemap_entries"]);
  expect(JSON.stringify(app.params.filter)).toMatch(/pages\.txt.*internal/u);
});

it("opens the URLs that sitemaps list, and those that none lists, as many as it says", async () => {
  const check = async (label: string, filter: RegExp) => {
    cleanup();
    Object.assign(app, { screen: "robots", params: { table: "sitemaps" }, visit: app.visit + 1 });
    render(Robots);
    const term = await within(await screen.findByTestId("sitemaps")).findByText(label);
    const button = within(term.parentElement!).getByRole("button");
    const said = Number(button.textContent?.replaceAll(",", ""));
    await fireEvent.click(button);
    expect([app.screen, app.params.table]).toEqual(["urls", "urls"]);
    expect(JSON.stringify(app.params.filter)).toMatch(filter);
    const opened = await backend.openTable({ table: "urls", crawl: 3, filter: app.params.filter ?? null, sort: null }, 1);
    expect(opened.rows).toBe(said);
  };
  await check("URLs in the crawl", /in_sitemap.*1/u);
  await check("Indexable, in no sitemap", /internal.*indexable.*in_sitemap.*0/u);
});

it("goes on the way it was opened with: a host, or the sitemaps", async () => {
  app.params = { table: "sitemaps" };
  render(Robots);
  expect(await screen.findByTestId("sitemap-tree")).toBeTruthy();
  Object.assign(app, { params: { origin: "https://maps.example" }, visit: app.visit + 1 });
  await waitFor(() => expect(screen.getByText("https://maps.example/robots.txt")).toBeTruthy());
  expect(screen.getByText(/1 → https:\/\/www\.maps\.example/u)).toBeTruthy();
});

it("has a next step where there is nothing yet, nothing at all, or a failure", async () => {
  app.crawl = null;
  render(Robots);
  expect(screen.getByText("No crawl yet")).toBeTruthy();
  cleanup();
  vi.spyOn(backend, "robotsHosts").mockResolvedValue({ total: 0, hosts: [] });
  vi.spyOn(backend, "sitemapTree").mockResolvedValue({ files: 0, entries: 0, in_crawl: 0, unlisted: 0, nodes: [] as SitemapNode[] });
  app.crawl = 3;
  render(Robots);
  await fireEvent.click(await screen.findByRole("button", { name: "Look at the settings" }));
  expect(app.screen).toBe("settings");
  await fireEvent.click(screen.getByRole("tab", { name: /Sitemaps/u }));
  expect(screen.getByText("No sitemap was read")).toBeTruthy();
  cleanup();
  vi.spyOn(backend, "robotsHosts").mockRejectedValue({ code: "project", message: "The file is gone.", detail: [] });
  Object.assign(app, { screen: "robots", params: { origin: "https://lindenleaf.example" }, visit: app.visit + 1 });
  render(Robots);
  expect((await screen.findByRole("alert")).textContent).toContain("The file is gone.");
});

it("marks the line that is asked for, though another text was shown", async () => {
  render(Robots);
  await fireEvent.click(await screen.findByLabelText("Sandbox"));
  await screen.findByTestId("robots-editor");
  await fireEvent.click(screen.getByRole("button", { name: "2" }));
  await vi.waitFor(() => expect(screen.getByTestId("robots-text").querySelector(".marked")?.getAttribute("data-line")).toBe("26"));
});

it("stays with the host that was chosen when the list is asked for again", async () => {
  app.params = { origin: "https://lindenleaf.example" };
  const all = await backend.robotsHosts(3);
  vi.spyOn(backend, "robotsHosts").mockResolvedValue({ total: 99, hosts: all.hosts });
  const asked = vi.spyOn(backend, "robotsFile");
  const job = { job: 7, project: "/home/mia/Audits/lindenleaf.gossamer", crawl: 3, state: "running", phase: "crawling", notices: [] };
  app.job = { ...job, revision: 1 } as unknown as NonNullable<typeof app.job>;
  render(Robots);
  await screen.findByTestId("robots-file");
  await fireEvent.keyDown(screen.getByTestId("robots-hosts"), { key: "ArrowDown" });
  await vi.waitFor(() => expect(asked).toHaveBeenCalledTimes(2));
  app.job = { ...job, revision: 2 } as unknown as NonNullable<typeof app.job>;
  await fireEvent.click(await screen.findByTestId("robots-refresh"));
  await vi.waitFor(() => expect(asked).toHaveBeenCalledTimes(3));
  expect(asked.mock.calls[2]?.[1]).toBe(asked.mock.calls[1]?.[1]);
  app.job = null;
});
