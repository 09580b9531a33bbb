/**
 * Stored HTML as rows that can be drawn a few at a time.
 *
 * A row is a line of the source or, where a line is longer than a screen is wide many times over (minified pages), a
 * piece of it: a browser that lays out one text of two megabytes stands still for seconds.
 */

/** `line` is one-based as in findings; `start` is an offset into the whole text. `first` is false for the later pieces of a line. */
export type SourceRow = { line: number; start: number; end: number; first: boolean };
export type Match = { start: number; end: number };

/** Characters of the longest row. */
export const PIECE = 400;

/** Matches beyond this are not listed: nobody steps through them one by one. */
export const MATCHES = 10_000;

export function rowsOf(html: string): SourceRow[] {
  const rows: SourceRow[] = [];
  let line = 1;
  let start = 0;
  for (;;) {
    const feed = html.indexOf("\n", start);
    let end = feed === -1 ? html.length : feed;
    const next = end + 1;
    if (end > start && html[end - 1] === "\r") end -= 1;
    let from = start;
    do {
      const to = pieceEnd(html, from, end);
      rows.push({ line, start: from, end: to, first: from === start });
      from = to;
    } while (from < end);
    if (feed === -1) return rows;
    start = next;
    line += 1;
  }
}

/** Pieces end after a tag where one ends near the limit, and never inside a surrogate pair. */
function pieceEnd(html: string, from: number, end: number): number {
  if (end - from <= PIECE) return end;
  const limit = from + PIECE;
  // Not `lastIndexOf`, which would look through everything before where there is no tag.
  for (let at = limit - 1; at > from + PIECE / 2; at -= 1) if (html[at] === ">") return at + 1;
  const code = html.charCodeAt(limit);
  return code >= 0xdc00 && code <= 0xdfff ? limit + 1 : limit;
}

/** Case is ignored unless the needle has a capital. Matches do not overlap. */
export function find(html: string, needle: string): Match[] {
  if (needle === "") return [];
  const pattern = new RegExp(needle.replace(/[.*+?^${}()|[\]\\]/gu, "\\$&"), /\p{Lu}/u.test(needle) ? "gu" : "giu");
  const matches: Match[] = [];
  for (const found of html.matchAll(pattern)) {
    matches.push({ start: found.index, end: found.index + found[0].length });
    if (matches.length === MATCHES) break;
  }
  return matches;
}

/** The index of the row that holds an offset. */
export function rowAt(rows: SourceRow[], offset: number): number {
  let low = 0;
  let high = rows.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((rows[middle]?.start ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The index of the first row of a line; the last row where the source is shorter. */
export function rowOfLine(rows: SourceRow[], line: number): number {
  let low = 0;
  let high = rows.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rows[middle]?.line ?? 0) < line) low = middle + 1;
    else high = middle;
  }
  return low;
}

export type Part = { text: string; kind: "text" | "tag" | "comment"; match: "none" | "found" | "current"; pointed: boolean };

/**
 * A row as parts to be drawn: markup told from text, and what was found marked. Judged by the row alone, so a tag that
 * began on an earlier row is told by its end; that is wrong at times, and never slow.
 */
export function partsOf(html: string, row: SourceRow, matches: Match[], current: number, pointed: Match | null = null): Part[] {
  const parts: Part[] = [];
  for (const [start, end, kind, isPointed] of cut(markup(html, row), pointed)) {
    let from = start;
    for (let at = firstMatch(matches, start); from < end; at += 1) {
      const match = matches[at];
      const begin = match === undefined ? end : Math.min(Math.max(match.start, from), end);
      if (begin > from) parts.push({ text: html.slice(from, begin), kind, match: "none", pointed: isPointed });
      if (match === undefined || begin === end) break;
      const stop = Math.min(match.end, end);
      parts.push({ text: html.slice(begin, stop), kind, match: at === current ? "current" : "found", pointed: isPointed });
      from = stop;
    }
  }
  return parts;
}

/** The spans, cut where the element begins and ends to which something points. */
function cut(spans: [number, number, Part["kind"]][], pointed: Match | null): [number, number, Part["kind"], boolean][] {
  return spans.flatMap(([start, end, kind]) => {
    if (pointed === null || pointed.end <= start || pointed.start >= end) return [[start, end, kind, false]];
    const [from, to] = [Math.max(start, pointed.start), Math.min(end, pointed.end)];
    const pieces: [number, number, Part["kind"], boolean][] = [[start, from, kind, false], [from, to, kind, true], [to, end, kind, false]];
    return pieces.filter(([first, last]) => last > first);
  });
}

function markup(html: string, row: SourceRow): [number, number, Part["kind"]][] {
  const text = html.slice(row.start, row.end);
  const spans: [number, number, Part["kind"]][] = [];
  let at = 0;
  const open = text.indexOf("<");
  const close = text.indexOf(">");
  if (close !== -1 && (open === -1 || close < open) && /["'\s/\w]>/u.test(text.slice(Math.max(0, close - 1), close + 1))) {
    spans.push([row.start, row.start + close + 1, "tag"]);
    at = close + 1;
  }
  while (at < text.length) {
    const next = /<(?:!--|[a-z/!?])/iu.exec(text.slice(at));
    if (next === null) break;
    const begin = at + next.index;
    if (begin > at) spans.push([row.start + at, row.start + begin, "text"]);
    const comment = next[0] === "<!--";
    const ending = comment ? "-->" : ">";
    const found = text.indexOf(ending, begin);
    const end = found === -1 ? text.length : found + ending.length;
    spans.push([row.start + begin, row.start + end, comment ? "comment" : "tag"]);
    at = end;
  }
  if (at < text.length) spans.push([row.start + at, row.end, "text"]);
  return spans;
}

/** The first match that ends after an offset. */
function firstMatch(matches: Match[], offset: number): number {
  let low = 0;
  let high = matches.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((matches[middle]?.end ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
