/** Profiles and settings of the made-up engine: a part of the real catalogue, checked as strictly. */
import type { ApiError, ProfileCard, SettingRow, SettingSection, SettingsForm } from "../bindings";

type Brief = [id: string, label: string, kind: string, preset: string, unit: string, range: string, help: string];

/** Kind, label, what is done with a target on the site and with one elsewhere. */
const LINK_KINDS = `anchor Links crawl check;area Image map areas crawl check;iframe Frames crawl check;image Images check check;script Scripts check check;style Style sheets check check;font Fonts check check;media Video and audio check check;icon Icons check check;manifest Web app manifests check check;canonical Canonicals crawl store;hreflang Language versions crawl store;next Next page crawl store;prev Previous page crawl store;amp AMP versions crawl store;redirect Redirect targets crawl check;meta_refresh Meta refresh targets crawl check;form Forms store store;feed Feeds check check;preload Preloads check check;preconnect Connection hints store store;social Social images check check;data Structured data check check;object Embedded objects check check;other Other relations store store`;

function linkKinds(section: string, words: string): Brief[] {
  return LINK_KINDS.split(";").map((line) => {
    const [kind = "", ...rest] = line.split(" ");
    const preset = rest.at(section === "internal_links" ? -2 : -1) ?? "";
    const label = rest.slice(0, -2).join(" ");
    return [`${section}.${kind}`, label, "choice", preset, "", words, `What is done with the target: ${label.toLowerCase()}.`];
  });
}

const SECTIONS: { id: string; title: string; about: string; settings: Brief[] }[] = [
  { id: "agent", title: "User agent", about: "Who requests say they are.", settings: [
    ["agent.preset", "User agent", "choice", "gossamer", "", "gossamer, googlebot, googlebot-smartphone, bingbot, browser", "Which user agent is sent, with the robots.txt token that belongs to it. Keep the default on other people’s sites, so that their owners can see who asks."],
    ["agent.user_agent", "Own user agent", "text", "", "", "", "A User-Agent header of your own, sent unchanged with every request; empty for the preset’s."],
    ["agent.contact", "Contact", "URL or e-mail", "", "", "", "A web or e-mail address that becomes part of the default user agent."],
  ] },
  { id: "robots", title: "robots.txt", about: "Whether the site’s wishes for robots are followed.", settings: [
    ["robots.obey", "Obey robots.txt", "switch", "true", "", "true or false", "Turn this off only for sites you may crawl regardless, such as your own staging server."],
  ] },
  { id: "pace", title: "Pace", about: "How hard each host is asked.", settings: [
    ["pace.concurrency", "Requests at once", "whole number", "5", "requests", "1 to 64", "Requests in flight per host. Lower it to 1 or 2 for small servers and for other people’s sites."],
    ["pace.delay", "Delay", "duration", "0s", "", "0s to 600s", "Time between the starts of two requests to one host. A longer Crawl-delay in robots.txt wins."],
  ] },
  { id: "fetch", title: "Requests", about: "Time, size and patience of one request.", settings: [
    ["fetch.timeout", "Time limit", "duration", "20s", "", "100ms to 600s", "For one request, headers and body together."],
    ["fetch.retries", "Retries", "whole number", "2", "attempts", "0 to 10", "Further attempts after a timeout or a failed connection."],
    ["fetch.body_cap", "Body cap", "size", "10MB", "", "1kB to 1GB", "Decoded size of one page. What is longer is cut, and the part read is used."],
  ] },
  { id: "scope", title: "Scope", about: "Which URLs belong to the audit.", settings: [
    ["scope.subdomains", "All subdomains", "switch", "false", "", "true or false", "Treat every subdomain of the start URL’s host as part of the site."],
    ["scope.start_folder_only", "Start folder only", "switch", "false", "", "true or false", "Crawl only URLs below the folder of the start URL."],
    ["scope.extra_hosts", "Further hosts", "list of hosts", "[]", "", "", "Hosts that count as part of the site too, such as a CDN."],
    ["scope.rules", "Include and exclude", "list of rules", "[]", "", "include REGEX, exclude REGEX", "Regular expressions that are looked for anywhere in a URL of the site, in this order; the first that matches decides."],
  ] },
  { id: "limits", title: "Limits", about: "Where the crawl ends.", settings: [
    ["limits.max_urls", "Most URLs", "whole number or none", "none", "URLs", "1 to 1000000000, or none", "Once so many URLs have been asked for, the crawl ends."],
    ["limits.max_depth", "Deepest level", "whole number or none", "none", "levels", "0 to 10000, or none", "Clicks from the start URL beyond which links are not followed."],
    ["limits.pause_traps", "Pause traps", "switch", "true", "", "true or false", "Stop asking for addresses that a site makes up without end."],
  ] },
  { id: "internal_links", title: "Links to the site itself", about: "What is done with the target of each kind of link: crawl (fetch and read), check (status only), store (keep, not asked) or off.", settings: linkKinds("internal_links", "crawl, check, store, off") },
  { id: "external_links", title: "Links to other sites", about: "The same for targets elsewhere. They are never followed further: crawl is not offered.", settings: linkKinds("external_links", "check, store, off") },
  { id: "report", title: "Reports", about: "What an agency puts on its reports.", settings: [
    ["report.agency", "Agency", "text", "", "", "", "Your name or your agency’s, at the head of a report."],
    ["report.logo", "Logo", "file", "", "", "", "A PNG, JPEG or SVG of at most 1 MB."],
    ["report.intro", "Introduction", "paragraph", "", "", "", "Plain text above the table; an empty line begins a new paragraph."],
    ["report.csv_bom", "CSV for Excel", "switch", "true", "", "true or false", "Begin CSV files with a mark by which Excel knows that they are UTF-8."],
  ] },
];

const PROFILES: Record<string, { about: string; values: Record<string, string> }> = {
  Audit: { about: "The whole site, at a pace that bothers nobody.", values: {} },
  Staging: { about: "A server of your own before it goes live.", values: { "robots.obey": "false", "pace.concurrency": "10" } },
  Check: { about: "Status of every URL, gently.", values: { "pace.concurrency": "2", "pace.delay": "500ms" } },
  List: { about: "Exactly the URLs of a list.", values: { "limits.max_depth": "0" } },
};

const wrong = (field: string, message: string): ApiError => ({ code: "settings", message, detail: [{ field, message }] });
const find = (name: string) => {
  const profile = PROFILES[name];
  if (!profile) throw { code: "usage", message: `There is no profile “${name}”.`, detail: [] };
  return profile;
};

/** Why a value is wrong; null where it is right. */
export function refusal(id: string, text: string): string | null {
  const brief = SECTIONS.flatMap((section) => section.settings).find(([one]) => one === id);
  if (!brief) return `There is no setting ${id}.`;
  const [, label, kind, , , range] = brief;
  if (kind === "switch" && !["true", "false"].includes(text)) return `${label}: true or false is expected.`;
  if (kind === "choice" && !range.split(", ").includes(text)) return `${label}: one of ${range} is expected.`;
  if (kind === "duration" && !/^\d+(\.\d+)?(ms|s)$/.test(text)) return `${label}: a time such as 500ms or 20s is expected, ${range}.`;
  if (kind === "size" && !/^\d+(B|kB|MB|GB)$/.test(text)) return `${label}: a size such as 10MB is expected, ${range}.`;
  if (kind === "whole number or none" && text === "none") return null;
  if (kind.startsWith("whole")) {
    const [low = 0, high = 0] = (range.match(/\d+/g) ?? []).map(Number);
    if (!/^\d+$/.test(text) || Number(text) < low || Number(text) > high) return `${label}: a whole number, ${range}, is expected.`;
  }
  return null;
}

export const profiles = (): ProfileCard[] =>
  Object.entries(PROFILES).map(([name, profile]) => ({ name, about: profile.about, changed: Object.keys(profile.values).length, removable: !["Audit", "Staging", "Check", "List"].includes(name) }));

export function settingsForm(name: string): SettingsForm {
  const { values } = find(name);
  const row = ([id, label, kind, preset, unit, range, help]: Brief): SettingRow => ({
    id, label, help, kind, unit, range, default: preset, value: values[id] ?? preset, changed: values[id] !== undefined && values[id] !== preset,
    choices: kind === "choice" ? range.split(", ") : [],
  });
  const sections: SettingSection[] = SECTIONS.map((section) => ({ ...section, settings: section.settings.map(row), locked: [] }));
  sections.find((section) => section.id === "fetch")?.locked.push({ label: "Addresses", value: "any", reason: "An audit may ask private addresses, so that staging servers can be checked." });
  return { profile: name, sections };
}

export function setSetting(name: string, id: string, text: string | null): SettingsForm {
  const { values } = find(name);
  const refused = text === null ? null : refusal(id, text);
  if (refused) throw wrong(id, refused);
  if (text === null) delete values[id];
  else values[id] = text;
  return settingsForm(name);
}

export function createProfile(name: string, like: string): ProfileCard[] {
  if (!name.trim()) throw wrong("name", "A profile needs a name.");
  if (PROFILES[name]) throw wrong("name", `There is a profile “${name}” already.`);
  PROFILES[name] = { about: `Made from ${like}.`, values: { ...find(like).values } };
  return profiles();
}

export function removeProfile(name: string): ProfileCard[] {
  delete PROFILES[name];
  return profiles();
}
