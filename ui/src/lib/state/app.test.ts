import { beforeEach, expect, it, vi } from "vitest";
import { backend, type CrawlCard, type JobNews, type ProjectCard } from "../backend";
import { stateWord } from "../frame/words";
import { speak } from "../text/language.svelte";
import { app, hear, jobRuns, startAudit } from "./app.svelte";

const none = { encountered: 0, fetched: 0, failed: 0, blocked: 0, excluded: 0, over_limit: 0, not_followed: 0, queued: 0 };
const news = (job: number, revision: number, more: Partial<JobNews> = {}): JobNews => ({
  job, revision, project: "/tea.gossamer", crawl: 1, start_url: "https://tea.example/", state: "running", phase: "starting", counts: none, elapsed_ms: 0,
  rate: 0, rates: [], current: null, issues: 0, warnings: 0, notices: [], error: null, pages: 0, ...more,
});
const crawl = (state: string): CrawlCard => ({
  crawl: 1, job: "audit", start_url: "https://tea.example/", started: "2026-03-11T08:30:00Z", finished: null, state, resumable: false, holder: null, counts: none,
});
const project = (state: string): ProjectCard => ({ path: "/tea.gossamer", name: "tea", bytes: 1, crawls: [crawl(state)] });

beforeEach(() => {
  vi.restoreAllMocks();
  speak("en");
  Object.assign(app, { job: null, project: null, crawl: null, screen: "start" });
});

it("keeps the end of a job that was over before its start was answered", async () => {
  const failed = { code: "network", message: "tea.example does not exist.", detail: [] };
  vi.spyOn(backend, "startAudit").mockImplementation(async () => {
    hear(news(1, 3, { state: "failed", error: failed }));
    return news(1, 0);
  });
  const cards = vi.spyOn(backend, "project").mockResolvedValueOnce(project("running")).mockResolvedValueOnce(project("running")).mockResolvedValue(project("failed"));
  await startAudit({ address: "tea.example", list: null, project: null, profile: null, settings: [], sign_in: "kept" });
  expect(app.job).toMatchObject({ state: "failed", error: failed });
  expect(jobRuns()).toBe(false);
  expect(stateWord(crawl("running"), app.job)).toBe("failed");
  await vi.waitFor(() => expect(app.project?.crawls[0]?.state).toBe("failed"), 2_000);
  expect(cards.mock.calls.length).toBeGreaterThan(2);
});

it("takes of two snapshots the newer", () => {
  vi.spyOn(backend, "project").mockResolvedValue(null);
  const check = (now: JobNews, heard: JobNews, taken: boolean) => {
    app.job = now;
    hear(heard);
    expect(app.job).toEqual(taken ? heard : now);
  };
  check(news(1, 4), news(1, 5), true);
  check(news(1, 4), news(1, 3), false);
  check(news(1, 4, { state: "done" }), news(1, 9), false);
  check(news(1, 4), news(1, 4, { state: "done" }), true);
  check(news(1, 9, { state: "done" }), news(2, 0), true);
  check(news(2, 0), news(1, 9, { state: "done" }), false);
});
