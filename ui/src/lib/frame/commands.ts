/** Everything the palette can do at this moment. */
import { backend, type IssueCard, type ProfileCard, type RecentProject } from "../backend";
import { openCustom } from "../custom/open.svelte";
import type { IconName } from "../parts/types";
import { copyCurl } from "../detail/curl";
import { app, chooseTheme, closeProject, crawlCard, fail, go, goBack, hideUrl, jobRuns, openProject, preference, remember, resumeAudit } from "../state/app.svelte";
import { auditAgain, auditWith, signInHere, startForm } from "../state/startForm.svelte";
import { t } from "../text";
import { speak } from "../text/language.svelte";
import { takeSeatedTable } from "./seated";
import { AUDIT, NETWORK, SETTINGS } from "./screens";

export type Command = { id: string; group: string; label: string; note?: string; icon: IconName; shortcut?: string; run: () => void };
/** What is asked of the engine when the palette opens. */
export type Known = { profiles: ProfileCard[]; recent: RecentProject[]; issues: IssueCard[] };

export async function known(): Promise<Known> {
  const none = <T>(): T[] => [];
  const crawl = app.crawl;
  const [profiles, recent, issues] = await Promise.all([
    backend.profiles().catch(none<ProfileCard>), backend.recentProjects().catch(none<RecentProject>),
    crawl === null ? none<IssueCard>() : backend.issues(crawl).catch(none<IssueCard>),
  ]);
  return { profiles, recent, issues };
}

export async function chooseProject(): Promise<void> {
  try {
    const path = await backend.chooseFile(t("start.open_choose"), ["gossamer"]);
    if (path) await openProject(path);
  } catch (error) {
    fail(error);
  }
}

export async function chooseList(): Promise<void> {
  try {
    const path = await backend.chooseFile(t("start.list_choose"), ["txt", "csv"]);
    if (!path) return;
    startForm.list = path;
    if (app.screen !== "start") go("start");
  } catch (error) {
    fail(error);
  }
}

export function swapDetailSide(): void {
  remember("detail.side", preference("detail.side", "bottom") === "bottom" ? "right" : "bottom");
}

export function commands(from: Known, onkeys: () => void): Command[] {
  const [screens, actions] = [t("common.palette_screens"), t("common.palette_actions")];
  const all: Command[] = [];
  const add = (group: string, id: string, icon: IconName, label: string, run: () => void, more: Partial<Command> = {}) => all.push({ id, group, icon, label, run, ...more });
  const project = app.project;

  if (project) AUDIT.forEach((one, i) => add(screens, one.screen, one.icon, t(one.label), () => go(one.screen), { shortcut: `Ctrl+${i + 1}` }));
  if (project) add(screens, "network", NETWORK.icon, t(NETWORK.label), () => go("network"));
  add(screens, "start", "home", t("common.all_projects"), () => go("start"));
  add(screens, "settings", SETTINGS.icon, t(SETTINGS.label), () => go("settings"), { shortcut: "Ctrl+," });

  if (app.job?.state === "running") {
    if (app.job.phase === "paused") add(actions, "continue", "play", t("crawl.continue"), () => void backend.continueJob().catch(fail));
    else if (app.job.phase === "crawling") add(actions, "pause", "pause", t("crawl.pause"), () => void backend.pauseJob().catch(fail));
    add(actions, "stop", "stop", t("crawl.stop"), () => void backend.stopJob().catch(fail));
  }
  const table = takeSeatedTable();
  if (table?.export) add(actions, "export", "export", t("common.export_list"), table.export, { shortcut: "E" });
  if (table) add(actions, "columns", "columns", t("common.choose_columns"), () => table.columns());
  if (project && app.crawl !== null) add(actions, "report", "agency", t("common.broken_link_report"), () => go("links", { report: true }));
  if (project && app.crawl !== null) add(actions, "segments", "sitemap", t("custom.segments_command"), () => openCustom("segments"));
  if (project && app.crawl !== null) add(actions, "fields", "search", t("custom.fields_command"), () => openCustom("fields"));
  if (project && app.crawl !== null) add(actions, "audits", "issues", t("custom.audits_command"), () => openCustom("audits"));
  add(actions, "again", "plus", t("common.start_audit"), auditAgain, { shortcut: "Ctrl+N" });
  add(actions, "sign-in", "lock", t("signin.command"), signInHere);
  add(actions, "list", "list", t("start.list"), () => void chooseList());
  add(actions, "open", "folder", t("common.open_project"), () => void chooseProject(), { shortcut: "Ctrl+O" });
  if (project) {
    if (crawlCard()?.resumable && !jobRuns()) add(actions, "resume", "play", t("common.resume"), () => void resumeAudit(project.path));
    add(actions, "folder", "external", t("common.show_in_folder"), () => void backend.showInFolder(project.path).catch(fail), { note: project.path });
    add(actions, "close", "close", t("common.close_project"), () => void closeProject());
  }
  if (app.detail !== null) {
    const [crawl, key] = [app.crawl, app.detail];
    if (crawl !== null) add(actions, "curl", "terminal", t("detail.copy_curl"), () => void copyCurl(crawl, key));
    add(actions, "side", "pane-right", t("common.detail_side"), swapDetailSide);
    add(actions, "hide", "close", t("common.detail_close"), hideUrl, { shortcut: "Esc" });
  }
  add(actions, "back", "back", t("common.go_back"), goBack, { shortcut: "Alt+←" });
  add(actions, "keys", "keyboard", t("common.keyboard"), onkeys, { shortcut: "?" });
  add(actions, "system", "monitor", t("common.theme_to", { name: t("common.theme_system") }), () => chooseTheme("system"));
  add(actions, "light", "sun", t("common.theme_to", { name: t("common.theme_light") }), () => chooseTheme("light"));
  add(actions, "dark", "moon", t("common.theme_to", { name: t("common.theme_dark") }), () => chooseTheme("dark"));
  for (const [language, name] of [["en", "English"], ["de", "Deutsch"]] as const) {
    add(actions, language, "pencil", t("common.language_to", { name }), () => {
      remember("language", language);
      speak(language);
    });
  }

  for (const one of from.profiles) add(t("common.palette_profiles"), `profile-${one.name}`, "plus", t("common.start_with_profile", { name: one.name }), () => auditWith(one.name), { note: one.about });
  for (const one of from.recent.filter((each) => !each.missing)) add(t("common.palette_projects"), `project-${one.path}`, "file", one.name, () => void openProject(one.path), { note: one.start_url });
  // An audit whose findings weigh differently has a card for each weight, and leads to one place.
  const audits = new Map(from.issues.map((one) => [one.audit, one]));
  if (project) for (const one of audits.values()) add(t("common.palette_audits"), `audit-${one.audit}`, "issues", one.title, () => go("issues", { audit: one.audit }), { note: one.family_title });
  return all;
}
