/** Which comparisons a column offers by its kind, and what a person may type as their value. */
import type { ColumnCard, ColumnKind, Condition, Operator, Value } from "../backend/bindings";

const TEXT: readonly Operator[] = ["contains", "lacks", "equals", "differs", "starts", "ends", "matches", "empty", "filled"];
const NUMBER: readonly Operator[] = ["equals", "differs", "above", "below", "at_least", "at_most", "empty", "filled"];
const CHOICE: readonly Operator[] = ["equals", "differs", "empty", "filled"];
const TIME: readonly Operator[] = ["at_least", "below", "empty", "filled"];

/** How the value of a condition is given. */
export type Entry = "text" | "number" | "choice" | "flag" | "time";

export function entryOf(card: Pick<ColumnCard, "kind" | "choices">): Entry {
  switch (card.kind) {
    case "int": case "real": case "bytes": case "ms": case "status": return "number";
    case "flag": return "flag";
    case "time": return "time";
    default: return card.choices.length > 0 ? "choice" : "text";
  }
}

export function operatorsOf(card: Pick<ColumnCard, "kind" | "choices">): readonly Operator[] {
  switch (entryOf(card)) {
    case "number": return NUMBER;
    case "flag": return ["equals"];
    case "choice": return CHOICE;
    case "time": return TIME;
    case "text": return TEXT;
  }
}

export const takesValue = (operator: Operator): boolean => operator !== "empty" && operator !== "filled";

/** What a new condition on a column begins with. */
export function begun(card: ColumnCard): Condition {
  const [operator = "equals"] = operatorsOf(card);
  const entry = entryOf(card);
  const value: Value = entry === "flag" ? 1 : entry === "choice" ? (card.choices[0] ?? "") : "";
  return { column: card.id, operator: card.kind === "int" || card.kind === "bytes" || card.kind === "ms" ? "at_least" : operator, value };
}

/** The same condition on another column, keeping what still makes sense. */
export function moved(condition: Condition, from: ColumnCard | undefined, to: ColumnCard): Condition {
  const fresh = begun(to);
  const keeps = from !== undefined && entryOf(from) === entryOf(to) && entryOf(to) !== "choice";
  return keeps && operatorsOf(to).includes(condition.operator) ? { ...condition, column: to.id } : fresh;
}

/** Whether a condition can be asked: its value is there and is one of its kind. */
export function isWhole(condition: Condition, card: Pick<ColumnCard, "kind" | "choices"> | undefined): boolean {
  if (!takesValue(condition.operator)) return true;
  if (!card) return condition.value !== null && condition.value !== "";
  if (entryOf(card) === "number" || entryOf(card) === "flag") return typeof condition.value === "number";
  if (entryOf(card) === "time") return typeof condition.value === "string" && /^\d{4}-\d\d-\d\d/.test(condition.value);
  return typeof condition.value === "string" ? condition.value !== "" : condition.value !== null;
}

const UNITS: Partial<Record<ColumnKind, Record<string, number>>> = {
  bytes: { "": 1, b: 1, k: 1e3, kb: 1e3, kib: 1024, m: 1e6, mb: 1e6, mib: 1_048_576, g: 1e9, gb: 1e9 },
  ms: { "": 1, ms: 1, s: 1e3, sec: 1e3, min: 60_000 },
};

/**
 * The number that a person typed: "1.5 MB", "1,5 MB", "2 s", "12,000", "12.000". Null where it is none.
 * A mark with exactly three digits behind it groups thousands; any other is the decimal mark.
 */
export function numberOf(text: string, kind: ColumnKind): number | null {
  const value = readNumber(text, kind);
  return value === null || misreading(text, kind) !== null ? null : kind === "real" ? value : Math.round(value);
}

/** Why a text is no value of a column of numbers; null where it is one. */
export function misreading(text: string, kind: ColumnKind): "missing" | "not_a_number" | "not_whole" | "too_large" | null {
  if (text.trim() === "") return "missing";
  const value = readNumber(text, kind);
  if (value === null) return "not_a_number";
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) return "too_large";
  return (kind === "int" || kind === "status") && !Number.isInteger(value) ? "not_whole" : null;
}

function readNumber(text: string, kind: ColumnKind): number | null {
  const found = /^\s*(-?)([\d.,'\u2009\u00a0\u202f ]*\d)\s*([a-z]*)\s*$/i.exec(text);
  if (!found) return null;
  const [, minus = "", digits = "", unit = ""] = found;
  const factor = (UNITS[kind] ?? { "": 1 })[unit.toLowerCase()];
  if (factor === undefined) return null;
  const plain = digits.replace(/['\u2009\u00a0\u202f ]/g, "").replace(/[.,](?=\d{3}(?:[.,]|$))/g, "").replace(",", ".");
  const value = Number(`${minus}${plain}`) * factor;
  if (!Number.isFinite(value) || plain === "") return null;
  return value;
}
