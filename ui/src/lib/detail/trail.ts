/** The URLs shown in the pane one after the other, to go back and forward among. */

export type Trail = { keys: number[]; at: number };

export const EMPTY: Trail = { keys: [], at: -1 };

/** URLs remembered. */
const LENGTH = 100;

/** Showing a URL ends what was ahead; the one that is shown already changes nothing. */
export function shownNow(trail: Trail, key: number): Trail {
  if (trail.keys[trail.at] === key) return trail;
  const keys = [...trail.keys.slice(0, trail.at + 1), key].slice(-LENGTH);
  return { keys, at: keys.length - 1 };
}

/** By -1 or 1; the same trail at its ends. */
export function moved(trail: Trail, by: number): Trail {
  const at = trail.at + by;
  return trail.keys[at] === undefined ? trail : { ...trail, at };
}
