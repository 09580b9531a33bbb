import { describe, expect, it } from "vitest";
import { NATIVE_LIMIT, clamp, drawn, isCapped, lastTop, nativeHeight, revealing, rowAt, rowTop, toNative, toVirtual, type Layout } from "./geometry";

const layout = (rows: number, panel: Layout["panel"] = null): Layout => ({ rows, rowHeight: 28, viewport: 600, panel });

/** Row numbers that cover a list: its ends, its middle and steps in between. */
function samples(rows: number): number[] {
  const found = new Set([0, 1, 2, rows - 2, rows - 1, Math.floor(rows / 2)]);
  for (let step = 0; step < 997; step++) found.add(Math.floor((rows * step) / 997));
  return [...found].filter((row) => row >= 0 && row < rows);
}

describe.each([1, 1_000, 285_714, 285_715, 700_000, 5_000_000])("a list of %i rows", (rows) => {
  const list = layout(rows);

  it("never asks the browser for more height than it paints", () => {
    expect(nativeHeight(list)).toBeLessThanOrEqual(NATIVE_LIMIT);
    expect(NATIVE_LIMIT).toBeLessThan(16_777_216);
  });

  it("reaches both ends by the scrollbar", () => {
    expect(toVirtual(list, 0)).toBe(0);
    expect(drawn(list, toVirtual(list, 0), 0).first).toBe(0);
    const end = toVirtual(list, Math.max(0, nativeHeight(list) - list.viewport));
    expect(end).toBe(lastTop(list));
    expect(drawn(list, end, 0).end).toBe(rows);
    // WebKitGTK and Chromium round the position down.
    expect(drawn(list, toVirtual(list, Math.floor(Math.max(0, nativeHeight(list) - list.viewport) - 0.5)), 1).end).toBe(rows);
  });

  it("shows every row when it is asked to, from wherever the view is", () => {
    for (const row of samples(rows)) {
      for (const from of [0, lastTop(list) / 3, lastTop(list)]) {
        const top = revealing(list, from, row);
        expect(rowTop(list, row)).toBeGreaterThanOrEqual(top);
        expect(rowTop(list, row) + list.rowHeight).toBeLessThanOrEqual(top + list.viewport);
        const span = drawn(list, top, 0);
        expect(row >= span.first && row < span.end).toBe(true);
        expect(span.end - span.first).toBeLessThanOrEqual(24);
      }
    }
  });

  it("shows every row at some position of the scrollbar in whole pixels", () => {
    for (const row of samples(rows)) {
      const native = Math.round(toNative(list, clamp(rowTop(list, row) - 200, 0, lastTop(list))));
      const span = drawn(list, toVirtual(list, native), 0);
      expect(row >= span.first && row < span.end).toBe(true);
    }
  });

  it("maps pixels to rows and back", () => {
    for (const row of samples(rows)) {
      expect(rowAt(list, rowTop(list, row))).toBe(row);
      expect(rowAt(list, rowTop(list, row) + 27.9)).toBe(row);
    }
  });

  it("is exact below the cap and monotonic above it", () => {
    let before = -1;
    for (const row of samples(rows).sort((a, b) => a - b)) {
      const top = Math.min(rowTop(list, row), lastTop(list));
      const native = toNative(list, top);
      if (!isCapped(list)) expect(native).toBe(top);
      expect(native).toBeGreaterThanOrEqual(before);
      expect(Math.abs(toVirtual(list, native) - top)).toBeLessThan(20);
      before = native;
    }
  });
});

describe("an open panel", () => {
  const list = layout(1_000, { row: 10, height: 200 });

  it("pushes down the rows below it and no other", () => {
    expect(rowTop(list, 10)).toBe(280);
    expect(rowTop(list, 11)).toBe(11 * 28 + 200);
    expect(lastTop(list)).toBe(28_200 - 600);
  });

  it("belongs to the row above it", () => {
    expect(rowAt(list, 11 * 28)).toBe(10);
    expect(rowAt(list, 11 * 28 + 199)).toBe(10);
    expect(rowAt(list, 11 * 28 + 200)).toBe(11);
    for (const row of samples(1_000)) expect(rowAt(list, rowTop(list, row))).toBe(row);
  });
});

it("has nothing to draw without rows", () => {
  expect(drawn(layout(0), 0, 8)).toEqual({ first: 0, end: 0 });
  expect(lastTop(layout(0))).toBe(0);
});
