/** States and phases in words. */
import type { CrawlCard, JobNews } from "../backend";
import { t } from "../text";

export function phaseWord(phase: string): string {
  switch (phase) {
    case "starting": return t("common.phase_starting");
    case "crawling": return t("common.phase_crawling");
    case "paused": return t("common.phase_paused");
    case "analysing": return t("common.phase_analysing");
    case "confirming": return t("common.phase_confirming");
    case "auditing": return t("common.phase_auditing");
    case "saving": return t("common.phase_saving");
    default: return phase;
  }
}

/** The state of a crawl; a job that makes it knows it better than its card. */
export function stateWord(card: CrawlCard, job: JobNews | null): string {
  if (job?.state === "running" && job.crawl === card.crawl) return job.phase === "paused" ? t("common.state_paused") : t("common.state_running");
  // A card that was read while the job ended may not know it yet.
  const state = card.state === "running" && job?.crawl === card.crawl ? job.state : card.state;
  switch (state) {
    case "running": return card.resumable ? t("common.state_interrupted") : t("common.state_running");
    case "done": case "finished": case "complete": return t("common.state_done");
    case "stopped": return t("common.state_stopped");
    case "failed": return t("common.state_failed");
    case "interrupted": return t("common.state_interrupted");
    default: return state;
  }
}

/** How much of what is known is settled, 0 to 1. It may go back when new URLs are found. */
export function settled(counts: { encountered: number; queued: number }): number {
  return counts.encountered > 0 ? 1 - counts.queued / counts.encountered : 0;
}

export function hostOf(url: string): string {
  try {
    return new URL(url).host;
  } catch {
    return url;
  }
}
