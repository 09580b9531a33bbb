/** The engine behind the window: every call is a command of the shell, named as the method in snake case. */
import { Channel, invoke } from "@tauri-apps/api/core";
import { getCurrentWebview } from "@tauri-apps/api/webview";
import { open, save } from "@tauri-apps/plugin-dialog";
import { answered, watchAnswers } from "./answering";
import type { Backend } from "./backend";
import type { ApiError, JobNews } from "./bindings";

/** A command rejects with an `ApiError`; a failure of the bridge itself is a text and becomes one. */
async function call<T>(command: string, values: Record<string, unknown> = {}): Promise<T> {
  await answered();
  try {
    return await invoke<T>(command, values);
  } catch (error) {
    if (error !== null && typeof error === "object" && "code" in error) throw error;
    const failed: ApiError = { code: "bridge", message: String(error), detail: [] };
    throw failed;
  }
}

export function tauriBackend(): Backend {
  watchAnswers(window);
  return {
    recentProjects: () => call("recent_projects"),
    forgetProject: (path) => call("forget_project", { path }),
    openProject: (path) => call("open_project", { path }),
    closeProject: () => call("close_project"),
    project: () => call("project"),
    startedWith: () => call("started_with"),

    startAudit: (form) => call("start_audit", { form }),
    resumeAudit: (path, signIn = "kept") => call("resume_audit", { path, signIn }),
    pauseJob: () => call("pause_job"),
    continueJob: () => call("continue_job"),
    stopJob: () => call("stop_job"),
    job: () => call("job"),
    watchJob: (handle) => {
      const onNews = new Channel<JobNews>();
      onNews.onmessage = handle;
      return call("watch_job", { onNews });
    },
    pulse: (crawl) => call("pulse", { crawl }),
    traps: (crawl) => call("traps", { crawl }),
    allowTrap: (crawl, pattern) => call("allow_trap", { crawl, pattern }),

    signInPlace: (address, list) => call("sign_in_place", { address, list }),
    checkSignIn: (origin, credentials) => call("check_sign_in", { origin, credentials }),
    keptSignIns: () => call("kept_sign_ins"),
    keepSignIn: (origin, credentials) => call("keep_sign_in", { origin, credentials }),
    forgetSignIn: (origin) => call("forget_sign_in", { origin }),
    signInNeeded: (path) => call("sign_in_needed", { path }),

    tables: () => call("tables"),
    openTable: (query, ticket) => call("open_table", { query, ticket }),
    cancelTable: (ticket) => call("cancel_table", { ticket }),
    tableRows: (table, start, count, columns) => call("table_rows", { table, start, count, columns }),
    tableLength: (table) => call("table_length", { table }),
    tablePosition: (table, key, link) => call("table_position", { table, key, link }),
    closeTable: (table) => call("close_table", { table }),
    copyRows: (table, ranges, columns, format) => call("copy_rows", { table, ranges, columns, format }),
    exportTable: (table, ranges, columns, path) => call("export_table", { table, ranges, columns, path }),
    exportPath: (name, ending) => call("export_path", { name, ending }),

    overview: (crawl) => call("overview", { crawl }),
    sections: (crawl) => call("sections", { crawl }),
    issues: (crawl) => call("issues", { crawl }),
    audit: (id) => call("audit", { id }),
    issueGroups: (crawl, audit) => call("issue_groups", { crawl, audit }),
    issueText: (crawl, audit) => call("issue_text", { crawl, audit }),
    urlDetail: (crawl, key) => call("url_detail", { crawl, key }),
    urlHtml: (crawl, key) => call("url_html", { crawl, key }),
    findingPlace: (crawl, key, audit, link) => call("finding_place", { crawl, key, audit, link }),
    curlCommand: (crawl, key) => call("curl_command", { crawl, key }),
    urlKey: (crawl, url) => call("url_key", { crawl, url }),

    robotsHosts: (crawl) => call("robots_hosts", { crawl }),
    robotsFile: (crawl, origin) => call("robots_file", { crawl, origin }),
    robotsTest: (crawl, origin, text, agent, urls) => call("robots_test", { crawl, origin, text, agent, urls }),
    robotsSandbox: (crawl, origin, text, agent, ticket) => call("robots_sandbox", { crawl, origin, text, agent, ticket }),
    cancelSandbox: (ticket) => call("cancel_sandbox", { ticket }),
    sitemapTree: (crawl) => call("sitemap_tree", { crawl }),
    network: (crawl) => call("network", { crawl }),

    brokenLinkReport: (crawl, profile, path) => call("broken_link_report", { crawl, profile, path }),

    segments: (crawl) => call("segments", { crawl }),
    trySegment: (crawl, patterns, ticket) => call("try_segment", { crawl, patterns, ticket }),
    setSegments: (segments, ticket) => call("set_segments", { segments, ticket }),
    cancelCustom: (ticket) => call("cancel_custom", { ticket }),
    fields: (crawl) => call("fields", { crawl }),
    setFields: (fields) => call("set_fields", { fields }),
    computeFields: (crawl, ticket) => call("compute_fields", { crawl, ticket }),
    customProgress: (ticket) => call("custom_progress", { ticket }),
    customAudits: (crawl) => call("custom_audits", { crawl }),
    tryCustomAudit: (crawl, sql) => call("try_custom_audit", { crawl, sql }),
    saveCustomAudit: (crawl, audit) => call("save_custom_audit", { crawl, audit }),
    removeCustomAudit: (crawl, id) => call("remove_custom_audit", { crawl, id }),
    views: () => call("views"),

    ignored: (crawl) => call("ignored", { crawl }),
    ignore: (request) => call("ignore", { request }),
    stopIgnoring: (number) => call("stop_ignoring", { number }),
    severities: () => call("severities"),
    setSeverity: (audit, severity, priority) => call("set_severity", { audit, severity, priority }),
    thresholds: (crawl, audit) => call("thresholds", { crawl, audit }),
    evaluate: (crawl, set, reset, ticket, told) => {
      const onProgress = new Channel<number>();
      onProgress.onmessage = told;
      return call("evaluate", { crawl, set, reset, ticket, onProgress });
    },
    startRecheck: (form) => call("start_recheck", { form }),
    recheck: (crawl) => call("recheck", { crawl }),

    profiles: () => call("profiles"),
    settingsForm: (profile) => call("settings_form", { profile }),
    setSetting: (profile, id, text) => call("set_setting", { profile, id, text }),
    createProfile: (name, like) => call("create_profile", { name, like }),
    removeProfile: (name) => call("remove_profile", { name }),
    importProfile: (path) => call("import_profile", { path }),
    exportProfile: (name, path) => call("export_profile", { name, path }),
    preferences: () => call("preferences"),
    setPreference: (key, value) => call("set_preference", { key, value }),

    openInBrowser: (url) => call("open_in_browser", { url }),
    showInFolder: (path) => call("show_in_folder", { path }),
    fileExists: (path) => call("file_exists", { path }),
    chooseFile: (title, endings) =>
      open({ title, multiple: false, directory: false, filters: [{ name: endings.join(", "), extensions: endings }] }),
    chooseSave: (title, suggested, endings) =>
      save({ title, defaultPath: suggested, filters: [{ name: endings.join(", "), extensions: endings }] }),
    onDrop: (handle) =>
      getCurrentWebview().onDragDropEvent(({ payload }) => {
        if (payload.type === "enter") handle(payload.paths, true);
        else if (payload.type === "drop") handle(payload.paths, false);
        else if (payload.type === "leave") handle([], false);
      }),
  };
}
