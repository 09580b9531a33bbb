/**
 * The filter that a person builds, and the filter that the engine takes.
 *
 * The engine's `Filter` is a tree of any depth. A person sees a search, and a row of chips joined by "and" or by "or",
 * one of which may be a group of conditions. `drafted` turns the first into the second and `filterOf` back, without
 * loss: what a draft cannot say (a list of findings, links of a page, deeper trees) stays in it as a fixed part.
 */
import type { Condition, Filter } from "../backend/bindings";

export type Join = "all" | "any";

export type Part = { kind: "condition"; negated: boolean; condition: Condition } | Group | { kind: "fixed"; negated: boolean; filter: Filter };

export interface Group {
  kind: "group";
  negated: boolean;
  join: Join;
  parts: Part[];
}

export interface Draft {
  search: string;
  join: Join;
  parts: Part[];
}

export const EMPTY: Draft = { search: "", join: "all", parts: [] };

export function drafted(filter: Filter | null): Draft {
  if (!filter) return EMPTY;
  const items = "all" in filter ? filter.all : [filter];
  const search = items.find(isSearch);
  const others = items.filter((item) => item !== search);
  const [only] = others;
  if (others.length === 1 && only && "any" in only) return { search: search?.search ?? "", join: "any", parts: only.any.map((item) => partOf(item, 1)) };
  return { search: search?.search ?? "", join: "all", parts: others.map((item) => partOf(item, 1)) };
}

const isSearch = (filter: Filter): filter is { search: string } => "search" in filter;

/** `deeper` groups may still be opened below this part. */
function partOf(filter: Filter, deeper: 0 | 1): Part {
  let inner = filter;
  let negated = false;
  while ("not" in inner) {
    negated = !negated;
    inner = inner.not;
  }
  if ("is" in inner) return { kind: "condition", negated, condition: inner.is };
  const join: Join | null = "all" in inner ? "all" : "any" in inner ? "any" : null;
  const items = "all" in inner ? inner.all : "any" in inner ? inner.any : [];
  if (!join || deeper === 0) return { kind: "fixed", negated, filter: inner };
  return { kind: "group", negated, join, parts: items.map((item) => partOf(item, 0)) };
}

/** The filter of a draft; null where it lets everything pass. Empty groups are left out. */
export function filterOf(draft: Draft): Filter | null {
  const parts = draft.parts.flatMap((part) => filterOfPart(part) ?? []);
  const term = draft.search.trim();
  const [first] = parts;
  const joined: Filter[] = draft.join === "any" && parts.length > 1 ? [{ any: parts }] : parts;
  const items: Filter[] = term ? [{ search: term }, ...joined] : joined;
  if (items.length === 0 || (!term && !first)) return null;
  return items.length === 1 && items[0] ? items[0] : { all: items };
}

export function filterOfPart(part: Part): Filter | null {
  const inner = innerOf(part);
  return inner && part.negated ? { not: inner } : inner;
}

function innerOf(part: Part): Filter | null {
  if (part.kind === "condition") return { is: part.condition };
  if (part.kind === "fixed") return part.filter;
  const items = part.parts.flatMap((inner) => filterOfPart(inner) ?? []);
  if (items.length === 0) return null;
  return items.length === 1 && items[0] ? items[0] : part.join === "all" ? { all: items } : { any: items };
}

export const isEmpty = (draft: Draft): boolean => draft.parts.length === 0 && draft.search.trim() === "";
export const sameFilter = (a: Filter | null, b: Filter | null): boolean => JSON.stringify(a) === JSON.stringify(b);

export const withPart = (draft: Draft, place: number, part: Part): Draft => ({ ...draft, parts: draft.parts.map((own, i) => (i === place ? part : own)) });
export const withoutPart = (draft: Draft, place: number): Draft => ({ ...draft, parts: draft.parts.filter((_, i) => i !== place) });
export const negated = <P extends Part>(part: P): P => ({ ...part, negated: !part.negated });

/** The words that a filter searches for, which the table highlights. Those of a negated search are not in any row. */
export function searched(filter: Filter | null): string {
  return drafted(filter).search.trim();
}

/** A filter with one more condition that all rows must meet. */
export function narrowed(filter: Filter | null, condition: Condition, leaveOut: boolean): Filter {
  const draft = drafted(filter);
  const part: Part = { kind: "condition", negated: leaveOut, condition };
  if (draft.join === "any" && draft.parts.length > 1) {
    const group: Group = { kind: "group", negated: false, join: "any", parts: draft.parts };
    return filterOf({ ...draft, join: "all", parts: [group, part] }) ?? { is: condition };
  }
  return filterOf({ ...draft, join: "all", parts: [...draft.parts, part] }) ?? { is: condition };
}
