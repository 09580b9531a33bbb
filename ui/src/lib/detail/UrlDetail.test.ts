import { cleanup, fireEvent, render, screen, within } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { backend, type FindingPlace, type UrlDetail } from "$lib/backend";
import { app, remember, showInSource } from "$lib/state";
import { speak } from "$lib/text/language.svelte";
import UrlDetailPane from "./UrlDetail.svelte";

vi.mock("$lib/table/Table.svelte", async () => ({ default: (await import("./TableStub.svelte")).default }));

const TITLE = "Japanese green tea from small gardens in Shizuoka and Uji, sent fresh every month";

function page(key: number, more: Partial<UrlDetail> = {}): UrlDetail {
  return {
    key, url: `https://tea.example/${key}`, internal: true, state: "fetched", reason: null, status: 200, indexable: true, indexability: "indexable",
    summary: [{ name: "Title", value: TITLE }, { name: "Robots", value: "" }], timings: [{ name: "First byte", value: "912 ms" }],
    headers: [["content-type", "text/html"], ["server", "nginx"]], redirects: [],
    headings: [{ level: 1, text: "Tea" }, { level: 3, text: "Sencha" }],
    preview: { title: TITLE, title_px: 742, title_max_px: 561, description: null, description_px: 0, description_max_px: 985 },
    issues: [{ audit: "links-to-broken", title: "Link to a broken URL", severity: "issue", priority: "high", evidence: [{ name: "element", value: "footer > a" }, { name: "line", value: "3" }], link: 7, in_source: false, ignored: false }],
    inlinks: 7, outlinks: 0, resources: 4,
    structured: { entities: [], faults: [], social: [] },
    history: [
      { crawl: 2, started: "2026-02-11T08:30:00Z", state: "fetched", status: 404, title: "Old", content_hash: "a" },
      { crawl: 3, started: "2026-03-11T08:30:00Z", state: "fetched", status: 200, title: TITLE, content_hash: "b" },
    ],
    html: true, ...more,
  };
}

function show(detail: UrlDetail = page(1)) {
  vi.spyOn(backend, "urlDetail").mockImplementation((_crawl, key) => Promise.resolve({ ...detail, key, url: `https://tea.example/${key}` }));
  vi.spyOn(backend, "urlHtml").mockResolvedValue(HTML);
  const onclose = vi.fn();
  return { onclose, ...render(UrlDetailPane, { props: { crawl: 3, key: detail.key, onclose } }) };
}

const open = async (tab: string) => fireEvent.click(await screen.findByTestId(`tab-${tab}`));
const panel = () => screen.getByRole("tabpanel");

beforeEach(() => {
  speak("en");
  remember("detail.tab", "summary");
  app.catalogue = [{ id: "links", title: "Links", sort: null, columns: ["source", "target", "kind", "line"].map((id) => ({ id })) }] as unknown as typeof app.catalogue;
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

it("shows the URL, how it answered, its facts and counts", async () => {
  const { onclose } = show();
  expect((await screen.findByText("First byte")).closest("section")?.textContent).toContain("912 ms");
  expect(screen.getByTestId("detail-url").textContent).toBe("https://tea.example/1");
  expect(screen.getByText("Indexable")).toBeTruthy();
  expect(screen.getByTestId("tab-inlinks").textContent).toContain("7");
  await fireEvent.click(screen.getByTestId("detail-close"));
  expect(onclose).toHaveBeenCalled();
});

it("keeps its tab from URL to URL", async () => {
  const { rerender } = show();
  await open("headers");
  await rerender({ key: 2 });
  await vi.waitFor(() => expect(screen.getByTestId("detail-url").textContent).toBe("https://tea.example/2"));
  expect(within(panel()).getByText("nginx")).toBeTruthy();
});

it("goes back and forward among the URLs shown", async () => {
  const { rerender } = show();
  await screen.findByText("First byte");
  await rerender({ key: 2 });
  await fireEvent.click(screen.getByTestId("detail-back"));
  expect(app.detail).toBe(1);
  await rerender({ key: 1 });
  await vi.waitFor(() => expect((screen.getByTestId("detail-forward") as HTMLButtonElement).disabled).toBe(false));
  await fireEvent.keyDown(screen.getByTestId("detail"), { key: "ArrowRight", altKey: true });
  expect(app.detail).toBe(2);
});

it("lists inlinks and resources by the filter of the key, with the columns that there are", async () => {
  show();
  await open("inlinks");
  expect(JSON.parse(screen.getByTestId("table-stub").dataset["filter"] ?? "")).toEqual({ links_to: [1] });
  expect(screen.getByTestId("table-stub").dataset["columns"]).toBe("source kind line");
  await open("resources");
  expect(screen.getByTestId("table-stub").dataset["filter"]).toContain('{"links_from":[1]}');
  await open("outlinks");
  expect(screen.getByText("No outlinks")).toBeTruthy();
});

it("marks skipped headings", async () => {
  show();
  await open("headings");
  expect(within(panel()).getByText("H3 after H1")).toBeTruthy();
});

it("cuts the title as a result list does and says how wide it is", async () => {
  show();
  await open("preview");
  const desktop = screen.getByRole("group", { name: "On a desktop" });
  expect(desktop.textContent).toMatch(/Shizuoka.*…/u);
  expect(desktop.textContent).not.toContain("every month");
  expect(screen.getByRole("group", { name: "Title" }).textContent).toContain("742 px of 561 px");
  expect(screen.getByRole("group", { name: "Description" }).textContent).toContain("missing");
});

it("jumps from the evidence to the line of the source, and finds in it", async () => {
  show();
  await open("issues");
  await fireEvent.click(screen.getByTestId("jump-3"));
  expect(await screen.findByTestId("source-find")).toBeTruthy();
  await vi.waitFor(() => expect((screen.getByTestId("source-line") as HTMLInputElement).value).toBe("3"));
  await fireEvent.input(screen.getByTestId("source-find"), { target: { value: "GONE".toLowerCase() } });
  await vi.waitFor(() => expect(screen.getByText("1 of 2")).toBeTruthy());
  await fireEvent.keyDown(screen.getByTestId("source-find"), { key: "Enter" });
  expect(screen.getByText("2 of 2")).toBeTruthy();
});

const HTML = "<html>\n<p>tea</p>\n<footer><a href=/gone>gone</a></footer>\n</html>";
const POINTED = { audit: "links-to-broken", link: 7 };
const pointed = () => screen.queryAllByTestId("source-pointed").map((one) => one.textContent).join("");

function withPlace(place: Partial<FindingPlace> | null) {
  const start = HTML.indexOf("<a");
  const whole = { line: 3, column: 9, start, end: HTML.indexOf(">", start) + 1, tag: "<a href=/gone>" };
  return vi.spyOn(backend, "findingPlace").mockResolvedValue(place === null ? null : { ...whole, ...place });
}

it("marks the very tag of a finding in the source", async () => {
  const issue = { ...page(1).issues[0], in_source: true } as UrlDetail["issues"][number];
  show(page(1, { issues: [issue] }));
  const asked = withPlace({});
  await open("issues");
  await fireEvent.click(screen.getByTestId("point-0"));
  await vi.waitFor(() => expect(pointed()).toBe("<a href=/gone>"));
  expect(asked).toHaveBeenCalledWith(3, 1, "links-to-broken", 7);
  expect(screen.queryByTestId("source-absent")).toBeNull();
});

it("takes the finding that a list points to, and says where the source has no tag for it", async () => {
  withPlace({ start: 7, end: 7, tag: "" });
  showInSource(1, POINTED.audit, POINTED.link);
  show();
  expect((await screen.findByTestId("source-absent")).textContent).toContain("the parser adds it");
  expect(pointed()).toBe("");
  expect(app.pointed).toBeNull();
  cleanup();
  withPlace(null);
  showInSource(1, POINTED.audit, POINTED.link);
  show();
  expect((await screen.findByTestId("source-absent")).textContent).toContain("not found");
});

it("copies the command of curl", async () => {
  const written = vi.fn().mockResolvedValue(undefined);
  Object.defineProperty(navigator, "clipboard", { value: { writeText: written }, configurable: true });
  vi.spyOn(backend, "curlCommand").mockResolvedValue({ posix: "curl 'x'", windows: 'curl "x"' });
  show();
  await screen.findByText("First byte");
  await fireEvent.click(screen.getByTestId("detail-curl"));
  await vi.waitFor(() => expect(written).toHaveBeenCalledWith("curl 'x'"));
});

it("draws the chain of redirects and names a loop", async () => {
  show(page(1, {
    redirects: [
      { url: "https://tea.example/1", status: 301, reason: null, key: 1 }, { url: "https://tea.example/2", status: 302, reason: null, key: 2 },
      { url: "https://tea.example/1", status: 301, reason: null, key: 1 },
    ],
  }));
  await open("redirects");
  expect(screen.getByText("The redirects go round in circles.")).toBeTruthy();
  await fireEvent.click(within(panel()).getByRole("button", { name: "https://tea.example/2" }));
  expect(app.detail).toBe(2);
});

it("says what changed from crawl to crawl", async () => {
  show();
  await open("history");
  const [, newest, oldest] = within(panel()).getAllByRole("row");
  expect(newest?.textContent).toMatch(/200.*status.*title.*content/su);
  expect(oldest?.textContent).toMatch(/404.*first seen/su);
});

it("explains itself where there is nothing, and where it failed", async () => {
  show(page(1, { html: false, preview: null, headings: [], issues: [] }));
  await open("source");
  expect(await screen.findByText("No source stored")).toBeTruthy();
  await open("issues");
  expect(screen.getByText("Nothing found here")).toBeTruthy();
  cleanup();
  vi.spyOn(backend, "urlDetail").mockRejectedValue({ code: "store", message: "The project file cannot be read.", detail: [] });
  render(UrlDetailPane, { props: { crawl: 3, key: 1, onclose: () => undefined } });
  expect(await screen.findByText("The project file cannot be read.")).toBeTruthy();
});

it("shows structured data with its problems, and leads to their lines", async () => {
  const line = { level: 0, is_url: false, is_entity: false, audit: null, remark: null, line: null };
  show(page(1, {
    structured: {
      entities: [{
        syntax: "json-ld", types: "Product", id: null, line: 1, unread: false, problems: 2,
        lines: [
          { ...line, name: "headline", value: "Tea", audit: "structured-unknown-term", remark: "no property of this type", line: 2 },
          { ...line, name: "offers", value: "Offer", is_entity: true },
          { ...line, level: 1, name: "price", value: "", audit: "structured-required-missing", line: 3 },
        ],
      }],
      faults: [{ line: 2, text: "column 7: expected `:`, found `1`" }],
      social: [{ name: "og:title", value: "Tea" }],
    },
  }));
  await open("structured");
  const entity = within(screen.getByTestId("entity-0"));
  const rows = entity.getAllByRole("listitem").map((row) => row.textContent);
  expect(rows[0]).toContain("no property of this type");
  expect(rows[1]).toContain("Offer");
  expect(rows[2]).toContain("required by Google");
  expect(entity.getByText("2 problems")).toBeTruthy();
  expect(panel().textContent).toContain("A script cannot be read: column 7");
  expect(panel().textContent).toContain("og:title");
  await fireEvent.click(entity.getByTestId("structured-jump-3"));
  expect(await screen.findByTestId("detail-source")).toBeTruthy();
});

it("says that there is no structured data, and links to no source that was not kept", async () => {
  show();
  await open("structured");
  expect(screen.getByText("No structured data")).toBeTruthy();
  cleanup();
  show(page(1, { html: false, structured: { entities: [{ syntax: "rdfa", types: "", id: null, line: 1, unread: true, problems: 0, lines: [] }], faults: [], social: [] } }));
  await open("structured");
  expect(screen.getByText("no type")).toBeTruthy();
  expect(screen.getByText("in a script that cannot be read")).toBeTruthy();
  expect(screen.queryByTestId("structured-jump-1")).toBeNull();
});
