import { expect, it } from "vitest";
import { EMPTY, moved, shownNow } from "./trail";

const of = (...keys: number[]) => keys.reduce(shownNow, EMPTY);

it("goes back and forward and stops at the ends", () => {
  const trail = of(1, 2, 3);
  expect(moved(trail, -1).at).toBe(1);
  expect(moved(moved(trail, -1), 1).at).toBe(2);
  expect(moved(trail, 1)).toBe(trail);
  expect(moved(EMPTY, -1)).toBe(EMPTY);
});

it("drops what was ahead when another URL is shown", () => {
  expect(shownNow(moved(of(1, 2, 3), -1), 9)).toEqual({ keys: [1, 2, 9], at: 2 });
  const trail = of(1, 2);
  expect(shownNow(trail, 2)).toBe(trail);
});

it("forgets the oldest", () => {
  const trail = of(...Array.from({ length: 150 }, (_, n) => n));
  expect([trail.keys.length, trail.keys[0], trail.at]).toEqual([100, 50, 99]);
});
