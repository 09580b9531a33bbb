/** An engine made up for a plain browser and for tests: a tea shop, always the same, that answers every call. */
import type { Backend } from "./backend";
import type { ApiError, CrawlCard, JobNews, ProjectCard, RecentProject, RowRange, TableQuery, Value } from "./bindings";
import { auditCard, issueCards, issueGroups, issueText } from "./mock/audits";
import { CATALOGUE } from "./mock/catalogue";
import { curlCommand, findingPlace, urlDetail, urlHtml } from "./mock/detail";
import { counts, MockJob, pulse, traps } from "./mock/job";
import { network } from "./mock/network";
import { overview, sections } from "./mock/overview";
import { robotsFile, robotsHosts, robotsSandbox, robotsTest } from "./mock/robots";
import { select, sql } from "./mock/select";
import { createProfile, profiles, refusal, removeProfile, setSetting, settingsForm } from "./mock/settings";
import { checkSignIn, forgetSignIn, keepSignIn, keptSignIns, signInNeeded, signInPlace } from "./mock/signIn";
import { site } from "./mock/site";
import { sitemapTree } from "./mock/sitemaps";
import { computeFields, customAudits, fields, removeCustomAudit, saveCustomAudit, segments, setFields, setSegments, tryCustomAudit, trySegment, views } from "./mock/custom";
import { checkAgain, evaluate, heard, ignore, ignored, recheck, setSeverity, severities, stopIgnoring, thresholds } from "./mock/said";
import { source, type Source } from "./mock/sources";
import { preview } from "./preview";

const PATH = "/home/mia/Audits/lindenleaf.gossamer";
const START = "https://lindenleaf.example/";

type Ordering = { query: TableQuery; source: Source; order: Uint32Array };

const failure = (code: string, message: string, detail: ApiError["detail"] = []): ApiError => ({ code, message, detail });
const wait = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

export function mockBackend(address = globalThis.location?.search ?? ""): Backend {
  const asked = preview(address);
  const orderings = new Map<number, Ordering>();
  const cancelled = new Set<number>();
  const allowedTraps = new Set<string>();
  const preferences: Record<string, string> = {};
  if (asked.theme) preferences["theme"] = JSON.stringify(asked.theme);
  if (asked.lang) preferences["language"] = JSON.stringify(asked.lang);
  /** Files that were written, or were there before. */
  const files = new Set([PATH]);
  let lastTable = 0;
  let project: ProjectCard | null = null;
  let recent = asked.fresh ? [] : recentProjects();
  const job = new MockJob(ended);

  if (asked.screen && asked.screen !== "start") project = teaShop();
  if (asked.interrupted && project) project.crawls[0] = { ...crawlCards()[0]!, state: "interrupted", finished: null, resumable: true, counts: counts(372, 498) };
  if (asked.job && project) {
    project.crawls[0] = { ...crawlCards()[0]!, state: "running", started: new Date(Date.now() - 45_000).toISOString(), finished: null };
    job.show(asked.job, PATH);
  }

  const running = (crawl: number) => job.now?.state === "running" && job.now.crawl === crawl;
  const rows = (table: string, crawl: number) => source(table, running(crawl) ? job.known : site().pages.length, asked.rows);
  const ordering = (table: number): Ordering => {
    const found = orderings.get(table);
    if (!found) throw failure("table", "This table has been closed.");
    return found;
  };
  const cardOf = (id: string) => {
    const card = CATALOGUE.find((one) => one.id === id);
    if (!card) throw failure("usage", `There is no table ${id}.`);
    return card;
  };
  const keysOf = (table: number, ranges: RowRange[]): number[] => {
    const { source: from, order } = ordering(table);
    return ranges.flatMap(({ start, end }) => [...order.subarray(start, end)].map((i) => from.key(i)));
  };

  function ended(news: JobNews): void {
    if (!project || project.path !== news.project) return;
    const at = project.crawls.findIndex((one) => one.crawl === news.crawl);
    const card = project.crawls[at];
    if (!card) return;
    project.crawls[at] = { ...card, counts: news.counts, state: news.state === "done" ? "done" : "interrupted", resumable: news.state !== "done", finished: news.state === "done" ? new Date().toISOString() : null };
  }

  function begin(startUrl: string, path: string, from = 0): JobNews {
    if (job.now?.state === "running") throw failure("busy", "An audit is running already. Stop it first.");
    const known = project?.path === path ? project : path === PATH ? teaShop() : null;
    const crawl = from ? 3 : (known?.crawls.length ?? 0) + 1;
    const card: CrawlCard = { crawl, job: "audit", start_url: startUrl, started: new Date().toISOString(), finished: null, state: "running", resumable: false, holder: null, counts: counts(0, 1) };
    const name = new URL(startUrl).host;
    project = known ? { ...known, crawls: [card, ...known.crawls.filter((one) => one.crawl !== crawl)] } : { path, name, bytes: 40_960, crawls: [card] };
    return job.start(path, startUrl, crawl, from);
  }

  return {
    recentProjects: async () => recent,
    forgetProject: async (path) => {
      recent = recent.filter((one) => one.path !== path);
    },
    openProject: async (path) => {
      await wait(60);
      const known = recent.find((one) => one.path === path);
      if (known?.missing) throw failure("project", `${path}: there is no such file. It may have been moved or deleted.`);
      if (!path.endsWith(".gossamer")) throw failure("project", `${path}: this is no Gossamer project.`);
      project = { ...teaShop(), path, name: known?.name ?? teaShop().name };
      if (known?.resumable) project.crawls[0] = { ...project.crawls[0]!, state: "interrupted", finished: null, resumable: true, counts: counts(372, 498) };
      return project;
    },
    closeProject: async () => {
      project = null;
    },
    project: async () => (project ? { ...project, crawls: [...project.crawls] } : null),
    startedWith: async () => [],

    startAudit: async (form) => {
      await wait(80);
      const detail = form.settings.flatMap(([field, text]) => {
        const message = refusal(field, text);
        return message ? [{ field, message }] : [];
      });
      const typed = form.address.trim();
      let url: URL | null = null;
      try {
        url = form.list && !typed ? new URL(START) : new URL(/^[a-z][a-z0-9+.-]*:\/\//i.test(typed) ? typed : `https://${typed}`);
      } catch {
        detail.unshift({ field: "address", message: `“${typed}” is not an address. Type a host such as example.com, or a whole URL.` });
      }
      if (url && !["http:", "https:"].includes(url.protocol)) detail.unshift({ field: "address", message: "Only http and https addresses can be audited." });
      else if (url && !url.host.includes(".") && url.hostname !== "localhost") detail.unshift({ field: "address", message: `“${typed}” is not an address. Type a host such as example.com, or a whole URL.` });
      if (detail.length > 0 || !url) throw failure("settings", detail[0]?.message ?? "The audit cannot start.", detail);
      return begin(url.href, form.project ?? (url.host === "lindenleaf.example" ? PATH : `/home/mia/Audits/${url.hostname}.gossamer`));
    },
    resumeAudit: async (path) => {
      await wait(80);
      return begin(START, path, 372);
    },
    pauseJob: async () => job.pause(),
    continueJob: async () => job.continue(),
    stopJob: async () => job.stop(),
    job: async () => job.now,
    watchJob: async (onNews) => job.watch(onNews),
    pulse: async () => pulse(),
    traps: async () => traps(allowedTraps),
    allowTrap: async (crawl, pattern) => {
      allowedTraps.add(pattern);
      const card = project?.crawls.find((one) => one.crawl === crawl);
      if (running(crawl) || !card) return { resume: false };
      Object.assign(card, { state: "interrupted", resumable: true, finished: null });
      return { resume: true };
    },

    signInPlace: async (address, list) => signInPlace(address, list),
    checkSignIn: async (_origin, credentials) => checkSignIn(credentials),
    keptSignIns: async () => keptSignIns(),
    keepSignIn: async (origin, credentials) => keepSignIn(origin, credentials),
    forgetSignIn: async (origin) => forgetSignIn(origin),
    signInNeeded: async () => signInNeeded(),

    tables: async () => CATALOGUE,
    openTable: async (query, ticket) => {
      const card = cardOf(query.table);
      const from = rows(query.table, query.crawl);
      const began = performance.now();
      await wait(from.length > 100_000 ? 60 : 5);
      if (cancelled.delete(ticket)) throw failure("cancelled", "The call was cancelled.");
      const order = select(from, card, query.filter, query.sort, keysOf);
      orderings.set(++lastTable, { query, source: from, order });
      return { table: lastTable, rows: order.length, sql: sql(card, query.crawl, query.filter, query.sort), took_ms: Math.round(performance.now() - began) };
    },
    cancelTable: async (ticket) => {
      cancelled.add(ticket);
    },
    tableRows: async (table, start, count, columns) => {
      const { source: from, order } = ordering(table);
      await wait(3);
      return [...order.subarray(start, start + count)].map((i) => ({ key: from.key(i), link: from.link(i), cells: columns.map((id) => from.cell(i, id)) }));
    },
    tableLength: async (table) => {
      const { query } = ordering(table);
      return select(rows(query.table, query.crawl), cardOf(query.table), query.filter, null, keysOf).length;
    },
    tablePosition: async (table, key, link) => {
      const { source: from, order } = ordering(table);
      const at = order.findIndex((i) => from.key(i) === key && from.link(i) === link);
      return at < 0 ? null : at;
    },
    closeTable: async (table) => {
      orderings.delete(table);
    },
    copyRows: async (table, ranges, columns, format) => {
      const { source: from, order, query } = ordering(table);
      const labels = columns.map((id) => cardOf(query.table).columns.find((one) => one.id === id)?.label ?? id);
      const cell = (value: Value) => String(value ?? "").replace(/[\t\r\n]+/g, " ");
      const lines = ranges.flatMap(({ start, end }) => [...order.subarray(start, end)].map((i) => columns.map((id) => cell(from.cell(i, id)))));
      if (format === "tsv") return [labels, ...lines].map((line) => line.join("\t")).join("\n");
      return [labels, labels.map(() => "---"), ...lines].map((line) => `| ${line.map((one) => one.replaceAll("|", "\\|")).join(" | ")} |`).join("\n");
    },
    exportTable: async (table, ranges, _columns, path) => {
      await wait(200);
      files.add(path);
      return { path, left_out: 0, rows: ranges ? ranges.reduce((sum, range) => sum + range.end - range.start, 0) : ordering(table).order.length };
    },
    exportPath: async (name, ending) => `/home/mia/Documents/${name}.${ending}`,

    overview: async (crawl) => overview(project?.crawls.find((one) => one.crawl === crawl) ?? crawlCards()[0]!),
    sections: async () => sections(),
    issues: async () => issueCards().map(heard),
    audit: async (id) => auditCard(id),
    issueGroups: async (_crawl, audit) => issueGroups(audit),
    issueText: async (_crawl, audit) => issueText(audit),
    urlDetail: async (_crawl, key) => urlDetail(key),
    urlHtml: async (_crawl, key) => urlHtml(key),
    findingPlace: async (_crawl, key, audit, link) => findingPlace(key, audit, link),
    curlCommand: async (_crawl, key) => curlCommand(key),
    urlKey: async (_crawl, url) => site().byUrl.get(url)?.key ?? null,
    robotsHosts: async () => robotsHosts(),
    robotsFile: async (_crawl, origin) => robotsFile(origin),
    robotsTest: async (_crawl, origin, text, agent, urls) => robotsTest(origin, text, agent, urls),
    robotsSandbox: async (_crawl, origin, text, agent, ticket) => {
      await wait(40);
      if (cancelled.delete(ticket)) throw failure("cancelled", "The call was cancelled.");
      return robotsSandbox(origin, text, agent);
    },
    cancelSandbox: async (ticket) => {
      cancelled.add(ticket);
    },
    sitemapTree: async () => sitemapTree(),
    network: async (crawl) => network(running(crawl) ? job.known : null),
    brokenLinkReport: async (_crawl, _profile, path) => {
      await wait(300);
      files.add(path);
      return { path, left_out: 0, rows: site().links.filter((link) => link.verdict === "broken").length };
    },

    segments: async () => segments(),
    trySegment: async (_crawl, patterns) => trySegment(patterns),
    setSegments: async (all) => setSegments(all),
    cancelCustom: async () => undefined,
    fields: async () => fields(),
    setFields: async (all) => setFields(all),
    computeFields: async () => computeFields(),
    customProgress: async () => [0, 0],
    customAudits: async () => customAudits(),
    tryCustomAudit: async (_crawl, sql) => tryCustomAudit(sql),
    saveCustomAudit: async (_crawl, audit) => saveCustomAudit(audit),
    removeCustomAudit: async (_crawl, id) => removeCustomAudit(id),
    views: async () => views(),

    ignored: async () => ignored(),
    ignore: async (request) => ignore(request),
    stopIgnoring: async (number) => stopIgnoring(number),
    severities: async () => severities(),
    setSeverity: async (audit, severity, priority) => setSeverity(audit, severity, priority),
    thresholds: async (_crawl, audit) => thresholds(audit),
    evaluate: async (_crawl, set, reset, _ticket, onProgress) => {
      onProgress(0.5);
      evaluate(set, reset);
    },
    startRecheck: async (form) => {
      checkAgain(form);
      throw failure("cannot_start", "Nothing can be asked again outside the window.");
    },
    recheck: async () => recheck(),

    profiles: async () => profiles(),
    settingsForm: async (profile) => settingsForm(profile),
    setSetting: async (profile, id, text) => setSetting(profile, id, text),
    createProfile: async (name, like) => createProfile(name, like),
    removeProfile: async (name) => removeProfile(name),
    importProfile: async (path) => createProfile(path.split("/").pop()?.replace(/\.toml$/, "") ?? "Imported", "Audit"),
    exportProfile: async () => undefined,
    preferences: async () => ({ ...preferences }),
    setPreference: async (key, value) => {
      preferences[key] = value;
    },

    openInBrowser: async () => undefined,
    showInFolder: async () => undefined,
    fileExists: async (path) => files.has(path),
    chooseFile: async (_title, endings) => (endings.includes("gossamer") ? PATH : `/home/mia/Documents/urls.${endings[0] ?? "txt"}`),
    chooseSave: async (_title, suggested) => suggested,
    onDrop: async (handle) => {
      const over = (event: DragEvent) => {
        event.preventDefault();
        handle([...(event.dataTransfer?.items ?? [])].map((_, i) => `file-${i}`), true);
      };
      const leave = (event: DragEvent) => event.relatedTarget === null && handle([], false);
      const drop = (event: DragEvent) => {
        event.preventDefault();
        handle([...(event.dataTransfer?.files ?? [])].map((file) => `/home/mia/Documents/${file.name}`), false);
      };
      addEventListener("dragenter", over);
      addEventListener("dragover", (event) => event.preventDefault());
      addEventListener("dragleave", leave);
      addEventListener("drop", drop);
      return () => {
        removeEventListener("dragenter", over);
        removeEventListener("dragleave", leave);
        removeEventListener("drop", drop);
      };
    },
  };
}

function crawlCards(): CrawlCard[] {
  const all = site().pages.length;
  const card = (crawl: number, started: string, finished: string, less: number): CrawlCard => ({ crawl, job: "audit", start_url: START, started, finished, state: "done", resumable: false, holder: null, counts: counts(all - less, all - less) });
  return [card(3, "2026-03-11T08:30:00Z", "2026-03-11T08:31:12Z", 0), card(2, "2026-02-11T08:30:00Z", "2026-02-11T08:31:07Z", 24), card(1, "2026-01-12T09:05:00Z", "2026-01-12T09:06:01Z", 61)];
}

const teaShop = (): ProjectCard => ({ path: PATH, name: "Linden & Leaf", bytes: 6_410_240, crawls: crawlCards() });

function recentProjects(): RecentProject[] {
  const before = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
  return [
    { path: PATH, name: "Linden & Leaf", start_url: START, opened: before(2), state: "done", pages: 338, issues: 268, resumable: false, missing: false },
    { path: "/home/mia/Audits/harbour-books.gossamer", name: "Harbour Books", start_url: "https://www.harbour-books.example/", opened: before(26), state: "interrupted", pages: 12_480, issues: 0, resumable: true, missing: false },
    { path: "/home/mia/Audits/staging.gossamer", name: "Staging of the new shop", start_url: "https://staging.lindenleaf.example/", opened: before(74), state: "done", pages: 351, issues: 41, resumable: false, missing: false },
    { path: "/home/mia/Clients/alpine-bikes/alpine-bikes.gossamer", name: "Alpine Bikes", start_url: "https://alpine-bikes.example/de/", opened: before(220), state: "done", pages: 48_112, issues: 1_904, resumable: false, missing: false },
    { path: "/media/usb/archive/museum.gossamer", name: "City Museum", start_url: "https://museum.example/", opened: before(900), state: "done", pages: 2_077, issues: 96, resumable: false, missing: true },
  ];
}
