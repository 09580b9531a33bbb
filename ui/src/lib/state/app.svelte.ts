/** What the window shows: the screen, the project, the crawl looked at, the job, the URL in the detail pane. */
import { backend } from "../backend";
import { changes } from "../backend/changes.svelte";
import type { AuditForm, CrawlCard, Filter, JobNews, ProjectCard, RecheckForm, SignIn, TableCard } from "../backend";
import { preference, readPreferences, remember } from "./preferences.svelte";
import { speak, type Language } from "../text/language.svelte";
import { askToSignIn } from "./signIn.svelte";
import { asApiError, fail, toasts } from "./toasts.svelte";

export type Screen = "start" | "crawl" | "overview" | "issues" | "urls" | "links" | "robots" | "network" | "settings";
export type ScreenParams = { filter?: Filter; audit?: string; title?: string; table?: string; report?: boolean; origin?: string };
export type Theme = "system" | "light" | "dark";

/** A finding of a page, as the engine finds its element again. */
export type PointedFinding = { audit: string; link: number };

type Place = { screen: Screen; params: ScreenParams; detail: number | null };

export const app = $state({
  screen: "start" as Screen,
  params: {} as ScreenParams,
  project: null as ProjectCard | null,
  /** The crawl looked at, which need not be the one that runs. */
  crawl: null as number | null,
  job: null as JobNews | null,
  /** The job that continued an earlier crawl: its times and pages are not those of the whole crawl. */
  resumed: null as number | null,
  catalogue: [] as TableCard[],
  theme: "system" as Theme,
  /** Key of the URL in the detail pane. */
  detail: null as number | null,
  /** The finding whose element the pane is to show in the source; taken by the pane. */
  pointed: null as (PointedFinding & { key: number }) | null,
  toasts,
  /** False until the first answers are there, so that nothing flashes. */
  ready: false,
  /** Counts every `go`, so that a screen that is opened again with other parameters knows it. */
  visit: 0,
});

const past: Place[] = [];
const PAST_AT_MOST = 50;
const SETTLE_MS = 500;
const SETTLE_AT_MOST = 4;

/** Opens a screen; Alt+Left comes back to this one. */
export function go(screen: Screen, params: ScreenParams = {}): void {
  past.push({ screen: app.screen, params: app.params, detail: app.detail });
  if (past.length > PAST_AT_MOST) past.shift();
  enter({ screen, params, detail: null });
}

export function goBack(): void {
  const place = past.pop();
  if (!place) return;
  // A place of a project that has been closed since is passed over.
  if (!app.project && needsProject(place.screen)) return goBack();
  enter(place);
}

export const needsProject = (screen: Screen): boolean => screen !== "start" && screen !== "settings";

function enter(place: Place): void {
  app.screen = place.screen;
  app.params = place.params;
  app.detail = place.detail;
  app.visit += 1;
}

/** Lists whose rows are links or their targets; all others are lists of URLs. */
const LISTS_OF_LINKS: readonly string[] = ["links", "problem_targets"];

/** Opens the list behind a number. */
export function openList(filter: Filter, title: string, table = "urls"): void {
  go(LISTS_OF_LINKS.includes(table) ? "links" : "urls", { filter, title, table });
}

export function showUrl(key: number): void {
  app.detail = key;
}

/** Shows the URL of a finding, and in its source the element that the finding is about. */
export function showInSource(key: number, audit: string, link: number): void {
  app.pointed = { key, audit, link };
  app.detail = key;
}

export function hideUrl(): void {
  app.detail = null;
}

/** Opens a project file and shows its newest crawl. Says what went wrong; true where it opened. */
export async function openProject(path: string): Promise<boolean> {
  try {
    show(await backend.openProject(path));
  } catch (error) {
    fail(error);
    return false;
  }
  const crawl = crawlCard();
  go(isRunning() || !crawl || crawl.resumable ? "crawl" : "overview");
  return true;
}

export async function closeProject(): Promise<void> {
  try {
    await backend.closeProject();
  } catch (error) {
    return fail(error);
  }
  past.length = 0;
  app.project = null;
  app.crawl = null;
  enter({ screen: "start", params: {}, detail: null });
}

/** Looks at another crawl of the project. The screen stays; what belonged to the old crawl goes. */
export function chooseCrawl(crawl: number): void {
  if (app.crawl === crawl) return;
  app.crawl = crawl;
  app.detail = null;
}

/** Starts an audit and shows it at work. Rejects with an `ApiError` that belongs at the form. */
export async function startAudit(form: AuditForm): Promise<void> {
  await follow(await backend.startAudit(form));
}

/** Looks at findings again, and shows what becomes of them. Rejects with an `ApiError`. */
export async function startRecheck(form: RecheckForm): Promise<void> {
  await follow(await backend.startRecheck(form), "issues");
}

/** Continues the interrupted crawl of a project; asks for the sign-in where it began with one that is not kept. */
export async function resumeAudit(path: string): Promise<void> {
  try {
    await resumed(await backend.resumeAudit(path));
  } catch (error) {
    const { code, message } = asApiError(error);
    const needed = code === "credentials" || code === "keychain" ? await backend.signInNeeded(path).catch(() => null) : null;
    if (needed) askToSignIn({ purpose: "resume", path, needed, why: code === "keychain" ? message : null });
    else fail(error);
  }
}

/** The same with what lets the crawl in. Rejects with an `ApiError` that belongs where the sign-in was given. */
export async function resumeSignedIn(path: string, signIn: SignIn): Promise<void> {
  await resumed(await backend.resumeAudit(path, signIn));
}

async function resumed(job: JobNews): Promise<void> {
  app.resumed = job.job;
  await follow(job);
}

async function follow(answer: JobNews, screen: Screen = "crawl"): Promise<void> {
  take(answer);
  const project = await backend.project();
  // A short job may be over by now, and its news may know more than the answer did.
  const job = app.job?.job === answer.job ? app.job : answer;
  if (project) show(project, job.crawl);
  go(screen);
  if (job.state !== "running") void settle(job);
}

/** Reads the tables anew: a project may have columns, and values of them, that a person gave it. */
export async function refreshCatalogue(): Promise<void> {
  try {
    app.catalogue = await backend.tables();
  } catch (error) {
    fail(error);
  }
}

function show(project: ProjectCard, crawl: number | null = null): void {
  const other = app.project?.path !== project.path;
  app.project = project;
  if (other) void refreshCatalogue();
  if (other || crawl !== null) {
    app.crawl = crawl ?? newest(project)?.crawl ?? null;
    app.detail = null;
  }
}

/** One that only looked at some URLs again is not what a project is opened for, unless there is no other. */
const newest = ({ crawls }: ProjectCard): CrawlCard | undefined => {
  const whole = crawls.filter((one) => one.job !== "recheck");
  return (whole.length > 0 ? whole : crawls).reduce<CrawlCard | undefined>((best, one) => (best && best.crawl > one.crawl ? best : one), undefined);
};

/** The crawl looked at. */
export function crawlCard(): CrawlCard | null {
  return app.project?.crawls.find((one) => one.crawl === app.crawl) ?? null;
}

/** Whether the job runs at all, whatever is looked at. */
export const jobRuns = (): boolean => app.job?.state === "running";

/** Whether the crawl looked at is the one being made. */
export const isRunning = (): boolean => jobRuns() && isJobOfShown();

/** Whether the newest job, running or over, made the crawl looked at. */
export function isJobOfShown(): boolean {
  const job = app.job;
  return job !== null && job.project === app.project?.path && (job.crawl === null || job.crawl === app.crawl);
}

/** Stands for what the job, and the person, have made of the crawl looked at: where it is another one, there may be more to see. */
export function progress(): string {
  const job = isJobOfShown() ? app.job : null;
  return `${job ? `${job.job} ${job.revision}` : ""}${changes.made > 0 ? ` +${changes.made}` : ""}`;
}

/**
 * Keeps a snapshot unless a newer one is here: answers and news come by different ways and overtake each other. A
 * newer job always wins; of one job the higher revision does, and what has ended never runs again.
 */
function take(news: JobNews): boolean {
  const now = app.job;
  if (now && isOlder(news, now)) return false;
  app.job = news;
  return true;
}

function isOlder(news: JobNews, now: JobNews): boolean {
  if (news.job !== now.job) return news.job < now.job;
  const [over, isOver] = [news.state !== "running", now.state !== "running"];
  return over === isOver ? news.revision < now.revision : isOver;
}

/** Takes in news of the job. Never changes the screen. */
export function hear(news: JobNews): void {
  const before = app.job;
  if (!take(news)) return;
  const shown = app.project?.path === news.project;
  const began = news.crawl !== null && (before?.job !== news.job || before.crawl === null);
  const ended = news.state !== "running" && (before?.job !== news.job || before.state === "running");
  if (!shown || !(began || ended)) return;
  const look = before?.job === news.job && before.crawl === null ? news.crawl : null;
  if (ended) void settle(news, look);
  else void refreshProject(look);
}

/** Reads the card after a job's end until it says so too: the file is closed a moment after the news. */
async function settle(job: JobNews, look: number | null = null): Promise<void> {
  await refreshProject(look);
  for (let again = 0; again < SETTLE_AT_MOST && app.job?.job === job.job && seemsToRun(job); again++) {
    await new Promise((done) => setTimeout(done, SETTLE_MS));
    await refreshProject(null);
  }
}

const seemsToRun = (job: JobNews): boolean =>
  job.project === app.project?.path && app.project.crawls.some((one) => one.crawl === job.crawl && (one.state === "running" || one.holder !== null));

/** Reads the project's card anew; `crawl` is then looked at, where the person saw none of it before. */
async function refreshProject(crawl: number | null): Promise<void> {
  try {
    const project = await backend.project();
    if (!project || project.path !== app.project?.path) return;
    app.project = project;
    void refreshCatalogue();
    if (crawl !== null && app.screen === "crawl") app.crawl = crawl;
    else if (app.crawl === null) app.crawl = newest(project)?.crawl ?? null;
  } catch (error) {
    fail(error);
  }
}

export function chooseTheme(theme: Theme): void {
  app.theme = theme;
  remember("theme", theme);
}

/** The first answers: what is remembered, the catalogue, a job that runs, a project that is open. */
export async function begin(): Promise<void> {
  try {
    await readPreferences();
    app.theme = preference<Theme>("theme", "system");
    const language = preference<Language | "system">("language", "system");
    speak(language === "system" ? null : language);
    app.catalogue = await backend.tables();
    await backend.watchJob(hear);
    const [job, project] = [await backend.job(), await backend.project()];
    if (job) take(job);
    if (project) {
      show(project, job?.state === "running" && job.project === project.path ? job.crawl : null);
      enter({ screen: isRunning() ? "crawl" : "overview", params: {}, detail: null });
    }
  } catch (error) {
    fail(error);
  }
  app.ready = true;
}

export { asApiError, fail, toast, warn } from "./toasts.svelte";
export { preference, remember } from "./preferences.svelte";
