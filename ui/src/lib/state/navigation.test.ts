import { beforeEach, expect, it } from "vitest";
import type { JobNews } from "../backend";
import { app, fail, go, goBack, hear, openList, openProject, showUrl } from "./app.svelte";
import { dismiss, toasts } from "./toasts.svelte";

const PATH = "/home/mia/Audits/lindenleaf.gossamer";

beforeEach(async () => {
  for (const one of [...toasts]) dismiss(one.id);
  app.job = null;
  await openProject(PATH);
});

it("opens a project at the overview of its newest crawl", () => {
  expect([app.screen, app.crawl]).toEqual(["overview", 3]);
});

it("goes back to the screen, its list and the URL looked at", () => {
  openList({ search: "oolong" }, "Oolong");
  showUrl(14);
  go("settings");
  goBack();
  expect([app.screen, app.params.title, app.detail]).toEqual(["urls", "Oolong", 14]);
});

it("opens every list on the screen that shows it", () => {
  const check = (table: string, screen: string) => {
    openList({ search: "tea" }, "Tea", table);
    expect([app.screen, app.params.table]).toEqual([screen, table]);
  };
  for (const table of ["urls", "pages", "images", "hosts"]) check(table, "urls");
  for (const table of ["links", "problem_targets"]) check(table, "links");
});

it("never moves what is looked at when a job has news", async () => {
  go("issues", { audit: "noindex" });
  const counts = { encountered: 9, fetched: 9, failed: 0, blocked: 0, excluded: 0, over_limit: 0, not_followed: 0, queued: 0 };
  const news: JobNews = { job: 9, project: PATH, crawl: 4, start_url: "https://lindenleaf.example/", state: "running", phase: "crawling", counts, elapsed_ms: 1, rate: 1, rates: [], current: null, issues: 0, warnings: 0, revision: 1, notices: [], error: null, pages: 0 };
  hear(news);
  hear({ ...news, state: "done" });
  await new Promise((done) => setTimeout(done, 20));
  expect([app.screen, app.crawl, app.params.audit]).toEqual(["issues", 3, "noindex"]);
});

it("says what went wrong once, and nothing of what was cancelled", () => {
  fail({ code: "cancelled", message: "cancelled", detail: [] });
  fail({ code: "disk", message: "The disk is full.", detail: [] });
  fail({ code: "disk", message: "The disk is full.", detail: [] });
  expect(toasts.map((one) => one.text)).toEqual(["The disk is full."]);
});
