/** Evidence of a finding in words: what is shown of it, how, and the line of the source that it points to. */

import type { Fact } from "$lib/backend/bindings";
import { count, moment } from "$lib/format";

/** `mono`: written as in the source. `url`: can be opened. */
export type Shown = { label: string; value: string; mono: boolean; url: boolean };

const SPELT: Record<string, string> = {
  ttfb: "first byte",
  url: "URL", h1: "H1", h1s: "H1s", h2: "H2", h2s: "H2s", id: "ID", href: "href", html: "HTML", px: "pixels", "robots.txt": "robots.txt",
};
const UNITS: Record<string, string> = { ms: " ms", s: " s", px: " px" };
const WRITTEN = new Set(["element", "raw_href", "href", "rule", "headers", "robots", "beginning", "canonical", "rel"]);

/** Empty values say nothing and are left out; the element, its line and its href come first, since they are what is looked for. */
export function shown(facts: Fact[]): Shown[] {
  return [...facts]
    .filter((fact) => fact.value !== "")
    .sort((a, b) => rank(a.name) - rank(b.name))
    .map(({ name, value }) => {
      const { label, unit } = labelOf(name);
      const url = isUrl(value);
      return { label, value: value + unit, mono: url || WRITTEN.has(name.toLowerCase()) || WRITTEN.has(name.toLowerCase().replaceAll(" ", "_")), url };
    });
}

/** The line of the source that a finding points to; null where it has none, as with a header. */
export function lineOf(facts: Fact[]): number | null {
  const fact = facts.find((one) => one.name.toLowerCase() === "line");
  const line = Number(fact?.value.replace(/\D/gu, "") ?? 0);
  return Number.isSafeInteger(line) && line > 0 ? line : null;
}

/** One line for lists and for the clipboard: "Element footer > a · Line 214". */
export function sentence(facts: Fact[]): string {
  return shown(facts).map(({ label, value }) => `${label} ${value}`).join(" · ");
}

/**
 * The evidence of a row, as the engine writes it in one line ("target: https://… · raw href: …"), in its order. What is
 * on the site itself is told by its path: `origin` is the same in every row. A text without names comes back whole.
 */
export function facts(line: string, origin: string | null): { label: string; value: string }[] {
  const found: { label: string; value: string }[] = [];
  for (const part of line.split(" · ")) {
    const named = /^([a-z][a-z0-9 ]{0,40}): ?(.*)$/su.exec(part);
    const last = found.at(-1);
    // A value may hold the sign that stands between facts.
    if (!named) {
      if (last) last.value += ` · ${part}`;
      else found.push({ label: "", value: part });
    } else if (named[2]) {
      const { label, unit } = labelOf((named[1] ?? "").replaceAll(" ", "_"));
      const value = origin && named[2].startsWith(`${origin}/`) ? named[2].slice(origin.length) : readable(named[2]);
      found.push({ label, value: value + unit });
    }
  }
  return found;
}

function rank(name: string): number {
  const at = ["element", "line", "raw_href", "anchor"].indexOf(name.toLowerCase().replaceAll(" ", "_"));
  return at === -1 ? 9 : at;
}

/** Names with underscores are the engine's keys; anything else is a label already and stays as it is. */
function labelOf(name: string): { label: string; unit: string } {
  if (!/^[a-z0-9_]+$/u.test(name)) return { label: name, unit: "" };
  const words = name.split("_");
  const last = words.at(-1) ?? "";
  const unit = words.length > 1 ? UNITS[last] : undefined;
  if (unit !== undefined) words.pop();
  const spelt = words.map((word) => SPELT[word] ?? word).join(" ");
  return { label: spelt.charAt(0).toUpperCase() + spelt.slice(1), unit: unit ?? "" };
}

/** A value as a person reads it: moments and bare whole numbers in the window's language, all else as the engine says it. */
export function readable(value: string): string {
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d[\d:.]*Z$/u.test(value)) return moment(value);
  if (/^[1-9]\d{3,14}$/u.test(value)) return count(Number(value));
  return value;
}

export function isUrl(value: string): boolean {
  return /^https?:\/\/\S+$/iu.test(value);
}
