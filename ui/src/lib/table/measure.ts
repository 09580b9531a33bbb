/** How wide a column must be for what is in it. */
import type { TableRow } from "../backend/bindings";
import { cellText } from "./cells";
import { NARROWEST, type Column } from "./columns";
import { clamp } from "./geometry";

/** Room at both sides of a text, px, and what a mark before it takes. */
const PADDING = 20;
const MARK = 18;
const SORT_SIGN = 22;
/** What fitting to contents gives a column at most, px. */
const FITTING_AT_MOST = 640;

let context: CanvasRenderingContext2D | null | undefined;

export function textWidth(text: string, font: string): number {
  context ??= document.createElement("canvas").getContext("2d");
  if (!context) return text.length * 7;
  context.font = font;
  return context.measureText(text).width;
}

const widths = new Map<string, Map<string, number>>();

function charWidth(char: string, font: string): number {
  let known = widths.get(font);
  if (!known) widths.set(font, (known = new Map()));
  let width = known.get(char);
  if (width === undefined) known.set(char, (width = textWidth(char, font)));
  return width;
}

/** A cut address keeps this part of its room for its end, which tells pages apart. */
const END_SHARE = 0.55;

/**
 * An address cut in the middle so that it fits `room` px. Widths of single characters are added up, which is exact but
 * for kerning, and costs no measuring once each has been seen.
 */
export function cutToWidth(text: string, room: number, font: string): string {
  let all = 0;
  for (const char of text) all += charWidth(char, font);
  if (all <= room) return text;
  const chars = [...text];
  let left = room - charWidth("…", font) - 1;
  const forEnd = left * END_SHARE;
  let used = 0;
  let end = chars.length;
  while (end > 0 && used + charWidth(chars[end - 1] ?? "", font) <= forEnd) used += charWidth(chars[--end] ?? "", font);
  left -= used;
  let start = 0;
  while (start < end && charWidth(chars[start] ?? "", font) <= left) left -= charWidth(chars[start++] ?? "", font);
  return `${chars.slice(0, start).join("")}…${chars.slice(end).join("")}`;
}

export function fittingWidth(column: Column, rows: readonly TableRow[], valueAt: (row: TableRow) => TableRow["cells"][number] | undefined, font: string): number {
  const { kind, label } = column.card;
  const mark = kind === "status" || kind === "verdict" || kind === "state" || kind === "severity" ? MARK : 0;
  const widest = Math.max(0, ...rows.map((row) => textWidth(cellText(kind, valueAt(row)), font) + mark));
  return clamp(Math.ceil(Math.max(widest + PADDING, textWidth(label, `500 ${font}`) + PADDING + SORT_SIGN)), NARROWEST, FITTING_AT_MOST);
}
