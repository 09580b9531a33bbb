import { fireEvent, render, screen, waitFor, within } from "@testing-library/svelte";
import { createRawSnippet, type Snippet } from "svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { backend } from "../backend";
import type { Filter, TableRow } from "../backend/bindings";
import { app } from "../state";
import { speak } from "../text/language.svelte";
import Table from "./Table.svelte";
import type { CellOf, TableApi } from "./types";

const VIEW_PX = 600;

beforeEach(async () => {
  speak("en");
  vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(VIEW_PX);
  vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(1_200);
  const [project] = await backend.recentProjects();
  if (project) app.project = await backend.openProject(project.path);
  app.catalogue = await backend.tables();
  app.crawl = app.project?.crawls[0]?.crawl ?? 1;
  app.detail = null;
});
afterEach(() => vi.restoreAllMocks());

type Props = { filter?: Filter | null; table?: string; onopen?: () => void; onexport?: () => void; stale?: boolean; embedded?: boolean; storageKey?: string; expanded?: Snippet<[TableRow, CellOf]> };
let keys = 0;

async function open(props: Props = {}) {
  let api: TableApi | undefined;
  const given = { table: "urls", crawl: app.crawl ?? 1, storageKey: `test${keys++}`, label: "URLs", ...props };
  const view = render(Table, {
    props: { ...given, get api() { return api; }, set api(to: TableApi | undefined) { api = to; } },
  });
  const grid = screen.getByRole("grid");
  await waitFor(() => expect(grid.getAttribute("aria-busy")).toBe("false"));
  const key = (name: string, held: Partial<KeyboardEventInit> = {}) => fireEvent.keyDown(grid, { key: name, ...held });
  const rows = () => within(grid).queryAllByTestId("row");
  const rowAt = (position: number) => grid.querySelector<HTMLElement>(`[data-position="${position}"]`);
  const textAt = (position: number, column: number) => rowAt(position)?.querySelectorAll("[role=gridcell]")[column]?.textContent?.trim() ?? "";
  const total = () => Number(grid.getAttribute("aria-rowcount")) - 1;
  const selected = () => screen.queryByTestId("selected-count")?.textContent ?? "";
  const focus = () => document.getElementById(grid.getAttribute("aria-activedescendant") ?? "");
  await waitFor(() => expect(textAt(0, 0)).not.toBe(""));
  return { ...view, grid, key, rows, rowAt, textAt, total, selected, focus, api: () => api };
}

describe("rows", () => {
  it("are those of the engine, of which only those in sight are drawn", async () => {
    const { rows, total, textAt, grid } = await open();
    expect(total()).toBeGreaterThan(100);
    expect(screen.getByTestId("row-count").textContent).toContain(total().toLocaleString("en"));
    expect(textAt(0, 0)).toMatch(/^https?:\/\//);
    expect(rows().length).toBeLessThanOrEqual(60);
    expect(rows()[0]?.getAttribute("aria-rowindex")).toBe("2");
    expect(Number(grid.getAttribute("aria-colcount"))).toBeGreaterThan(3);
  });

  it("that match nothing say so, and the engine's refusal is shown", async () => {
    const nothing: Filter = { is: { column: "url", operator: "equals", value: "no such address" } };
    render(Table, { props: { table: "urls", crawl: app.crawl ?? 1, storageKey: "none", label: "URLs", filter: nothing } });
    expect(await screen.findByText("Nothing matches")).toBeTruthy();
  });

  it("show what went wrong with a filter that the engine refuses", async () => {
    const wrong: Filter = { is: { column: "url", operator: "matches", value: "(" } };
    render(Table, { props: { table: "urls", crawl: app.crawl ?? 1, storageKey: "wrong", label: "URLs", filter: wrong } });
    expect(await screen.findByRole("alert")).toBeTruthy();
  });

  it("highlight what is searched for", async () => {
    const { grid } = await open({ filter: { search: "tea" } });
    await waitFor(() => expect(grid.querySelectorAll("mark").length).toBeGreaterThan(0));
    expect(grid.querySelector("mark")?.textContent?.toLowerCase()).toBe("tea");
  });
});

describe("sorting", () => {
  it("goes up, down and back to the usual order by clicks on the name", async () => {
    const { grid, textAt } = await open();
    const head = within(grid).getByTestId("column-url");
    const click = async () => {
      await fireEvent.pointerDown(head, { button: 0 });
      await fireEvent.pointerUp(head, { button: 0 });
      await waitFor(() => expect(grid.getAttribute("aria-busy")).toBe("false"));
    };
    const first = textAt(0, 0);
    await click();
    expect(head.getAttribute("aria-sort")).toBe("ascending");
    const up = textAt(0, 0);
    await click();
    expect(head.getAttribute("aria-sort")).toBe("descending");
    await waitFor(() => expect(textAt(0, 0) > up).toBe(true));
    await click();
    expect(head.getAttribute("aria-sort")).toBe("none");
    await waitFor(() => expect(textAt(0, 0)).toBe(first));
  });

  it("works by the keyboard from the header", async () => {
    const { grid, key, focus } = await open();
    await key("ArrowUp");
    expect(focus()?.getAttribute("role")).toBe("columnheader");
    await key("ArrowRight");
    await key("Enter");
    await waitFor(() => expect(within(grid).getByTestId("column-status").getAttribute("aria-sort")).toBe("ascending"));
    await key("Enter", { shiftKey: true });
    await waitFor(() => expect(within(grid).getByTestId("column-status").getAttribute("aria-sort")).toBe("none"));
  });
});

describe("the keyboard", () => {
  it("reaches every row and column, and the focus says where it is", async () => {
    const { key, focus, total, rowAt } = await open();
    await key("ArrowDown");
    await key("ArrowRight");
    expect(focus()?.getAttribute("aria-colindex")).toBe("2");
    expect(focus()?.closest("[role=row]")?.getAttribute("aria-rowindex")).toBe("3");
    await key("End");
    await waitFor(() => expect(rowAt(total() - 1)).toBeTruthy());
    expect(focus()?.closest("[role=row]")?.getAttribute("aria-rowindex")).toBe(String(total() + 1));
    await key("Home", { ctrlKey: true });
    expect(focus()?.getAttribute("aria-colindex")).toBe("1");
    await key("PageDown");
    expect(Number(focus()?.closest<HTMLElement>("[data-position]")?.dataset["position"])).toBeGreaterThan(10);
  });

  it("opens by Enter and exports by E", async () => {
    const [onopen, onexport] = [vi.fn(), vi.fn()];
    const { key } = await open({ onopen, onexport });
    await key("ArrowDown");
    await key("Enter");
    expect(onopen).toHaveBeenCalledOnce();
    const [row, cell] = onopen.mock.calls[0] as [{ key: number }, (id: string) => unknown];
    expect(row.key).toBeGreaterThan(0);
    expect(cell("url")).toMatch(/^http/);
    await key("e");
    expect(onexport).toHaveBeenCalledOnce();
  });

  it("previews by Space and takes the preview away again", async () => {
    const { key } = await open();
    await key("ArrowDown");
    await key(" ");
    expect(app.detail).toBeGreaterThan(0);
    await key(" ");
    expect(app.detail).toBeNull();
  });

  it("opens the menu of the row by Shift+F10, and that of a column from the header", async () => {
    const { key } = await open();
    await key("ArrowDown");
    await key("F10", { shiftKey: true });
    expect(screen.getByTestId("menu-copy-rows")).toBeTruthy();
    await fireEvent.keyDown(screen.getByRole("menu"), { key: "Escape" });
    await key("ArrowUp");
    await key("ArrowUp");
    await key("ContextMenu");
    expect(screen.getByTestId("menu-sort-up")).toBeTruthy();
  });

  it("moves, widens and narrows columns from the header", async () => {
    const { grid, key } = await open();
    const order = () => within(grid).getAllByRole("columnheader").map((one) => one.dataset["column"]);
    const before = order();
    await key("ArrowUp");
    await key("ArrowRight", { altKey: true });
    expect(order().slice(0, 2)).toEqual([before[1], before[0]]);
    const name = within(grid).getByTestId(`column-${before[0]}`);
    const width = parseInt(name.style.width, 10);
    await key("ArrowRight", { shiftKey: true });
    expect(parseInt(name.style.width, 10)).toBe(width + 16);
  });
});

describe("selecting", () => {
  it("takes a row, a range, single rows and all of the filter", async () => {
    const { rowAt, selected, key, total, api } = await open();
    const click = (position: number, held: MouseEventInit = {}) => fireEvent.click(rowAt(position)?.querySelectorAll("[role=gridcell]")[1] as Element, held);
    await click(2);
    expect(selected()).toBe("1 selected");
    await click(5, { shiftKey: true });
    expect(selected()).toBe("4 selected");
    await click(8, { ctrlKey: true });
    expect(selected()).toBe("5 selected");
    expect(api()?.selection.ranges).toEqual([{ start: 2, end: 6 }, { start: 8, end: 9 }]);
    expect(rowAt(3)?.getAttribute("aria-selected")).toBe("true");
    expect(await api()?.selection.keys(3)).toHaveLength(3);
    await key("a", { ctrlKey: true });
    expect(selected()).toBe(`all ${total().toLocaleString("en")} selected`);
    expect(api()?.selection.all).toBe(true);
    await key("Escape");
    expect(selected()).toBe("");
  });

  it("is kept with focus and place when the list is read anew", async () => {
    const { rowAt, selected, key, api, grid, focus } = await open();
    await fireEvent.click(rowAt(4)?.querySelectorAll("[role=gridcell]")[1] as Element);
    await key("ArrowDown", { shiftKey: true });
    api()?.refresh();
    await waitFor(() => expect(grid.getAttribute("aria-busy")).toBe("true"));
    await waitFor(() => expect(grid.getAttribute("aria-busy")).toBe("false"));
    expect(selected()).toBe("2 selected");
    expect(focus()?.closest("[role=row]")?.getAttribute("aria-rowindex")).toBe("7");
  });
});

describe("copying", () => {
  it("puts the selected rows on the clipboard by Ctrl+C", async () => {
    const write = vi.fn(async () => undefined);
    vi.stubGlobal("ClipboardItem", undefined);
    Object.defineProperty(navigator, "clipboard", { value: { writeText: write }, configurable: true });
    const { rowAt, key } = await open();
    await fireEvent.click(rowAt(1)?.querySelectorAll("[role=gridcell]")[1] as Element);
    await fireEvent.click(rowAt(2)?.querySelectorAll("[role=gridcell]")[1] as Element, { shiftKey: true });
    await key("c", { ctrlKey: true });
    await waitFor(() => expect(write).toHaveBeenCalled());
    const [text] = write.mock.calls[0] as unknown as [string];
    expect(text.trim().split("\n").filter((line) => line.includes("http")).length).toBe(2);
    expect(text).toContain("\t");
    vi.unstubAllGlobals();
  });
});

describe("columns", () => {
  it("are shown and hidden by the picker, and come back", async () => {
    const storageKey = "kept";
    const { grid, unmount } = await open({ storageKey });
    await fireEvent.click(screen.getByTestId("table-columns"));
    await fireEvent.click(screen.getByTestId("pick-word_count"));
    expect(within(grid).getByTestId("column-word_count")).toBeTruthy();
    await fireEvent.click(screen.getByTestId("pick-title"));
    expect(within(grid).queryByTestId("column-title")).toBeNull();
    unmount();
    const second = await open({ storageKey });
    expect(within(second.grid).getByTestId("column-word_count")).toBeTruthy();
    expect(within(second.grid).queryByTestId("column-title")).toBeNull();
    await fireEvent.click(screen.getByTestId("table-columns"));
    await fireEvent.click(screen.getByTestId("columns-reset"));
    expect(within(second.grid).getByTestId("column-title")).toBeTruthy();
  });
});

describe("a list that takes long", () => {
  it("keeps the old rows, says what it does and can be stopped", async () => {
    const { grid, textAt } = await open();
    const first = textAt(0, 0);
    const cancel = vi.spyOn(backend, "cancelTable");
    let refuse: (error: unknown) => void = () => undefined;
    vi.spyOn(backend, "openTable").mockImplementation(() => new Promise((_, reject) => (refuse = reject)));
    cancel.mockImplementation(async () => refuse({ code: "cancelled", message: "Cancelled.", detail: [] }));
    const head = within(grid).getByTestId("column-title");
    await fireEvent.pointerDown(head, { button: 0 });
    await fireEvent.pointerUp(head, { button: 0 });
    expect(textAt(0, 0)).toBe(first);
    await fireEvent.click(await screen.findByTestId("table-cancel", {}, { timeout: 2_000 }));
    expect(cancel).toHaveBeenCalled();
    await waitFor(() => expect(head.getAttribute("aria-sort")).toBe("none"));
    expect(textAt(0, 0)).toBe(first);
  });
});

it("offers a refresh when the list is out of date", async () => {
  const { api } = await open({ stale: true });
  expect(screen.getByText("the list has changed")).toBeTruthy();
  const opened = vi.spyOn(backend, "openTable");
  await fireEvent.click(screen.getByTestId("table-refresh"));
  expect(opened).toHaveBeenCalledOnce();
  expect(api()?.rows).toBeGreaterThan(0);
});

it("opens one row at a time, in a panel below it", async () => {
  const expanded = createRawSnippet<[TableRow, CellOf]>((_, cell) => ({ render: () => `<p>Below ${String(cell()("url"))}</p>` }));
  const { rowAt, textAt, key } = await open({ expanded });
  const topOf = (position: number) => parseInt(rowAt(position)?.style.top ?? "", 10);
  const before = topOf(3);
  await fireEvent.click(rowAt(2)?.querySelector("[data-turns]") as Element);
  // Where the address is cut to its column, the whole of it is there for who cannot see.
  const address = () => rowAt(2)?.querySelector(".sr-only")?.textContent ?? textAt(2, 0);
  await waitFor(() => expect(screen.getByTestId("row-panel").textContent).toContain(`Below ${address()}`));
  expect(rowAt(2)?.getAttribute("aria-expanded")).toBe("true");
  expect(topOf(3)).toBe(before + 260);
  await key("Enter");
  expect(rowAt(2)?.getAttribute("aria-expanded")).toBe("false");
  expect(rowAt(0)?.getAttribute("aria-expanded")).toBe("true");
  await key("Escape");
  expect(screen.queryByTestId("row-panel")).toBeNull();
  expect(topOf(3)).toBe(before);
});

it("keeps the orderings of lists that other lists name, and closes the rest", async () => {
  const closed = vi.spyOn(backend, "closeTable");
  const { unmount, key } = await open();
  await key("a", { ctrlKey: true });
  await key("F10", { shiftKey: true });
  await fireEvent.click(screen.getByTestId("menu-inlinks"));
  expect(app.screen).toBe("links");
  const named = app.params.filter && "links_to_rows" in app.params.filter ? app.params.filter.links_to_rows : null;
  expect(named?.ranges).toHaveLength(1);
  unmount();
  expect(closed).not.toHaveBeenCalledWith(named?.table);
  const other = await open();
  const table = other.api()?.exportState().table;
  other.unmount();
  expect(closed).toHaveBeenCalledWith(table);
});
