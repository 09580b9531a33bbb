/**
 * Paths of files to be written, handled as text. The window never touches the file system itself: it only proposes
 * a path and shows where something went, so both kinds of separators are understood on every system.
 */

const RESERVED = /^(con|prn|aux|nul|com[1-9]|lpt[1-9])$/i;
const LONGEST_STEM = 80;

/** Everything before the last separator, without it; empty where the path names no folder. */
export function folderOf(path: string): string {
  const cut = lastSeparator(path);
  if (cut < 0) return "";
  // The root stays a root.
  return cut === 0 || /^[A-Za-z]:$/.test(path.slice(0, cut)) ? path.slice(0, cut + 1) : path.slice(0, cut);
}

/** The last part of the path. */
export function fileOf(path: string): string {
  return path.slice(lastSeparator(path) + 1);
}

export function inFolder(folder: string, file: string): string {
  if (folder === "") return file;
  const separator = folder.includes("\\") && !folder.includes("/") ? "\\" : "/";
  return folder.endsWith(separator) ? folder + file : folder + separator + file;
}

/** The path with its file's ending replaced. An ending that is not one of `known` belongs to the name and stays. */
export function withEnding(path: string, ending: string, known: readonly string[]): string {
  const folder = path.slice(0, lastSeparator(path) + 1);
  const file = fileOf(path);
  const dot = file.lastIndexOf(".");
  const isKnown = dot > 0 && known.includes(file.slice(dot + 1).toLowerCase());
  return `${folder}${isKnown ? file.slice(0, dot) : file}.${ending}`;
}

/** The ending of the path's file in small letters, without its dot; empty where it has none. */
export function endingOf(path: string): string {
  const file = fileOf(path);
  const dot = file.lastIndexOf(".");
  return dot > 0 ? file.slice(dot + 1).toLowerCase() : "";
}

/** The stem with the day behind it, as the person's calendar has it. */
export function dated(name: string, day: Date): string {
  const two = (n: number) => String(n).padStart(2, "0");
  return `${name}-${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}

/** The path with a number before the ending of its file: "tea.csv" → "tea-2.csv". */
export function numbered(path: string, n: number): string {
  const ending = endingOf(path);
  return ending === "" ? `${path}-${n}` : `${path.slice(0, -ending.length - 1)}-${n}${path.slice(-ending.length - 1)}`;
}

/** A file name without ending, made of text from elsewhere: no separators, nothing a system reserves, never empty. */
export function stem(text: string): string {
  const clean = Array.from(text, (letter) => (/[\p{L}\p{N}._-]/u.test(letter) ? letter : "-"))
    .join("")
    .replace(/-{2,}/g, "-")
    .slice(0, LONGEST_STEM)
    .replace(/^[.-]+|[.-]+$/g, "");
  if (clean === "") return "export";
  return RESERVED.test(clean.split(".")[0] ?? "") ? `site-${clean}` : clean;
}

function lastSeparator(path: string): number {
  return Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\"));
}
