/** What is written into a cell, by the kind of its column. The engine's codes become words of the window's language. */
import type { ColumnKind, Tone, Value } from "../backend/bindings";
import { bytes, count, moment, ms, real } from "../format";
import { t, type TextKey } from "../text";

/** What stands in a cell that has no value. */
export const NO_VALUE = "";

export function cellText(kind: ColumnKind, value: Value | undefined): string {
  if (value === null || value === undefined || value === "") return NO_VALUE;
  switch (kind) {
    case "int": return typeof value === "number" ? count(value) : value;
    case "real": return typeof value === "number" ? (Number.isInteger(value) ? count(value) : real(value, Math.abs(value) < 1 ? 3 : 2)) : value;
    case "bytes": return typeof value === "number" ? bytes(value) : value;
    case "ms": return typeof value === "number" ? ms(value) : value;
    case "flag": return value === 1 || value === "1" || value === "true" ? t("table.yes") : t("table.no");
    case "time": return moment(String(value));
    case "state": case "verdict": case "severity": return codeWords(String(value));
    case "json": return readable(String(value));
    default: return String(value);
  }
}

/** "not_checked" → "not checked". */
export function codeWords(code: string): string {
  const key = `table.value.${code}`;
  const words = t(key as TextKey);
  return words === key ? code.replaceAll("_", " ") : words;
}

/** The hue and shape of a code; null for those that have none. */
export function toneOf(kind: ColumnKind, value: Value | undefined): Tone | null {
  if (typeof value !== "string") return null;
  if (kind === "verdict" || kind === "state") return TONES[value] ?? "neutral";
  return null;
}

const TONES: Record<string, Tone> = {
  ok: "good", fetched: "good", indexable: "good", redirect: "redirect", broken: "bad", failed: "bad", invalid: "bad",
  unverified: "warning", blocked: "warning", over_limit: "warning", "no-response": "bad", "client-error": "bad", "server-error": "bad",
  "blocked-by-robots": "warning", noindex: "warning", canonicalised: "redirect",
};

export const isNumeric = (kind: ColumnKind): boolean => kind === "int" || kind === "real" || kind === "bytes" || kind === "ms";

/** JSON as a person reads it: lists by commas, objects as "name: value". */
export function readable(json: string): string {
  try {
    return spoken(JSON.parse(json), 0);
  } catch {
    return json;
  }
}

function spoken(value: unknown, depth: number): string {
  if (value === null) return "–";
  if (typeof value !== "object") return String(value);
  // Two levels are readable in one line; what is deeper stays JSON.
  if (depth > 1) return JSON.stringify(value);
  if (Array.isArray(value)) return value.map((item) => spoken(item, depth + 1)).join(depth === 0 && value.some((item) => typeof item === "object") ? "; " : ", ");
  return Object.entries(value).map(([name, inner]) => `${name}: ${spoken(inner, depth + 1)}`).join(", ");
}

export interface Piece {
  text: string;
  hit: boolean;
}

/** A text cut at the places where `term` occurs, whatever its case. */
export function pieces(text: string, term: string): Piece[] {
  if (!term || !text) return [{ text, hit: false }];
  const [hay, needle] = [text.toLowerCase(), term.toLowerCase()];
  // Some letters change their length with their case: then places in one are not those in the other.
  if (hay.length !== text.length) return [{ text, hit: false }];
  const found: Piece[] = [];
  let from = 0;
  for (let at = hay.indexOf(needle); at >= 0; at = hay.indexOf(needle, from)) {
    if (at > from) found.push({ text: text.slice(from, at), hit: false });
    found.push({ text: text.slice(at, at + needle.length), hit: true });
    from = at + needle.length;
  }
  if (from < text.length) found.push({ text: text.slice(from), hit: false });
  return found;
}
