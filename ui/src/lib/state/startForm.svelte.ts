/** What the form of the first screen holds. It outlives the screen: a list may be dropped anywhere. */
import type { GivenCredential, RecentProject } from "../backend";
import { splitLogin } from "../signin/address";
import { askToSignIn } from "./signIn.svelte";
import { app, crawlCard, fail, go, openProject } from "./app.svelte";
import { t } from "../text";

export const startForm = $state({
  address: "",
  /** Path of a list of URLs. */
  list: null as string | null,
  /** The project a crawl is added to; null makes one, or finds the site's own. */
  project: null as { path: string; name: string } | null,
  profile: "",
  /** Settings of this run, by id. */
  settings: {} as Record<string, string>,
  optionsOpen: false,
  /** For the next run only; emptied when it starts. */
  signIn: null as { origin: string; credentials: GivenCredential[] } | null,
  /** What the keychain has is not used for the next run. */
  signedOut: false,
  recent: [] as RecentProject[],
});

const ending = (path: string): string => path.toLowerCase().split(".").pop() ?? "";

/** Opens what was dropped on the window, or given to the program: a project or a list. Says which file is neither. */
export function openPaths(paths: string[], wereDropped = false): void {
  const project = paths.find((path) => ending(path) === "gossamer");
  const list = paths.find((path) => ["txt", "csv"].includes(ending(path)));
  if (project) void openProject(project);
  else if (list) {
    startForm.list = list;
    if (app.screen !== "start") go("start");
  } else if (paths.length > 0) fail({ code: "usage", message: t(wereDropped ? "common.drop_unknown" : "common.open_unknown", { name: paths.map((path) => splitLogin(path)?.address ?? path).join(", ") }), detail: [] });
}

/** Opens the form for another crawl of the project that is open. */
export function auditAgain(): void {
  const project = app.project;
  startForm.address = crawlCard()?.start_url ?? startForm.address;
  startForm.list = null;
  startForm.project = project ? { path: project.path, name: project.name } : null;
  go("start");
}

/** Asks for the sign-in of the site that the form is about, or the window. */
export function signInHere(): void {
  if (app.screen !== "start") {
    if (app.project) auditAgain();
    else go("start");
  }
  askToSignIn({ purpose: "start" });
}

/** Opens the form with a profile chosen. */
export function auditWith(profile: string): void {
  startForm.profile = profile;
  startForm.settings = {};
  go("start");
}

