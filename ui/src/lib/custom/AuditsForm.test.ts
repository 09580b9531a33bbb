import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { beforeEach, expect, it, vi } from "vitest";
import { backend, type CustomAuditCard } from "$lib/backend";
import { app, begin } from "$lib/state/app.svelte";
import { toasts } from "$lib/state/toasts.svelte";
import { speak } from "$lib/text/language.svelte";
import AuditsForm from "./AuditsForm.svelte";
import { inserted } from "./audits";

const CARD: CustomAuditCard = {
  audit: { id: "custom-thin", title: "Thin posts", severity: "warning", priority: "low", sql: "SELECT url FROM v_pages WHERE crawl = :crawl", why: "", fix: "" },
  findings: 7, fault: null,
};

beforeEach(async () => {
  vi.restoreAllMocks();
  speak("en");
  await begin();
  app.crawl = 3;
  vi.spyOn(backend, "views").mockResolvedValue([{ name: "v_pages", about: "", columns: ["url", "word_count"] }, { name: "v_links", about: "", columns: ["source"] }]);
});

async function form(cards: CustomAuditCard[] = [CARD]) {
  vi.spyOn(backend, "customAudits").mockResolvedValue(cards);
  render(AuditsForm);
  await screen.findByTestId("audit-sql");
}

const sql = () => screen.getByTestId<HTMLTextAreaElement>("audit-sql");

it("shows the rows of a statement before it is saved", async () => {
  await form();
  expect(sql().value).toBe(CARD.audit.sql);
  const run = vi.spyOn(backend, "tryCustomAudit").mockResolvedValue({ columns: ["url", "n"], rows: [["https://a.example/", 3], ["https://a.example/b", null]], more: false, took_ms: 4 });
  await fireEvent.input(sql(), { target: { value: "SELECT url, 3 AS n FROM v_urls WHERE crawl = :crawl" } });
  await fireEvent.click(screen.getByTestId("audit-run"));
  expect((await screen.findByTestId("audit-rows")).textContent?.trim()).toBe("2 rows");
  expect(run).toHaveBeenCalledWith(3, "SELECT url, 3 AS n FROM v_urls WHERE crawl = :crawl");
  expect(screen.getByText("https://a.example/b")).toBeTruthy();
});

it("says what is wrong with a statement, with its place", async () => {
  await form();
  vi.spyOn(backend, "tryCustomAudit").mockRejectedValue({ code: "usage", message: "near \"FORM\": syntax error (at character 12)", detail: [] });
  await fireEvent.click(screen.getByTestId("audit-run"));
  expect(await screen.findByText(/at character 12/)).toBeTruthy();
});

it("saves a new audit and tells what it finds", async () => {
  await form([]);
  const saved = { ...CARD, audit: { ...CARD.audit, id: "custom-mine" }, findings: 12 };
  const save = vi.spyOn(backend, "saveCustomAudit").mockResolvedValue([saved]);
  await fireEvent.input(screen.getByTestId("audit-id"), { target: { value: "mine" } });
  await fireEvent.click(screen.getByTestId("audit-save"));
  await waitFor(() => expect(toasts.at(-1)?.text).toBe("Saved: 12 findings."));
  expect(save.mock.calls[0]?.[0]).toBe(3);
  expect(save.mock.calls[0]?.[1]).toMatchObject({ id: "mine", severity: "warning" });
  expect(screen.getByTestId<HTMLInputElement>("audit-id").value).toBe("custom-mine");
});

it("removes an audit, and shows what is left", async () => {
  await form();
  const remove = vi.spyOn(backend, "removeCustomAudit").mockResolvedValue([]);
  await fireEvent.click(screen.getByTestId("audit-remove"));
  await waitFor(() => expect(screen.queryByTestId("custom-audit")).toBeNull());
  expect(remove).toHaveBeenCalledWith(3, "custom-thin");
});

it("puts a column where the caret is", async () => {
  expect(inserted("SELECT  FROM v_pages", 7, 7, "url")).toEqual(["SELECT url FROM v_pages", 10]);
  await form();
  sql().setSelectionRange(0, sql().value.length);
  await fireEvent.click(screen.getAllByTestId("audit-column")[1] as HTMLElement);
  expect(sql().value).toBe("word_count");
});
