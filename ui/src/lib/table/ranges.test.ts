import { describe, expect, it } from "vitest";
import type { RowRange } from "../backend/bindings";
import { between, everything, has, NOTHING, size, toggled, union, within, without, type Ranges } from "./ranges";

/** A repeatable stream of numbers below `limit`. */
function numbers(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state % limit;
  };
}

const ROWS = 60;
const rowsOf = (ranges: Ranges): Set<number> => new Set(Array.from({ length: ROWS }, (_, row) => row).filter((row) => has(ranges, row)));

function expectTidy(ranges: Ranges): void {
  let before = -1;
  for (const { start, end } of ranges) {
    expect(start).toBeGreaterThan(before);
    expect(end).toBeGreaterThan(start);
    before = end;
  }
}

describe("ranges behave as the sets of rows they stand for", () => {
  it.each(Array.from({ length: 40 }, (_, seed) => seed))("with random changes, seed %i", (seed) => {
    const next = numbers(seed + 1);
    let ranges: Ranges = NOTHING;
    let model = new Set<number>();
    for (let step = 0; step < 60; step++) {
      const range: RowRange = between(next(ROWS), next(ROWS));
      const row = next(ROWS);
      const change = next(3);
      if (change === 0) {
        ranges = union(ranges, range);
        for (let i = range.start; i < range.end; i++) model.add(i);
      } else if (change === 1) {
        ranges = without(ranges, range);
        for (let i = range.start; i < range.end; i++) model.delete(i);
      } else {
        ranges = toggled(ranges, row);
        model = new Set(model.has(row) ? [...model].filter((i) => i !== row) : [...model, row]);
      }
      expectTidy(ranges);
      expect(rowsOf(ranges)).toEqual(model);
      expect(size(ranges)).toBe(model.size);
    }
  });
});

it("grows neighbours together", () => {
  expect(union([{ start: 0, end: 2 }, { start: 4, end: 6 }], { start: 2, end: 4 })).toEqual([{ start: 0, end: 6 }]);
});

it("keeps all of a long list as one range", () => {
  expect(everything(700_000)).toEqual([{ start: 0, end: 700_000 }]);
  expect(size(toggled(everything(700_000), 350_000))).toBe(699_999);
  expect(everything(0)).toEqual([]);
});

it("ends where the list ends", () => {
  expect(within([{ start: 2, end: 4 }, { start: 8, end: 20 }], 10)).toEqual([{ start: 2, end: 4 }, { start: 8, end: 10 }]);
});
