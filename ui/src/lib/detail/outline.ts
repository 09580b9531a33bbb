/** The headings of a page as an outline, with what is wrong in it. */

import type { Heading } from "$lib/backend/bindings";

/** `first`: the page does not begin with an h1. `skipped`: the level before it is missing. `again`: another h1. */
export type Flaw = "first" | "skipped" | "again" | "empty";
export type OutlineRow = { level: number; text: string; flaw: Flaw | null; after: number | null };

/** `after` is the level that stands before a heading; null for the first. */
export function outline(headings: Heading[]): OutlineRow[] {
  let before: number | null = null;
  let seenH1 = false;
  return headings.map(({ level, text }) => {
    const row: OutlineRow = { level, text: text.trim(), flaw: null, after: before };
    if (row.text === "") row.flaw = "empty";
    else if (before === null && level > 1) row.flaw = "first";
    else if (before !== null && level > before + 1) row.flaw = "skipped";
    else if (level === 1 && seenH1) row.flaw = "again";
    seenH1 ||= level === 1;
    before = level;
    return row;
  });
}

/** How many headings of each level there are; only levels that occur, in order. */
export function levels(headings: Heading[]): { level: number; count: number }[] {
  const counts = new Map<number, number>();
  for (const { level } of headings) counts.set(level, (counts.get(level) ?? 0) + 1);
  return [...counts].map(([level, count]) => ({ level, count })).sort((a, b) => a.level - b.level);
}
