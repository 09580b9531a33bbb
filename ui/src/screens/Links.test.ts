import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { backend, type ColumnCard, type TableCard } from "$lib/backend";
import { app, go } from "$lib/state";
import { speak } from "$lib/text/language.svelte";
import Links from "./Links.svelte";

vi.mock("$lib/table/Table.svelte", async () => ({ default: (await import("$lib/detail/TableStub.svelte")).default }));

const card = (id: string, columns: Record<string, string[]>): TableCard => ({
  id, title: id, sort: null,
  columns: Object.entries(columns).map(([column, choices]) => ({ id: column, label: column, kind: "text", width: 100, shown: true, quick: false, help: "", choices }) as ColumnCard),
});
const VERDICTS = ["broken", "unverified", "blocked", "invalid"];
const CATALOGUE = [card("links", { source: [], target: [], verdict: [], target_internal: [] }), card("problem_targets", { target: [], verdict: VERDICTS, internal: [] })];

beforeEach(() => {
  speak("en");
  Object.assign(app, { screen: "start", params: {}, crawl: 3, job: null, project: null, catalogue: CATALOGUE });
  vi.spyOn(backend, "openTable").mockImplementation(async ({ table, filter }) => ({ table: 1, rows: table === "problem_targets" ? (filter === null ? 41 : 7) : 105, sql: "", took_ms: 1 }));
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

function open(params: Parameters<typeof go>[1] = {}) {
  go("links", params);
  render(Links);
}
const list = () => screen.getByTestId("table-stub").dataset;
const filter = () => JSON.stringify(JSON.parse(list()["filter"] ?? "null"));

it("opens with the targets that have problems, counted by verdict", async () => {
  open({ table: "problem_targets" });
  expect([list()["table"], filter()]).toEqual(["problem_targets", "null"]);
  await waitFor(() => expect(screen.getByTestId("tab-all").textContent).toContain("41"), { timeout: 3_000 });
  await waitFor(() => expect(screen.getByTestId("tab-broken").textContent).toContain("7"), { timeout: 3_000 });
});

it("narrows by verdict and by where the target is, one without the other", async () => {
  open({ table: "problem_targets" });
  await fireEvent.click(screen.getByTestId("tab-broken"));
  await fireEvent.click(screen.getByRole("radio", { name: "Other sites" }));
  await waitFor(() => expect(filter()).toContain('"internal"'));
  expect(filter()).toContain('"broken"');
  await fireEvent.click(screen.getByTestId("tab-unverified"));
  await waitFor(() => expect(filter()).not.toContain('"broken"'));
  expect(filter()).toContain('"internal"');
});

it("finds redirects among all links", async () => {
  open({ table: "problem_targets" });
  await fireEvent.click(screen.getByTestId("tab-redirect"));
  await waitFor(() => expect(list()["table"]).toBe("links"));
  expect(filter()).toContain('"redirect"');
});

it("shows the links it was opened for under their title, until the title is cleared", async () => {
  open({ table: "links", filter: { links_to: [7] }, title: "Links to /cart" });
  expect([list()["table"], filter()]).toEqual(["links", '{"links_to":[7]}']);
  expect(screen.getByRole("heading", { name: "Links to /cart" })).toBeTruthy();
  await fireEvent.click(screen.getByTestId("list-clear"));
  await waitFor(() => expect(filter()).toBe("null"));
  expect(screen.getByRole("heading", { name: "Links" })).toBeTruthy();
});

it("saves the report with the branding of the profile, and says where it is", async () => {
  const report = vi.spyOn(backend, "brokenLinkReport").mockImplementation(async (_crawl, _profile, path) => ({ path, rows: 105, left_out: 0 }));
  open({ table: "problem_targets" });
  await fireEvent.click(screen.getByTestId("links-report"));
  const form = await screen.findByTestId("report-form");
  await waitFor(() => expect(screen.getByTestId("report-counts").textContent).toContain("105"), { timeout: 3_000 });
  await screen.findByLabelText("Agency");
  await waitFor(() => expect(screen.getByTestId<HTMLInputElement>("export-path").value).toContain("broken-links"));
  await fireEvent.submit(form);
  await waitFor(() => expect(report).toHaveBeenCalled());
  expect(report.mock.calls[0]?.[2]).toMatch(/broken-links.*\.html$/);
  await waitFor(() => expect(screen.queryByTestId("report-form")).toBeNull());
});
