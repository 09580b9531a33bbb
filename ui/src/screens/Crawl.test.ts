import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { backend, type JobNews } from "$lib/backend";
import { app, hear, openProject } from "$lib/state";
import Crawl from "./Crawl.svelte";

const PATH = "/home/mia/Audits/lindenleaf.gossamer";
const COUNTS = { encountered: 540, fetched: 400, failed: 1, blocked: 9, excluded: 5, over_limit: 4, not_followed: 3, queued: 118 };
const news = (more: Partial<JobNews> = {}): JobNews => ({
  job: 7, project: PATH, crawl: 3, start_url: "https://lindenleaf.example/", state: "running", phase: "crawling", counts: COUNTS, elapsed_ms: 41_000, rate: 14.2,
  rates: [12, 14.2], current: "https://lindenleaf.example/tea/oolong", issues: 0, warnings: 1, revision: 1, error: null, pages: 246,
  notices: [{ moment: "2026-03-11T08:30:31Z", code: "throttled", message: "lindenleaf.example asked for a slower pace." }], ...more,
});

beforeEach(async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  app.job = null;
  await openProject(PATH);
  app.screen = "crawl";
  hear(news());
});
afterEach(() => vi.useRealTimers());

it("shows numbers that add up, and opens the list behind each", async () => {
  render(Crawl);
  expect(screen.getByTestId("crawl-encountered").textContent).toBe("540");
  await fireEvent.click(screen.getByRole("button", { name: /Blocked/ }));
  expect(app.screen).toBe("urls");
  expect(app.params.filter).toEqual({ is: { column: "state", operator: "equals", value: "blocked" } });
});

it("shows warnings, slow hosts and problems", async () => {
  render(Crawl);
  expect(screen.getByText(/asked for a slower pace/)).toBeTruthy();
  expect(await screen.findByText("parcel.example")).toBeTruthy();
  await fireEvent.click(screen.getByText("https://grandmas-teapot.example/"));
  expect(app.detail).not.toBeNull();
});

it("pauses, continues and stops", async () => {
  const calls = [vi.spyOn(backend, "pauseJob"), vi.spyOn(backend, "continueJob"), vi.spyOn(backend, "stopJob")];
  render(Crawl);
  await fireEvent.click(screen.getByTestId("crawl-pause"));
  hear(news({ phase: "paused", rate: 0 }));
  await fireEvent.click(await screen.findByTestId("crawl-continue"));
  hear(news());
  await fireEvent.click(await screen.findByTestId("crawl-stop"));
  for (const call of calls) expect(call).toHaveBeenCalledOnce();
});

it("hands over to the overview when nobody did anything", async () => {
  render(Crawl);
  hear(news({ state: "done", issues: 268 }));
  expect((await screen.findByTestId("crawl-ended")).textContent).toContain("268");
  expect(app.screen).toBe("crawl");
  await vi.advanceTimersByTimeAsync(2_500);
  expect(app.screen).toBe("overview");
});

it("stays where somebody is busy", async () => {
  render(Crawl);
  hear(news({ state: "done" }));
  await screen.findByTestId("crawl-ended");
  await fireEvent.pointerDown(document.body);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(app.screen).toBe("crawl");
});

it("says why a crawl failed and what comes next", async () => {
  render(Crawl);
  hear(news({ state: "failed", counts: { ...COUNTS, fetched: 0 }, error: { code: "start", message: "lindenleaf.example: no such host.", detail: [] } }));
  await waitFor(() => expect(screen.getByTestId("crawl-error").textContent).toBe("lindenleaf.example: no such host."));
  expect(screen.getByTestId("crawl-again")).toBeTruthy();
});

it("offers to resume what was interrupted", async () => {
  app.job = null;
  const resume = vi.spyOn(backend, "resumeAudit");
  await openProject("/home/mia/Audits/harbour-books.gossamer");
  render(Crawl);
  await fireEvent.click(screen.getByTestId("crawl-resume"));
  expect(resume).toHaveBeenCalledWith("/home/mia/Audits/harbour-books.gossamer");
  await backend.stopJob();
});

it("lets a trap go on while the crawl runs", async () => {
  const allow = vi.spyOn(backend, "allowTrap");
  render(Crawl);
  const trap = await screen.findByTestId("crawl-trap");
  expect(trap.textContent).toContain("/events/calendar/*/*");
  expect(trap.textContent).toContain("6 URLs kept back");
  await fireEvent.click(screen.getByTestId("crawl-trap-continue"));
  expect(allow).toHaveBeenCalledWith(3, "https://lindenleaf.example/events/calendar/*/*");
  await waitFor(() => expect(screen.getByTestId("crawl-trap").textContent).toContain("goes on"));
  expect(screen.queryByTestId("crawl-trap-continue")).toBeNull();
});

it("resumes a crawl that is over to let a trap go on", async () => {
  vi.spyOn(backend, "allowTrap").mockResolvedValue({ resume: true });
  vi.spyOn(backend, "traps").mockResolvedValue([{ pattern: "https://lindenleaf.example/a/*", kind: "growth", why: "it grows", kept_back: 1, allowed: false, examples: [] }]);
  const resume = vi.spyOn(backend, "resumeAudit");
  hear(news({ state: "stopped" }));
  render(Crawl);
  // It stands at the end of the crawl, once.
  const note = await screen.findByTestId("trap-note");
  expect(note.textContent).toMatch(/1 pattern was paused.*it grows.*1 URL kept back/su);
  expect(screen.getAllByTestId("crawl-trap")).toHaveLength(1);
  await fireEvent.click(screen.getByTestId("crawl-trap-continue"));
  await waitFor(() => expect(resume).toHaveBeenCalledWith(PATH));
});
