import { expect, it } from "vitest";
import { all, clicked, fitted, flipped, isAll, moved, NO_CHOICE, none, pointed, type Choice, type Held } from "./selection";

const plain: Held = { shift: false, control: false };
const shift: Held = { shift: true, control: false };
const control: Held = { shift: false, control: true };
const both: Held = { shift: true, control: true };
const click = (choice: Choice, row: number, held: Held): Choice => clicked(choice, row, 0, held);

it("selects one row by a click", () => {
  const choice = click(click(NO_CHOICE, 3, plain), 7, plain);
  expect(choice.ranges).toEqual([{ start: 7, end: 8 }]);
  expect(choice.row).toBe(7);
});

it("extends from where the range began, in both directions", () => {
  const begun = click(NO_CHOICE, 10, plain);
  const down = click(begun, 14, shift);
  expect(down.ranges).toEqual([{ start: 10, end: 15 }]);
  expect(click(down, 6, shift).ranges).toEqual([{ start: 6, end: 11 }]);
});

it("adds and takes away rows with Ctrl, and ranges with Ctrl and shift", () => {
  let choice = click(NO_CHOICE, 1, plain);
  choice = click(choice, 5, control);
  expect(choice.ranges).toEqual([{ start: 1, end: 2 }, { start: 5, end: 6 }]);
  choice = click(choice, 8, both);
  expect(choice.ranges).toEqual([{ start: 1, end: 2 }, { start: 5, end: 9 }]);
  choice = click(choice, 6, control);
  expect(choice.ranges).toEqual([{ start: 1, end: 2 }, { start: 5, end: 6 }, { start: 7, end: 9 }]);
});

it("follows the keyboard, extends with shift and only moves with Ctrl", () => {
  const choice = moved(NO_CHOICE, 4, 2, plain);
  expect(choice).toMatchObject({ row: 4, column: 2, ranges: [{ start: 4, end: 5 }] });
  expect(moved(choice, 6, 2, shift).ranges).toEqual([{ start: 4, end: 7 }]);
  const away = moved(choice, 9, 2, control);
  expect(away).toMatchObject({ row: 9, ranges: [{ start: 4, end: 5 }] });
  expect(flipped(away).ranges).toEqual([{ start: 4, end: 5 }, { start: 9, end: 10 }]);
});

it("keeps the selection when the focus goes to the header", () => {
  const choice = moved(NO_CHOICE, 4, 2, plain);
  expect(moved(choice, -1, 3, plain)).toMatchObject({ row: -1, column: 3, ranges: [{ start: 4, end: 5 }] });
});

it("keeps a selection that a right click falls into", () => {
  const some = click(click(NO_CHOICE, 2, plain), 6, shift);
  expect(pointed(some, 4, 1).ranges).toEqual(some.ranges);
  expect(pointed(some, 9, 1).ranges).toEqual([{ start: 9, end: 10 }]);
});

it("selects all of the filter and nothing", () => {
  const every = all(NO_CHOICE, 48_112);
  expect(isAll(every, 48_112)).toBe(true);
  expect(every.ranges).toHaveLength(1);
  expect(isAll(none(every), 48_112)).toBe(false);
  expect(isAll(NO_CHOICE, 0)).toBe(false);
});

it("fits into a list that became shorter", () => {
  const choice = click(click(NO_CHOICE, 90, plain), 99, shift);
  expect(fitted(choice, 95, 4)).toMatchObject({ row: 94, ranges: [{ start: 90, end: 95 }] });
});
