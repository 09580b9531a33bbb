/** A filter in words: what its chips and saved entries are called. */
import type { ColumnCard, Condition, Filter, Operator, Value } from "../backend/bindings";
import { cellText } from "../table/cells";
import { size } from "../table/ranges";
import { t, type TextKey } from "../text";
import { language } from "../text/language.svelte";
import { entryOf, takesValue } from "./operators";
import { filterOfPart, type Draft, type Part } from "./model";

export interface Names {
  columns: readonly ColumnCard[];
  /** What a finding is called; its code where that is not known yet. */
  findingTitle(code: string): string;
}

export function wordsOf(filter: Filter, names: Names): string {
  if ("all" in filter) return joined(filter.all, t("filter.and"), names);
  if ("any" in filter) {
    const choice = oneOf(filter.any);
    return choice ? oneOfWords(choice, names) : joined(filter.any, t("filter.or"), names);
  }
  if ("not" in filter) return "is" in filter.not ? opposite(filter.not.is, names) : t("filter.is_not", { words: wordsOf(filter.not, names) });
  if ("is" in filter) return conditionWords(filter.is, names);
  if ("search" in filter) return t("filter.search_for", { term: filter.search });
  if ("finding" in filter) return t("filter.finding", { title: names.findingTitle(filter.finding) });
  if ("links_to" in filter) return t("filter.links_to", { n: filter.links_to.length });
  if ("links_from" in filter) return t("filter.links_from", { n: filter.links_from.length });
  return t("filter.links_to_rows", { n: size(filter.links_to_rows.ranges) });
}

export const partWords = (part: Part, names: Names): string => {
  const filter = filterOfPart(part);
  return filter ? wordsOf(filter, names) : t("filter.incomplete");
};

export function draftWords(draft: Draft, names: Names): string {
  const parts = draft.parts.map((part) => partWords(part, names)).join(` ${t(draft.join === "all" ? "filter.and" : "filter.or")} `);
  const search = draft.search.trim();
  return [...(search ? [t("filter.search_for", { term: search })] : []), ...(parts ? [parts] : [])].join(", ");
}

/** The conditions that a column has one of several values, where the filters are that and nothing else. */
export function oneOf(filters: readonly Filter[]): Condition[] | null {
  const conditions = filters.flatMap((filter) => ("is" in filter && filter.is.operator === "equals" ? [filter.is] : []));
  const [first] = conditions;
  return first && conditions.length > 1 && conditions.length === filters.length && conditions.every(({ column }) => column === first.column) ? conditions : null;
}

/** "Verdict is broken, blocked or invalid". */
export function oneOfWords(conditions: readonly Condition[], names: Names): string {
  const [first] = conditions;
  const card = names.columns.find(({ id }) => id === first?.column);
  const values = conditions.map(({ value }) => (value === 1 && card?.kind === "flag" ? t("table.yes") : valueWords(value, card)));
  const value = `${values.slice(0, -1).join(", ")} ${t("filter.or")} ${values.at(-1) ?? ""}`;
  return t("filter.words.equals", { column: card?.label ?? first?.column ?? "", value });
}

function joined(filters: Filter[], word: string, names: Names): string {
  return filters.map((filter) => ("all" in filter || "any" in filter ? `(${wordsOf(filter, names)})` : wordsOf(filter, names))).join(` ${word} `);
}

const OPPOSITES: Partial<Record<Operator, Operator>> = { equals: "differs", differs: "equals", contains: "lacks", lacks: "contains", empty: "filled", filled: "empty" };

/** A negated condition as a person would say it. */
function opposite(condition: Condition, names: Names): string {
  const card = names.columns.find(({ id }) => id === condition.column);
  if (card?.kind === "flag" && condition.operator === "equals") return conditionWords({ ...condition, value: condition.value === 1 ? 0 : 1 }, names);
  const operator = OPPOSITES[condition.operator];
  // "Not equal" and "not the opposite" differ for rows without a value, which SQL leaves out of both: the plain word would mislead only there.
  return operator ? conditionWords({ ...condition, operator }, names) : t("filter.is_not", { words: conditionWords(condition, names) });
}

function conditionWords({ column, operator, value }: Condition, names: Names): string {
  const card = names.columns.find(({ id }) => id === column);
  const label = card?.label ?? column;
  if (card?.kind === "flag" && operator === "equals") return t(value === 1 ? "filter.words.yes" : "filter.words.no", { column: label });
  const form = card?.kind === "time" && operator === "at_least" ? "from" : card?.kind === "time" && operator === "below" ? "before" : operator;
  return t(`filter.words.${form}` as TextKey, { column: label, value: takesValue(operator) ? valueWords(value, card) : "" });
}

export function valueWords(value: Value, card: ColumnCard | undefined): string {
  if (value === null || value === "") return "…";
  if (!card) return String(value);
  const entry = entryOf(card);
  if (entry === "choice") return choiceWords(String(value), card);
  if (entry === "number" && card.kind !== "status") return cellText(card.kind, value);
  if (entry === "time") return new Date(String(value)).toLocaleDateString(language.locale);
  return entry === "text" ? `“${String(value)}”` : String(value);
}

export const choiceWords = (choice: string, card: ColumnCard): string => cellText(card.kind === "text" ? "state" : card.kind, choice);
