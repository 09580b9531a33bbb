import { fireEvent, render, screen, waitFor, within } from "@testing-library/svelte";
import { beforeEach, expect, it, vi } from "vitest";
import { backend } from "../backend";
import type { Filter } from "../backend/bindings";
import { app } from "../state";
import { speak } from "../text/language.svelte";
import FilterBar from "./FilterBar.svelte";

beforeEach(async () => {
  speak("en");
  app.catalogue = await backend.tables();
});

let keys = 0;
function bar(filter: Filter | null = null, more: { title?: string; sql?: string; storageKey?: string } = {}) {
  let held = filter;
  const set = vi.fn((to: Filter | null) => (held = to));
  const view = render(FilterBar, { props: { table: "urls", storageKey: `bar${keys++}`, ...more, get filter() { return held; }, set filter(to) { set(to); } } });
  const chips = () => screen.queryAllByTestId("chip").map((chip) => chip.querySelector(".words")?.textContent ?? "");
  return { ...view, chips, filter: () => held, set };
}

const broken: Filter = { is: { column: "status", operator: "at_least", value: 400 } };
const indexable: Filter = { is: { column: "indexable", operator: "equals", value: 1 } };

it("says in words what it lets pass", () => {
  const { chips } = bar({ all: [broken, indexable, { not: { is: { column: "title", operator: "contains", value: "tea" } } }, { any: [broken, { is: { column: "bytes", operator: "above", value: 1_500_000 } }] }] });
  expect(chips()).toEqual(["Status ≥ 400", "Indexable: yes", "Title lacks “tea”", "Status ≥ 400 or Size > 1.5 MB"]);
});

it("names what an issue or another list opened", async () => {
  const { chips } = bar({ all: [{ finding: "missing-title" }, { links_to: [7] }] }, { title: "Inlinks of the shop" });
  expect(chips()[1]).toBe("Inlinks of the shop");
  await waitFor(() => expect(chips()[0]).toMatch(/^Found: /));
});

it("searches a moment after typing, and not at every letter", async () => {
  vi.useFakeTimers();
  const { filter, set } = bar(broken);
  const field = screen.getByTestId("search");
  for (const term of ["t", "te", "tea"]) await fireEvent.input(field, { target: { value: term } });
  expect(set).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(250);
  vi.useRealTimers();
  expect(set).toHaveBeenCalledOnce();
  expect(filter()).toEqual({ all: [{ search: "tea" }, broken] });
});

it("takes the focus by / and clears by Escape", async () => {
  const { filter } = bar({ search: "tea" });
  const field = screen.getByTestId<HTMLInputElement>("search");
  expect(field.value).toBe("tea");
  await fireEvent.keyDown(document.body, { key: "/" });
  expect(document.activeElement).toBe(field);
  await fireEvent.keyDown(field, { key: "Escape" });
  expect(filter()).toBeNull();
});

it("turns a condition into its opposite and takes it away", async () => {
  const first = bar({ all: [broken, indexable] });
  const [chip] = screen.getAllByTestId("chip");
  await fireEvent.click(within(chip as HTMLElement).getByTestId("chip-negate"));
  expect(first.filter()).toEqual({ all: [{ not: broken }, indexable] });
  first.unmount();
  const second = bar({ all: [broken, indexable] });
  await fireEvent.click(screen.getAllByTestId("chip-remove")[0] as HTMLElement);
  expect(second.filter()).toEqual(indexable);
});

async function choose(testid: string, value: string) {
  const select = screen.getByTestId<HTMLSelectElement>(testid);
  for (const option of select.options) option.selected = option.value === value;
  await fireEvent.change(select);
}

it("builds a condition with column, comparison and value", async () => {
  const { filter } = bar();
  await fireEvent.click(screen.getByTestId("filter-add"));
  await choose("condition-column", "bytes");
  await choose("condition-operator", "above");
  await fireEvent.input(screen.getByTestId("condition-value"), { target: { value: "much" } });
  await fireEvent.click(screen.getByTestId("filter-apply"));
  expect(filter()).toBeNull();
  await fireEvent.input(screen.getByTestId("condition-value"), { target: { value: "1.5 MB" } });
  await fireEvent.click(screen.getByTestId("filter-apply"));
  expect(filter()).toEqual({ is: { column: "bytes", operator: "above", value: 1_500_000 } });
  expect(screen.queryByTestId("filter-builder")).toBeNull();
});

it("builds groups and joins by or", async () => {
  const { filter } = bar(broken);
  await fireEvent.click(screen.getByTestId("filter-add"));
  await fireEvent.click(screen.getByTestId("add-group"));
  const values = () => screen.getAllByTestId("condition-value");
  await fireEvent.input(values()[1] as HTMLElement, { target: { value: "/shop/" } });
  await fireEvent.input(values()[2] as HTMLElement, { target: { value: "/blog/" } });
  await fireEvent.click(screen.getByTestId("filter-apply"));
  const contains = (value: string): Filter => ({ is: { column: "url", operator: "contains", value } });
  expect(filter()).toEqual({ all: [broken, { any: [contains("/shop/"), contains("/blog/")] }] });
});

it("saves what is shown under a name and brings it back", async () => {
  const first = bar({ all: [{ search: "tea" }, broken] }, { storageKey: "saved" });
  await fireEvent.click(screen.getByTestId("filter-saved"));
  await fireEvent.input(screen.getByTestId("save-name"), { target: { value: "Broken teas" } });
  await fireEvent.submit(screen.getByTestId("save-name").closest("form") as HTMLFormElement);
  first.unmount();
  const second = bar(null, { storageKey: "saved" });
  await fireEvent.click(screen.getByTestId("filter-saved"));
  const saved = screen.getByTestId("saved-view");
  expect(saved.textContent).toContain("Broken teas");
  expect(saved.textContent).toContain("Status ≥ 400");
  await fireEvent.click(saved);
  expect(second.filter()).toEqual({ all: [{ search: "tea" }, broken] });
});

it("shows the statement of the list", async () => {
  bar(null, { sql: "SELECT * FROM v_urls" });
  await fireEvent.click(screen.getByTestId("filter-sql"));
  expect(screen.getByTestId("sql-statement").textContent).toContain("SELECT * FROM v_urls");
});

it("says one of several values as one thought", async () => {
  const state = (value: string): Filter => ({ is: { column: "state", operator: "equals", value } });
  const { chips, filter } = bar({ any: [state("failed"), state("blocked"), state("over_limit")] });
  expect(chips()).toEqual(["State is failed, blocked or over the limit"]);
  await fireEvent.click(screen.getByTestId("chip-remove"));
  expect(filter()).toBeNull();
});
