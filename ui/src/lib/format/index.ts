/** Numbers, sizes, times and addresses as a person reads them. Units are fixed, so that a column can be compared by eye. */
import { t } from "../text";
import { language } from "../text/language.svelte";

const formats = new Map<string, Intl.NumberFormat>();
function number(places: number): Intl.NumberFormat {
  const key = `${language.locale} ${places}`;
  let format = formats.get(key);
  if (!format) {
    format = new Intl.NumberFormat(language.locale, { minimumFractionDigits: places, maximumFractionDigits: places });
    formats.set(key, format);
  }
  return format;
}

/** 48112 → "48,112". */
export const count = (n: number): string => number(0).format(n);

/** With a fixed number of decimal places: 13.25 → "13.3". */
export const real = (n: number, places = 1): string => number(places).format(n);

/** A part of a whole: "12.5 %"; nothing is said of an empty whole, and a small part is never rounded to nought. */
export function share(part: number, whole: number): string {
  if (whole <= 0) return "–";
  const percent = (part / whole) * 100;
  if (part > 0 && percent < 0.1) return `< ${real(0.1)} %`;
  if (part < whole && percent > 99.9) return `> ${real(99.9)} %`;
  return `${percent === 0 || percent === 100 ? count(percent) : real(percent)} %`;
}

/** Thousands as the engine counts them: 1,240,000 → "1.2 MB". */
export function bytes(n: number): string {
  if (n < 1_000) return `${count(n)} B`;
  if (n < 1_000_000) return `${real(n / 1_000)} kB`;
  if (n < 1_000_000_000) return `${real(n / 1_000_000)} MB`;
  return `${real(n / 1_000_000_000)} GB`;
}

/** Always milliseconds: "1,240 ms". */
export const ms = (n: number): string => `${count(Math.round(n))} ms`;

/** A moment with date and time to the minute; a text that is no moment is returned as it is. */
export function moment(iso: string): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return iso;
  return at.toLocaleString(language.locale, { year: "numeric", month: "short", day: "numeric", hour: "2-digit", minute: "2-digit" });
}

/** The day of a moment alone, in figures, as short as it can be told; a text that is no moment is returned as it is. */
export function day(iso: string): string {
  const at = new Date(iso);
  return Number.isNaN(at.getTime()) ? iso : at.toLocaleDateString(language.locale, { year: "numeric", month: "2-digit", day: "2-digit" });
}

/** The time of day to the second. */
export function timeOfDay(iso: string): string {
  const at = new Date(iso);
  return Number.isNaN(at.getTime()) ? iso : at.toLocaleTimeString(language.locale);
}

const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 31_557_600], ["month", 2_629_800], ["week", 604_800], ["day", 86_400], ["hour", 3_600], ["minute", 60],
];

/** How long ago: "3 days ago". `now` in milliseconds since 1970. */
export function ago(iso: string, now = Date.now()): string {
  const at = new Date(iso).getTime();
  if (Number.isNaN(at)) return iso;
  const seconds = Math.round((at - now) / 1000);
  const relative = new Intl.RelativeTimeFormat(language.texts, { numeric: "auto" });
  for (const [unit, size] of STEPS) {
    if (Math.abs(seconds) >= size) return relative.format(Math.trunc(seconds / size), unit);
  }
  return t("common.just_now");
}

/** How long something took: "0:07", "12:40", "1:02:09". */
export function duration(milliseconds: number): string {
  const all = Math.max(0, Math.floor(milliseconds / 1000));
  const two = (n: number) => String(n).padStart(2, "0");
  const [hours, minutes, seconds] = [Math.floor(all / 3600), Math.floor(all / 60) % 60, all % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
}

/** Cuts the middle out of an address, which keeps the host and the end that tells pages apart. */
export function cutMiddle(url: string, chars: number): string {
  if (url.length <= chars || chars < 3) return url;
  const end = Math.ceil((chars - 1) / 2);
  return `${url.slice(0, chars - 1 - end)}…${url.slice(url.length - end)}`;
}
