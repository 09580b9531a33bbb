/** Lines of a robots.txt for the eye: their parts, the lines of a group, and those that an edit changed. */
import type { RobotsFile } from "$lib/backend";

/** A line taken apart: `key` with its colon, then the value, then a comment. What no key has is all value. */
export type Parts = { key: string; value: string; comment: string };

/** `kind` as the engine read the line: it tolerates a key without its colon. */
export function partsOf(text: string, kind: string): Parts {
  const hash = text.indexOf("#");
  const body = hash < 0 ? text : text.slice(0, hash);
  const colon = body.indexOf(":") + 1;
  const end = colon > 0 || kind === "unreadable" ? colon : (/^\s*\S+(?=\s)/.exec(body)?.[0].length ?? 0);
  return { key: body.slice(0, end), value: body.slice(end), comment: hash < 0 ? "" : text.slice(hash) };
}

/** The lines of a text, without the empty one after the last line break. */
export function linesOf(text: string): string[] {
  const lines = text.split(/\r\n|\r|\n/);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** Numbers of the lines that a token follows; `group` is the one that the engine found for a token that `file.agents` does not name. */
export function linesFollowed(file: RobotsFile, agent: string, group: string | null): Set<number> {
  const known = file.agents.find((one) => same(one.token, agent));
  const numbers = new Set<number>();
  for (const line of file.lines) {
    const of = line.group === null ? undefined : file.groups[line.group];
    const follows = known
      ? (known.role === "own" ? line.followed : line.followed_by_bot)
      : group !== null && of?.agents.some((name) => same(name, group));
    if (follows) numbers.add(line.number);
  }
  return numbers;
}

export const same = (a: string, b: string): boolean => a.trim().toLowerCase() === b.trim().toLowerCase();

/** Numbers of the lines that `before` did not have in the place where `now` has them. */
export function changedLines(before: string[], now: string[]): Set<number> {
  let head = 0;
  while (head < before.length && head < now.length && before[head] === now[head]) head++;
  let tail = 0;
  while (tail < before.length - head && tail < now.length - head && before[before.length - 1 - tail] === now[now.length - 1 - tail]) tail++;
  // Between the first and the last edit, a line that was there before counts as kept as often as it was there.
  const left = new Map<string, number>();
  for (const line of before.slice(head, before.length - tail)) left.set(line, (left.get(line) ?? 0) + 1);
  const changed = new Set<number>();
  for (let i = head; i < now.length - tail; i++) {
    const line = now[i] ?? "";
    const times = left.get(line) ?? 0;
    if (times > 0) left.set(line, times - 1);
    else changed.add(i + 1);
  }
  return changed;
}

/** Lines as they are named: `2–4, 10`. What lies between two groups for the same crawler belongs to neither. */
export function named(lines: Set<number>): string {
  const parts: string[] = [];
  for (const from of [...lines].sort((a, b) => a - b)) {
    if (lines.has(from - 1)) continue;
    let to = from;
    while (lines.has(to + 1)) to++;
    parts.push(to > from ? `${from}–${to}` : String(from));
  }
  return parts.join(", ");
}

/** What a person typed into the tester: a line a URL, empty ones left out. */
export const typedUrls = (text: string): string[] => text.split("\n").map((line) => line.trim()).filter((line) => line !== "");
