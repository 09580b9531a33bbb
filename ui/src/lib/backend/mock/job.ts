/** A job that advances: a crawl of the tea shop in some twenty seconds, with everything that can happen on the way. */
import type { Counts, JobNews, Notice, Phase, Pulse, TrapCard } from "../bindings";
import type { Preview } from "../preview";
import { at } from "./chance";
import { site } from "./site";

const TICK_MS = 250;
/** Answers a tick. */
const STEP = 7;

export class MockJob {
  private news: JobNews | null = null;
  private listener: ((news: JobNews) => void) | null = null;
  private timer: ReturnType<typeof setInterval> | undefined;
  /** URLs that have their state. */
  private reached = 0;
  private after = 0;

  constructor(private readonly ended: (news: JobNews) => void) {}

  get now(): JobNews | null {
    return this.news;
  }

  /** Pages of the site that are known by now. */
  get known(): number {
    return Math.min(site().pages.length, Math.round(this.reached * 1.25) + 12);
  }

  watch(listener: (news: JobNews) => void): void {
    this.listener = listener;
  }

  start(project: string, address: string, crawl: number, from = 0): JobNews {
    clearInterval(this.timer);
    this.reached = from;
    this.after = 0;
    this.news = {
      job: (this.news?.job ?? 0) + 1, project, crawl, start_url: address, state: "running", phase: from ? "crawling" : "starting", counts: counts(from, this.known),
      elapsed_ms: from * 38, rate: 0, rates: [], current: null, issues: 0, warnings: 0, revision: 0, notices: [], error: null, pages: 0,
    };
    this.timer = setInterval(() => this.tick(), TICK_MS);
    return this.news;
  }

  /** Stands at a moment, for a look at it. */
  show(moment: NonNullable<Preview["job"]>, project: string): void {
    this.start(project, "https://lindenleaf.example/", 3, 372);
    for (let i = 0; i < 60; i++) this.measure(i);
    this.update({ elapsed_ms: 41_000, warnings: 2, notices: notices(2), current: site().pages[372]?.url ?? null, pages: 246 });
    if (moment === "paused") this.pause();
    if (moment === "running") return;
    clearInterval(this.timer);
    if (moment === "done") this.finish("done");
    if (moment === "stopped") this.finish("stopped");
    if (moment === "failed") this.finish("failed");
  }

  pause(): void {
    clearInterval(this.timer);
    this.update({ phase: "paused", rate: 0, current: null });
  }

  continue(): void {
    clearInterval(this.timer);
    this.update({ phase: "crawling" });
    this.timer = setInterval(() => this.tick(), TICK_MS);
  }

  stop(): void {
    clearInterval(this.timer);
    if (this.news?.state === "running") this.finish("stopped");
  }

  private tick(): void {
    const all = site().pages.length;
    if (this.reached < all) {
      this.reached = Math.min(all, this.reached + 1 + Math.round(at(this.reached) * STEP * 2));
      this.measure(this.reached);
      const passed = Math.floor((this.reached / all) * 4);
      return this.update({
        phase: "crawling", counts: counts(this.reached, this.known), elapsed_ms: (this.news?.elapsed_ms ?? 0) + TICK_MS,
        current: site().pages[Math.min(all - 1, this.reached)]?.url ?? null, warnings: passed, notices: notices(passed), pages: Math.round(this.reached * 0.61),
        revision: (this.news?.revision ?? 0) + 1,
      });
    }
    this.after += 1;
    const phases: Phase[] = ["analysing", "confirming", "auditing", "saving"];
    const phase = phases[Math.floor(this.after / 6)];
    if (!phase) return this.finish("done");
    this.update({ phase, rate: 0, current: null, elapsed_ms: (this.news?.elapsed_ms ?? 0) + TICK_MS, issues: phase === "saving" ? 268 : 0 });
  }

  private measure(seed: number): void {
    const rate = Math.round((14 + Math.sin(seed / 40) * 6 + at(seed + 99) * 9) * 10) / 10;
    this.update({ rate, rates: [...(this.news?.rates ?? []), rate].slice(-120) });
  }

  private finish(state: "done" | "stopped" | "failed"): void {
    clearInterval(this.timer);
    const all = site().pages.length;
    if (state === "done") this.reached = all;
    const error = state === "failed" ? { code: "disk", message: "The disk is full: /home/mia/Audits/lindenleaf.gossamer could not be written. Everything up to the last answer is kept.", detail: [] } : null;
    const found = this.reached;
    this.update({ state, phase: "saving", rate: 0, current: null, counts: counts(found, state === "done" ? all : this.known), issues: state === "done" ? 268 : 0, error, pages: Math.round(found * 0.61) });
    if (this.news) this.ended(this.news);
  }

  private update(more: Partial<JobNews>): void {
    if (!this.news) return;
    this.news = { ...this.news, ...more };
    this.listener?.(this.news);
  }
}

/** The first `reached` URLs have their state, the rest of the `known` ones wait. */
export function counts(reached: number, known: number): Counts {
  const all: Counts = { encountered: Math.max(reached, known), fetched: 0, failed: 0, blocked: 0, excluded: 0, over_limit: 0, not_followed: 0, queued: 0 };
  const { pages } = site();
  // Its order on disk is by kind; spread out, so that every state grows as a crawl's do.
  for (let i = 0; i < reached; i++) {
    const state = pages[(i * 197) % pages.length]?.state as Exclude<keyof Counts, "encountered"> | undefined;
    if (state) all[state] += 1;
  }
  all.queued = all.encountered - reached;
  return all;
}

const TRAP: TrapCard = {
  pattern: "https://lindenleaf.example/events/calendar/*/*",
  kind: "calendar",
  why: "the dates have no end: 50 pages of this kind say the same, or lie more than 3 years ahead",
  kept_back: 6,
  allowed: false,
  examples: [2031, 2032, 2033].map((year) => `https://lindenleaf.example/events/calendar/${year}/01`),
};

/** The traps of the tea shop, and those of them that a person let go on. */
export const traps = (allowed: ReadonlySet<string>): TrapCard[] =>
  [TRAP].map((trap) => (allowed.has(trap.pattern) ? { ...trap, allowed: true, kept_back: 0 } : trap));

function notices(n: number): Notice[] {
  const all: Notice[] = [
    { moment: "2026-03-11T08:30:09Z", code: "robots-unreachable", message: "photos.example: robots.txt answered 503. The host is left alone until it can be read." },
    { moment: "2026-03-11T08:30:31Z", code: "throttled", message: "lindenleaf.example answered 429 and asked for 30 s. Requests are slower now." },
    { moment: "2026-03-11T08:30:58Z", code: "trap", message: `${TRAP.pattern}: ${TRAP.why}; further ones, such as ${TRAP.examples[0]}, are left out` },
  ];
  return all.slice(0, n);
}

export function pulse(): Pulse {
  const { pages } = site();
  const problems = pages.filter((page) => (page.status ?? 0) >= 400 || page.state === "failed").slice(-9).reverse();
  return {
    hosts: [
      { host: "parcel.example", answers: 7, mean_ms: 1_240, slowest_ms: 4_802 },
      { host: "lindenleaf.example", answers: 431, mean_ms: 312, slowest_ms: 2_987 },
      { host: "journal-of-tea.example", answers: 7, mean_ms: 288, slowest_ms: 911 },
      { host: "www.tea-board.example", answers: 7, mean_ms: 240, slowest_ms: 602 },
      { host: "maps.example", answers: 7, mean_ms: 97, slowest_ms: 180 },
    ],
    problems: problems.map((page, i) => ({ key: page.key, url: page.url, status: page.status, reason: page.reason as string | null, moment: new Date(Date.UTC(2026, 2, 11, 8, 30, 58 - i * 3)).toISOString() })),
    took_ms: 6,
  };
}
