/** The times of one answer as bars on one scale. */

import type { Fact } from "$lib/backend";
import { ms as inMs } from "$lib/format";

export type Timing = { label: string; value: string; ms: number; share: number };

/** Facts whose value holds no number are left out; `share` is of the longest, from 0 to 1. */
export function timings(facts: Fact[]): Timing[] {
  const measured = facts.flatMap(({ name, value }) => {
    const ms = numberIn(value);
    // A bare number is one of milliseconds; with a unit it is said already.
    return ms === null ? [] : [{ label: name, value: /^\d+$/u.test(value) ? inMs(ms) : value, ms }];
  });
  const longest = Math.max(1, ...measured.map((one) => one.ms));
  return measured.map((one) => ({ ...one, share: one.ms / longest }));
}

/** "1,240 ms" and "1.240 ms" are both 1240: whole milliseconds are grouped, never broken into parts. */
function numberIn(value: string): number | null {
  const digits = /\d[\d.,'’\s\u00a0\u202f]*/u.exec(value)?.[0].replace(/\D/gu, "");
  return digits === undefined || digits === "" ? null : Number(digits);
}
