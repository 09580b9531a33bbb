/** Says that the job has ended, to whoever is looking at something else. */
import { app, chooseCrawl, go, openProject, toast, warn } from "../state/app.svelte";
import { t } from "../text";
import { hostOf } from "./words";

export function watchEnd(): () => void {
  let running: number | null = null;
  return $effect.root(() => {
    $effect(() => {
      const job = app.job;
      if (!job) return;
      if (job.state === "running") {
        running = job.job;
        return;
      }
      if (running !== job.job) return;
      running = null;
      const seen = app.screen === "crawl" && app.project?.path === job.project;
      if (seen || job.state === "stopped") return;
      const host = hostOf(job.start_url);
      const text = job.state === "done" ? t("crawl.done_toast", { host, n: job.issues }) : t("crawl.failed_toast", { host });
      // The toast writes state that this effect must not depend on.
      const say = job.state === "done" ? toast : warn;
      queueMicrotask(() => say(text, { label: t("crawl.show"), onclick: () => void show(job.project, job.crawl, job.state === "done") }));
    });
  });
}

async function show(project: string, crawl: number | null, done: boolean): Promise<void> {
  if (app.project?.path !== project && !(await openProject(project))) return;
  if (crawl !== null) chooseCrawl(crawl);
  go(done ? "overview" : "crawl");
}
