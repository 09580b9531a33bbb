/**
 * How wide a text is in a search result, in Arial, and where a result list cuts it.
 *
 * The widths are those of the engine (thousandths of an em from the metrics that Arial, Helvetica and their free
 * equivalents share), so that a title drawn here is cut where the audits say that it is too wide.
 */

/** A text laid out in a result: its lines as shown, and whether something was left out. */
export type Laid = { lines: string[]; cut: boolean };

/** Font sizes of a result list, in pixels. */
export const TITLE_SIZE = 20;
export const DESCRIPTION_SIZE = 13.9;
export const PHONE_TITLE_SIZE = 18;

/** Pixels of one line: a result on a desktop, and on a phone 412 px wide less its margins. */
export const DESKTOP_LINE = 600;
export const PHONE_LINE = 348;
export const PHONE_TITLE_LINES = 2;
export const PHONE_DESCRIPTION_LINES = 3;

const ELLIPSIS = " …";

/** Whole pixels of a text at a font size. */
export function pixels(text: string, size: number): number {
  return Math.round(thousandths(text) * size / 1000);
}

/** One line of at most `room` pixels, cut at a word where that keeps most of it, as result lists do. */
export function cutAt(text: string, size: number, room: number): Laid {
  const clean = collapse(text);
  if (pixels(clean, size) <= room) return { lines: [clean], cut: false };
  return { lines: [fit(clean, size, room - pixels(ELLIPSIS, size)) + ELLIPSIS], cut: true };
}

/** Lines of at most `room` pixels, broken at words; what does not fit on the last line is cut. */
export function wrapAt(text: string, size: number, room: number, lines: number): Laid {
  let rest = collapse(text);
  const laid: string[] = [];
  while (rest !== "") {
    if (pixels(rest, size) <= room) {
      laid.push(rest);
      rest = "";
    } else if (laid.length === lines - 1) {
      laid.push(fit(rest, size, room - pixels(ELLIPSIS, size)) + ELLIPSIS);
      return { lines: laid, cut: true };
    } else {
      const line = fit(rest, size, room);
      laid.push(line);
      rest = rest.slice(line.length).trimStart();
    }
  }
  return { lines: laid, cut: false };
}

/** The longest beginning that fits. A break in the middle of a word is better than a line less than half full. */
function fit(text: string, size: number, room: number): string {
  let used = 0;
  let end = 0;
  let word = 0;
  for (const character of text) {
    used += advance(character.codePointAt(0) ?? 0);
    if (used * size / 1000 > room && end > 0) break;
    if (character === " ") word = end;
    end += character.length;
  }
  if (end === text.length) return text;
  if (text[end] === " ") word = end;
  return (word >= end / 2 ? text.slice(0, word) : text.slice(0, end)).trimEnd();
}

function collapse(text: string): string {
  return text.replace(/\s+/gu, " ").trim();
}

function thousandths(text: string): number {
  let sum = 0;
  for (const character of text) sum += advance(character.codePointAt(0) ?? 0);
  return sum;
}

/** U+0020 to U+007E. */
const ASCII = [
  278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,
  556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
  1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
  667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
  333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
  556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];

/** U+00A0 to U+00FF. */
const LATIN_1 = [
  278, 333, 556, 556, 556, 556, 260, 556, 333, 737, 370, 556, 584, 0, 737, 552,
  400, 549, 333, 333, 333, 576, 537, 333, 333, 333, 365, 556, 834, 834, 834, 611,
  667, 667, 667, 667, 667, 667, 1000, 722, 667, 667, 667, 667, 278, 278, 278, 278,
  722, 722, 778, 778, 778, 778, 778, 584, 778, 722, 722, 722, 722, 667, 667, 611,
  556, 556, 556, 556, 556, 556, 889, 500, 556, 556, 556, 556, 278, 278, 278, 278,
  556, 556, 556, 556, 556, 556, 556, 549, 611, 556, 556, 556, 556, 500, 556, 500,
];

/** Other code points by range, first match wins: first, last, width. Scripts drawn in fallback fonts have their customary widths. */
const RANGES: [number, number, number][] = [
  // Combining marks, joiners, direction marks, variation selectors.
  [0x300, 0x36f, 0], [0x1ab0, 0x1aff, 0], [0x1dc0, 0x1dff, 0], [0x200b, 0x200f, 0], [0x202a, 0x202e, 0], [0x2060, 0x206f, 0],
  [0x20d0, 0x20ff, 0], [0xfe00, 0xfe0f, 0], [0xfe20, 0xfe2f, 0], [0xfeff, 0xfeff, 0],
  [0x531, 0x58f, 600], [0x591, 0x5c7, 0], [0x610, 0x61a, 0], [0x64b, 0x65f, 0], [0x5d0, 0x5ff, 530],
  [0x600, 0x6ff, 480], [0x750, 0x77f, 480], [0xfb50, 0xfdff, 480], [0xfe70, 0xfefe, 480],
  // The scripts of India, Thai, Lao, Tibetan and their neighbours.
  [0x900, 0xdff, 620], [0xe31, 0xe31, 0], [0xe34, 0xe3a, 0], [0xe47, 0xe4e, 0], [0xe00, 0xeff, 580], [0xf00, 0x10ff, 620],
  // Punctuation.
  [0x2000, 0x200a, 278], [0x202f, 0x202f, 278], [0x205f, 0x205f, 278], [0x2010, 0x2011, 333], [0x2012, 0x2013, 556],
  [0x2014, 0x2015, 1000], [0x2026, 0x2026, 1000], [0x2030, 0x2030, 1000], [0x2122, 0x2122, 1000], [0x2018, 0x201b, 222],
  [0x201c, 0x201f, 333], [0x2020, 0x2021, 556], [0x20ac, 0x20ac, 556], [0x2022, 0x2022, 350], [0x2039, 0x203a, 333],
  [0x2044, 0x2044, 167], [0x2190, 0x21ff, 1000], [0x2200, 0x22ff, 549],
  // Han, kana, Hangul, full-width forms, emoji.
  [0x1100, 0x11ff, 1000], [0x2e80, 0x303e, 1000], [0x3041, 0xa4cf, 1000], [0xac00, 0xd7ff, 1000], [0xf900, 0xfaff, 1000],
  [0xfe30, 0xfe4f, 1000], [0xff01, 0xff60, 1000], [0xffe0, 0xffe6, 1000], [0x1f000, 0x1faff, 1000], [0x20000, 0x3ffff, 1000],
  [0xff61, 0xff9f, 500], [0x2300, 0x27bf, 1000], [0x2b00, 0x2bff, 1000],
];

function advance(code: number): number {
  if (code >= 0x20 && code <= 0x7e) return ASCII[code - 0x20] ?? 556;
  if (code >= 0xa0 && code <= 0xff) return LATIN_1[code - 0xa0] ?? 556;
  if (code < 0xa0) return 0;
  if (code <= 0x24f || (code >= 0x1e00 && code <= 0x1eff)) return latinExtended(String.fromCodePoint(code));
  if (code >= 0x370 && code <= 0x3ff) return isUpper(code) ? 690 : 545;
  if (code >= 0x400 && code <= 0x52f) return isUpper(code) ? 700 : 560;
  for (const [first, last, width] of RANGES) if (code >= first && code <= last) return width;
  return 556;
}

/** The base letter's width is close to these. */
function latinExtended(character: string): number {
  if ("ıĩīĭįĺļłịỉ".includes(character)) return 222;
  if ("İĨĪĬĮťţțỊỈ".includes(character)) return 278;
  if ("ŕŗř".includes(character)) return 333;
  if (character === "Œ") return 1000;
  if (character === "œ") return 944;
  return isUpper(character.codePointAt(0) ?? 0) ? 700 : 540;
}

function isUpper(code: number): boolean {
  return /\p{Lu}/u.test(String.fromCodePoint(code));
}
