/**
 * The form of a profile as it is drawn: which control a setting has, which settings a search leaves, and the settings
 * of link kinds as one matrix. Labels, help and choices all come from the engine; only the shape is decided here.
 */
import type { SettingRow, SettingSection, SettingsForm } from "$lib/backend/bindings";
import { t } from "$lib/text";
import { readArray } from "./toml";

export type Control = "switch" | "choice" | "number" | "limit" | "list" | "lines" | "text";

/** The control of a setting, by the kind in the engine's words. A kind unknown here is edited as text. */
export function controlOf(row: SettingRow): Control {
  if (row.choices.length > 0) return "choice";
  if (row.kind === "switch") return "switch";
  if (row.kind.startsWith("list of")) return "list";
  if (row.kind === "whole number or none") return "limit";
  if (row.kind === "whole number" || row.kind === "number") return "number";
  if (row.kind.includes("paragraph") || row.id === "report.intro") return "lines";
  return "text";
}

/** Whether the value is the path of a file, which the system's dialog can choose. */
export const isFile = (row: SettingRow): boolean => row.kind.includes("file") || row.id === "report.logo";

/** A word of the engine as it is shown: the treatments of links have names, others are written as they are. */
export function wordOf(word: string): string {
  switch (word) {
    case "crawl": return t("settings.words.crawl");
    case "check": return t("settings.words.check");
    case "store": return t("settings.words.store");
    case "off": return t("settings.words.off");
    default: return word;
  }
}

/** A value in a sentence or a fact: lists as items between commas, a switch as on or off; empty for what is empty. */
export function shownValue(value: string, control: Control): string {
  if (control === "switch") return t(value === "true" ? "settings.words.switched_on" : "settings.words.switched_off");
  return readArray(value)?.join(", ") ?? value;
}

/** What a text field shows before anything is written: a value of the kind. */
export function exampleOf(row: SettingRow): string {
  switch (row.kind) {
    case "duration": return "500ms, 20s, 2m";
    case "size": return "512kB, 10MB, 1GB";
    case "list of hosts": return "cdn.example.com";
    case "list of URLs": return "https://example.com/sitemap.xml";
    case "list of words": return "utm_source";
    case "list of rules": return "exclude \\?sort=\ninclude /shop/";
    case "list of segments": return "Blog = /blog/** /news/**";
    case "list of searches": return "no-cart = lacks visible: add to cart";
    case "list of extractions": return "price = css text: .price";
    case "list of headers": return "X-Audit: 1";
    case "list of overrides": return "www.example.com:443:127.0.0.1:8443";
    case "proxy": return "http://proxy.example:3128";
    case "URL or e-mail": return "https://example.com/bot";
    case "whole number or none": return "none";
    default: return "";
  }
}

export type Narrowing = { search: string; onlyChanged: boolean };

/** The sections with the settings that a search and the switch "only changed" leave; empty sections are left out. */
export function narrow(form: SettingsForm, { search, onlyChanged }: Narrowing): SettingSection[] {
  const words = search.toLowerCase().split(/\s+/).filter((word) => word !== "");
  const says = (...texts: string[]) => {
    const text = texts.join("\n").toLowerCase();
    return words.every((word) => text.includes(word));
  };
  return form.sections
    .map((section) => {
      // Who searches for a group by its name wants the whole group.
      const named = words.length > 0 && says(section.title);
      return {
        ...section,
        settings: section.settings.filter(
          (row) => (row.changed || !onlyChanged) && (named || says(row.id, row.label, row.help, row.value)),
        ),
        locked: onlyChanged ? [] : section.locked.filter((row) => named || says(row.label, row.value, row.reason)),
      };
    })
    .filter((section) => section.settings.length + section.locked.length > 0);
}

export function changedCount(form: SettingsForm): number {
  return form.sections.reduce((sum, section) => sum + section.settings.filter((row) => row.changed).length, 0);
}

/**
 * A section whose settings are all choices among the same few words is a matrix: one line a setting, one column a word.
 * Null where it is a plain list of settings. The words are those of the setting with most choices.
 */
export function matrixWords(section: SettingSection): string[] | null {
  const rows = section.settings;
  // Below a handful of lines select fields read better than a grid.
  if (rows.length === 0 || rows.some((row) => controlOf(row) !== "choice")) return null;
  const words = rows.reduce<string[]>((most, row) => (row.choices.length > most.length ? row.choices : most), []);
  const isUniform = rows.every((row) => row.choices.every((word) => words.includes(word)));
  return isUniform && words.length <= 5 && section.id.endsWith("_links") ? words : null;
}

/** The setting with an id, wherever it stands. */
export function settingOf(form: SettingsForm, id: string): SettingRow | null {
  for (const section of form.sections) {
    const row = section.settings.find((setting) => setting.id === id);
    if (row) return row;
  }
  return null;
}
