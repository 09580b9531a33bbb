import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { backend, type ColumnCard, type TableCard } from "$lib/backend";
import { app, go } from "$lib/state";
import { speak } from "$lib/text/language.svelte";
import Urls from "./Urls.svelte";

vi.mock("$lib/table/Table.svelte", async () => ({ default: (await import("$lib/detail/TableStub.svelte")).default }));

const card = (id: string, columns: string[]): TableCard => ({
  id, title: id, sort: null,
  columns: columns.map((column) => ({ id: column, label: column, kind: "text", width: 100, shown: true, quick: false, help: "", choices: [] }) as ColumnCard),
});

beforeEach(() => {
  speak("en");
  const catalogue = [card("urls", ["url", "status", "state", "internal", "indexability", "depth"]), card("pages", ["url", "status", "depth"]), card("hosts", ["host"])];
  Object.assign(app, { screen: "start", params: {}, crawl: 3, job: null, project: null, catalogue });
  vi.spyOn(backend, "openTable").mockImplementation(async ({ filter }) => ({ table: 1, rows: filter === null ? 607 : 27, sql: "", took_ms: 1 }));
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

function open(params: Parameters<typeof go>[1]) {
  go("urls", params);
  render(Urls);
}
const list = () => screen.getByTestId("table-stub").dataset;
const filter = () => JSON.stringify(JSON.parse(list()["filter"] ?? "null"));

it("counts its quick filters, each of which is a filter like any other", async () => {
  open({ table: "urls" });
  await waitFor(() => expect(screen.getByTestId("tab-all").textContent).toContain("607"), { timeout: 3_000 });
  await waitFor(() => expect(screen.getByTestId("tab-unindexable").textContent).toContain("27"), { timeout: 3_000 });
  await fireEvent.click(screen.getByTestId("tab-missing"));
  await waitFor(() => expect(filter()).toContain('"at_least"'));
  expect(screen.getByTestId("tab-missing").getAttribute("aria-selected")).toBe("true");
});

it("shows a distribution's bar in the list that it counts", () => {
  open({ table: "pages", filter: { is: { column: "depth", operator: "above", value: 3 } }, title: "Depth: 4 and more" });
  expect(list()["table"]).toBe("pages");
  expect(filter()).toContain('"depth"');
  expect(screen.getByRole("heading", { name: "Depth: 4 and more" })).toBeTruthy();
});

it("takes along to another list what that list can answer", async () => {
  open({ table: "urls", filter: { all: [{ search: "tea" }, { is: { column: "depth", operator: "above", value: 3 } }, { is: { column: "internal", operator: "equals", value: 1 } }] } });
  await fireEvent.click(screen.getByRole("radio", { name: "Pages" }));
  await waitFor(() => expect(list()["table"]).toBe("pages"));
  expect(filter()).toContain('"depth"');
  expect(filter()).not.toContain('"internal"');
  await fireEvent.click(screen.getByRole("radio", { name: "Hosts" }));
  await waitFor(() => expect(filter()).toBe('{"search":"tea"}'));
});

it("is found again as it was left", async () => {
  open({ table: "urls" });
  await fireEvent.click(screen.getByTestId("tab-blocked"));
  await waitFor(() => expect(filter()).toContain('"blocked"'));
  cleanup();
  open({});
  expect(filter()).toContain('"blocked"');
});
