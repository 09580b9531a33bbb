import { cleanup, fireEvent, render, screen, within } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { backend, type AuditCard, type IgnoredCard, type IssueCard, type RecheckReport } from "../backend";
import { app } from "../state";
import { speak } from "../text/language.svelte";
import type { Selection } from "../table/types";
import IgnoreDialog from "./IgnoreDialog.svelte";
import IgnoredDialog from "./IgnoredDialog.svelte";
import RecheckResult from "./RecheckResult.svelte";
import SeverityMenu from "./SeverityMenu.svelte";
import Thresholds from "./Thresholds.svelte";
import { onSaidKey, saidActions } from "./rows";
import { whatWords } from "./words";

const ENTRY: IgnoredCard = {
  number: 4, audit: "title-missing", title: "Title missing", what: { url: "https://tea.example/a" }, reason: "Goes with the relaunch", made: "2026-11-01T10:00:00.000Z",
  until: "2027-04-01", expired: false, findings: 1,
};
const CARD: IssueCard = {
  audit: "title-missing", title: "Title missing", family: "text", family_title: "Texts", severity: "note", priority: "low", findings: 3, urls: 3, checked: 60, judged: "pages",
  before: null, ignored: 0, changed: true,
};
const AUDIT: AuditCard = {
  id: "title-too-long", title: "Title too long", family: "text", severity: "warning", priority: "medium", judged: "pages", why: "", fix: "", references: [],
  thresholds: [{ setting: "audit.title_max", label: "Longest title", help: "In characters.", default: "60 characters" }],
};

const text = (id: string) => screen.getByTestId(id).textContent?.replace(/\s+/gu, " ").trim();
const type = (id: string, value: string) => fireEvent.input(screen.getByTestId(id), { target: { value } });

beforeEach(() => {
  speak("en");
  // The dialog of the test's browser cannot be modal.
  HTMLDialogElement.prototype.showModal ??= function (this: HTMLDialogElement) { this.open = true; };
  Object.assign(app, { crawl: 3, job: null, project: null, screen: "issues", params: {}, detail: null });
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

it.each([
  [["audit" as const], "All findings of “T”"],
  [[{ url: "https://a/" }], "“T” on https://a/"],
  [[{ url: "https://a/" }, { url: "https://b/" }], "“T” on 2 URLs"],
  [[{ place: { element: "html>body>footer>a", target: null } }], "“T” at footer > a"],
  [[{ place: { element: "body>p>a", target: "" } }], "“T” at p > a, where the link is no URL"],
  [[{ place: { element: "body>p>a", target: "https://a/" } }], "“T” at p > a, to https://a/"],
  [[{ pattern: "/blog/**" }], "“T” on URLs like /blog/**"],
  [[{ text: "Home" }], "“T” on pages that say “Home”"],
])("says what is meant: %j", (what, expected) => expect(whatWords(what, "T")).toBe(expected));

it("asks why before it ignores, and tells how many findings that were", async () => {
  const ignore = vi.spyOn(backend, "ignore").mockResolvedValue([{ ...ENTRY, findings: 12 }]);
  const onignored = vi.fn();
  render(IgnoreDialog, { open: true, audit: "title-missing", title: "Title missing", what: ["audit"], onignored });
  await fireEvent.click(screen.getByTestId("ignore-do"));
  expect(screen.getByText("Say why they may stay.")).toBeTruthy();
  expect(ignore).not.toHaveBeenCalled();
  await type("ignore-reason", "Goes with the relaunch");
  await type("ignore-until", "2027-04-01");
  await fireEvent.click(screen.getByTestId("ignore-do"));
  expect(ignore).toHaveBeenCalledWith({ audit: "title-missing", what: ["audit"], reason: "Goes with the relaunch", until: "2027-04-01" });
  await vi.waitFor(() => expect(onignored).toHaveBeenCalledOnce());
  expect(app.toasts.at(-1)?.text).toContain("12 findings");
});

it("keeps the dialog with the engine's words where they are refused", async () => {
  vi.spyOn(backend, "ignore").mockRejectedValue({ code: "usage", message: "It has to lie after today.", detail: [] });
  const onignored = vi.fn();
  render(IgnoreDialog, { open: true, audit: "title-missing", title: "Title missing", what: ["audit"], onignored });
  await type("ignore-reason", "x");
  await fireEvent.click(screen.getByTestId("ignore-do"));
  expect(await screen.findByText("It has to lie after today.")).toBeTruthy();
  expect(onignored).not.toHaveBeenCalled();
});

it("lists what is ignored and counts it again with one click", async () => {
  const ignored = vi.spyOn(backend, "ignored").mockResolvedValue([ENTRY, { ...ENTRY, number: 3, audit: "other", title: "Other", until: "2026-01-01", expired: true }]);
  const stop = vi.spyOn(backend, "stopIgnoring").mockResolvedValue();
  const onchanged = vi.fn();
  render(IgnoredDialog, { open: true, crawl: 3, onchanged });
  expect((await screen.findByTestId("ignored-4")).textContent).toMatch(/Goes with the relaunch.*1 finding · until/su);
  expect(text("ignored-3")).toContain("expired on");
  ignored.mockResolvedValue([]);
  await fireEvent.click(screen.getByTestId("undo-4"));
  expect(stop).toHaveBeenCalledWith(4);
  expect(await screen.findByText("Nothing is ignored in this project.")).toBeTruthy();
  expect(onchanged).toHaveBeenCalledOnce();
});

it("shows of one audit what is ignored of it", async () => {
  vi.spyOn(backend, "ignored").mockResolvedValue([ENTRY, { ...ENTRY, number: 3, audit: "other" }]);
  render(IgnoredDialog, { open: true, crawl: 3, audit: "other", onchanged: vi.fn() });
  await screen.findByTestId("ignored-3");
  expect(screen.queryByTestId("ignored-4")).toBeNull();
});

it("changes a severity, and brings it back with one click", async () => {
  const set = vi.spyOn(backend, "setSeverity").mockResolvedValue();
  const onchanged = vi.fn();
  render(SeverityMenu, { card: CARD, audit: AUDIT, onchanged });
  await fireEvent.click(screen.getByTestId("severity-menu"));
  expect((await screen.findByText("Note")).closest("[role]")?.getAttribute("aria-checked")).toBe("true");
  await fireEvent.click(screen.getByText("Opportunity"));
  expect(set).toHaveBeenLastCalledWith("title-missing", "opportunity", null);
  await vi.waitFor(() => expect(onchanged).toHaveBeenCalledOnce());
  expect(screen.getByTestId("severity-reset").title).toBe("Changed from Warning, medium priority");
  await fireEvent.click(screen.getByTestId("severity-reset"));
  expect(set).toHaveBeenLastCalledWith("title-missing", null, null);
});

it("offers no way back where nothing was changed", () => {
  render(SeverityMenu, { card: { ...CARD, changed: false }, audit: AUDIT, onchanged: vi.fn() });
  expect(screen.queryByTestId("severity-reset")).toBeNull();
});

it("judges again with a threshold that was typed, shows how far it is, and can be stopped", async () => {
  const value = { setting: "audit.title_max", value: "60", default: "60", of_project: false };
  vi.spyOn(backend, "thresholds").mockResolvedValueOnce([value]).mockResolvedValue([{ ...value, value: "50", of_project: true }]);
  let finish: () => void = () => undefined;
  const evaluate = vi.spyOn(backend, "evaluate").mockImplementation((_crawl, _set, _reset, _ticket, told) => {
    told(0.25);
    return new Promise((done) => (finish = done));
  });
  const cancel = vi.spyOn(backend, "cancelCustom").mockResolvedValue();
  const onjudged = vi.fn();
  render(Thresholds, { crawl: 3, audit: AUDIT, onjudged });
  await screen.findByTestId("threshold-audit.title_max");
  expect(screen.getByTestId<HTMLButtonElement>("thresholds-apply").disabled).toBe(true);
  await type("threshold-audit.title_max", "50");
  await fireEvent.click(screen.getByTestId("thresholds-apply"));
  expect(evaluate.mock.calls[0]?.slice(0, 3)).toEqual([3, [["audit.title_max", "50"]], []]);
  expect((await screen.findByRole("status")).textContent).toContain("25");
  await fireEvent.click(screen.getByTestId("thresholds-stop"));
  expect(cancel).toHaveBeenCalledWith(evaluate.mock.calls[0]?.[3]);
  finish();
  await vi.waitFor(() => expect(onjudged).toHaveBeenCalledOnce());
  await fireEvent.click(await screen.findByTestId("threshold-reset-audit.title_max"));
  expect(evaluate.mock.calls[1]?.slice(1, 3)).toEqual([[], ["audit.title_max"]]);
});

it("says at the field what is wrong with a threshold", async () => {
  vi.spyOn(backend, "thresholds").mockResolvedValue([{ setting: "audit.title_max", value: "60", default: "60", of_project: false }]);
  vi.spyOn(backend, "evaluate").mockRejectedValue({ code: "settings", message: "wrong", detail: [{ field: "audit.title_max", message: "A number is expected." }] });
  render(Thresholds, { crawl: 3, audit: AUDIT, onjudged: vi.fn() });
  await screen.findByTestId("threshold-audit.title_max");
  await type("threshold-audit.title_max", "many");
  await fireEvent.keyDown(screen.getByTestId("threshold-audit.title_max"), { key: "Enter" });
  expect(await screen.findByText("A number is expected.")).toBeTruthy();
});

const REPORT: RecheckReport = {
  crawl: 3, base: 2, complete: true, asked: 5, fixed: 1, still_there: 1, not_rechecked: 1, waiting: 0,
  findings: [
    { audit: "title-missing", title: "Title missing", url: "https://tea.example/b", element: null, target: null, result: "still_there", why: null },
    { audit: "title-duplicate", title: "Duplicate title", url: "https://tea.example/c", element: null, target: null, result: "not_rechecked", why: "only a new crawl tells" },
    { audit: "links-to-broken", title: "Link to a broken URL", url: "https://tea.example/a", element: "body>a", target: "https://tea.example/gone", result: "fixed", why: null },
  ],
};

it("tells what became of each finding, and why one was not looked at", async () => {
  vi.spyOn(backend, "recheck").mockResolvedValue(REPORT);
  app.crawl = 3;
  render(RecheckResult, { crawl: 3 });
  expect((await screen.findByTestId("recheck-fixed")).textContent).toBe("1");
  expect(screen.queryByTestId("recheck-waiting")).toBeNull();
  const rows = within(screen.getByRole("table")).getAllByRole("row").slice(1).map((row) => row.textContent?.replace(/\s+/gu, " ").trim());
  expect(rows[0]).toMatch(/Still there ?Title missing ?https:\/\/tea.example\/b/u);
  expect(rows[1]).toMatch(/Not re-checked ?Duplicate title.*only a new crawl tells/u);
  expect(rows[2]).toMatch(/Fixed.*→ https:\/\/tea.example\/gone/u);
  await fireEvent.click(screen.getByTestId("recheck-back"));
  expect([app.crawl, app.screen]).toEqual([2, "issues"]);
});

const selection = (urls: string[], all = false): Selection => ({
  table: 1, ranges: [{ start: 0, end: urls.length }], count: urls.length, all, firstRow: () => null, keys: () => Promise.resolve([]),
});

function rowsOf(urls: string[]) {
  vi.spyOn(backend, "tableRows").mockImplementation((_table, start, count) => Promise.resolve(urls.slice(start, start + count).map((url, at) => ({ key: at + 1, link: 0, cells: [url] }))));
}

it("looks again at the URLs of selected rows, each once, and at the audit where all are selected", async () => {
  const start = vi.spyOn(backend, "startRecheck").mockRejectedValue({ code: "busy", message: "", detail: [] });
  rowsOf(["https://a/", "https://a/", "https://b/"]);
  const run = (chosen: Selection, audit: string | null) => saidActions(chosen, { crawl: 3, audit }).find(({ id }) => id === "recheck")?.onselect();
  run(selection(["x", "x", "x"]), "title-missing");
  await vi.waitFor(() => expect(start).toHaveBeenLastCalledWith({ crawl: 3, audits: ["title-missing"], urls: ["https://a/", "https://b/"], sign_in: "kept" }));
  run(selection(["x", "x", "x"], true), "title-missing");
  await vi.waitFor(() => expect(start).toHaveBeenLastCalledWith({ crawl: 3, audits: ["title-missing"], urls: [], sign_in: "kept" }));
  run(selection(["x", "x", "x"], true), null);
  await vi.waitFor(() => expect(start).toHaveBeenLastCalledWith({ crawl: 3, audits: [], urls: ["https://a/", "https://b/"], sign_in: "kept" }));
});

it("takes R and I for its own where the rows have the focus, and nowhere else", async () => {
  rowsOf(["https://a/"]);
  const start = vi.spyOn(backend, "startRecheck").mockRejectedValue({ code: "busy", message: "", detail: [] });
  const onignore = vi.fn();
  document.body.innerHTML = "<div role=grid><span id=cell></span></div><input id=field>";
  const used = (id: string, key: string, more: KeyboardEventInit = {}) => {
    const event = new KeyboardEvent("keydown", { key, cancelable: true, bubbles: true, ...more });
    let taken = false;
    const listen = (heard: Event) => (taken = onSaidKey(heard as KeyboardEvent, selection(["https://a/"]), { crawl: 3, audit: "x", onignore }));
    document.body.addEventListener("keydown", listen, { once: true });
    document.getElementById(id)?.dispatchEvent(event);
    return taken;
  };
  expect(used("cell", "r")).toBe(true);
  await vi.waitFor(() => expect(start).toHaveBeenCalledOnce());
  expect(used("cell", "i")).toBe(true);
  await vi.waitFor(() => expect(onignore).toHaveBeenCalledWith([{ url: "https://a/" }]));
  expect([used("cell", "r", { ctrlKey: true }), used("cell", "x"), used("field", "r")]).toEqual([false, false, false]);
});
