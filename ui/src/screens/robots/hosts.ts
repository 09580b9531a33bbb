/** The hosts of the list: what their state means, and which a search finds. */
import type { RobotsHost } from "$lib/backend";
import { t } from "$lib/text";

export function stateWord(state: string): string {
  switch (state) {
    case "ok": return t("robots.state_ok");
    case "missing": return t("robots.state_missing");
    case "unreachable": return t("robots.state_unreachable");
    case "throttled": return t("robots.state_throttled");
    default: return state;
  }
}

/** Whether somebody should look at it: the rules are not known, or the file has defects. */
export const isWarned = (host: RobotsHost): boolean => ["unreachable", "throttled"].includes(host.state) || host.problems > 0;

/** A host as it is called in lists; that it is asked without encryption is said, since both may be there. */
export const labelOf = (host: { host: string; origin: string }): string => (host.origin.startsWith("http:") ? host.origin : host.host);

/** Those that a search finds. The engine lists the site's own first. */
export function found<T extends { origin: string }>(hosts: T[], search: string): T[] {
  const words = search.trim().toLowerCase();
  return words === "" ? hosts : hosts.filter((host) => host.origin.toLowerCase().includes(words));
}

/** What the engine says came of it, without the status that stands before it as a mark. */
export const outcomeWords = (host: RobotsHost): string => host.outcome.replace(/^status \d{3}: /, "");
