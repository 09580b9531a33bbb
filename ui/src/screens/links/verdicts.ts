/** The quick filters of links and of their targets, by verdict and by where the target is. */
import type { Filter, TableCard } from "$lib/backend/bindings";
import { answerable, is, type Quick } from "../urls/quick";

/** Verdicts that mean something to repair or to look at. */
export const PROBLEMS = ["broken", "unverified", "invalid", "blocked"] as const;

/** Targets grouped, by the names that the list may have in the catalogue. */
export const TARGET_TABLES: readonly string[] = ["problem_targets", "targets"];

/** The first of these columns that a table has. */
export function columnAmong(table: TableCard | undefined, names: readonly string[]): string | null {
  return names.find((name) => table?.columns.some((column) => column.id === name)) ?? null;
}

const verdict = (word: string): Quick => ({ id: word, filters: [is("verdict", "equals", word)] });

/** A list of targets may hold only those with problems, or all: then "all problems" is a condition of its own. */
export function targetQuicks(table: TableCard | undefined): Quick[] {
  const words = table?.columns.find((column) => column.id === "verdict")?.choices ?? [];
  const every: Filter[] = words.includes("ok") ? [{ any: PROBLEMS.map((word) => is("verdict", "equals", word)) }] : [];
  const redirects = words.includes("redirect") ? [verdict("redirect")] : [];
  return answerable([{ id: "all", filters: every }, ...PROBLEMS.map(verdict), ...redirects], table);
}

export function linkQuicks(table: TableCard | undefined): Quick[] {
  return answerable([{ id: "every", filters: [] }, ...PROBLEMS.map(verdict), verdict("redirect"), verdict("ok")], table);
}

/** Targets on the site, on other sites, or wherever. */
export function whereQuicks(table: TableCard | undefined): Quick[] {
  const column = columnAmong(table, ["internal", "target_internal"]);
  if (column === null) return [];
  return [
    { id: "anywhere", filters: [] },
    { id: "internal", filters: [is(column, "equals", 1)] },
    { id: "external", filters: [is(column, "equals", 0)] },
  ];
}

/** Where a target is linked. One that is no address has no key: it is known by how it was written. */
export function occurrencesOf(key: number, target: string): Filter {
  return key > 0 ? { links_to: [key] } : { all: [is("verdict", "equals", "invalid"), is("raw_href", "equals", target)] };
}
