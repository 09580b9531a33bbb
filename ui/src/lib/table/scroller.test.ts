import { beforeEach, describe, expect, it, vi } from "vitest";
import { drawn, lastTop, nativeHeight, type Layout } from "./geometry";
import { Scroller } from "./scroller";

/** A box that scrolls as a browser's does: whole pixels, within what it holds. */
function box(layout: Layout): HTMLElement {
  const element = document.createElement("div");
  let at = 0;
  Object.defineProperty(element, "scrollTop", {
    get: () => at,
    set: (to: number) => {
      const next = Math.max(0, Math.min(Math.round(to), nativeHeight(layout) - layout.viewport));
      if (next === at) return;
      at = next;
      element.dispatchEvent(new Event("scroll"));
    },
  });
  return element;
}

function scene(rows: number) {
  const layout: Layout = { rows, rowHeight: 28, viewport: 560, panel: null };
  const element = box(layout);
  const scroller = new Scroller(element, () => layout, () => undefined);
  const first = (): number => drawn(layout, scroller.top, 0).first;
  const wheel = (deltaY: number): void => void element.dispatchEvent(new WheelEvent("wheel", { deltaY, cancelable: true }));
  return { layout, element, scroller, first, wheel };
}

beforeEach(() => void vi.useFakeTimers());

describe.each([700_000, 5_000_000])("a capped list of %i rows", (rows) => {
  it("moves by what the wheel moves, row by row", () => {
    const { wheel, first, scroller } = scene(rows);
    scroller.to(lastTop({ rows, rowHeight: 28, viewport: 560, panel: null }) / 2 - 14);
    const begun = first();
    for (let turn = 1; turn <= 300; turn++) {
      wheel(28);
      expect(first()).toBe(begun + turn);
    }
  });

  it("reaches both ends by the wheel alone", () => {
    const { wheel, scroller, layout, element } = scene(rows);
    scroller.to(lastTop(layout) - 1_000);
    for (let turn = 0; turn < 20; turn++) wheel(100);
    expect(scroller.top).toBe(lastTop(layout));
    expect(element.scrollTop).toBe(nativeHeight(layout) - layout.viewport);
    scroller.to(1_000);
    for (let turn = 0; turn < 20; turn++) wheel(-100);
    expect(scroller.top).toBe(0);
  });

  it("follows a drag of the scrollbar to the proportional place, and to both ends", () => {
    const { element, scroller, layout } = scene(rows);
    element.scrollTop = (nativeHeight(layout) - layout.viewport) / 4;
    expect(scroller.top / lastTop(layout)).toBeCloseTo(0.25, 5);
    element.scrollTop = 99_000_000;
    expect(scroller.top).toBe(lastTop(layout));
    element.scrollTop = 0;
    expect(scroller.top).toBe(0);
  });

  it("moves with a finger pixel by pixel and then puts the scrollbar right", () => {
    const { element, scroller, layout } = scene(rows);
    scroller.to(lastTop(layout) / 2);
    const [top, native] = [scroller.top, element.scrollTop];
    element.dispatchEvent(new Event("touchstart"));
    for (let step = 1; step <= 10; step++) element.scrollTop = native + step * 40;
    expect(scroller.top).toBeCloseTo(top + 400, 6);
    vi.advanceTimersByTime(200);
    expect(scroller.top).toBeCloseTo(top + 400, 6);
    expect(element.scrollTop).toBeLessThan(native + 400);
  });
});

it("leaves the wheel to the browser below the cap", () => {
  const { element, wheel, scroller } = scene(1_000);
  wheel(100);
  expect(scroller.top).toBe(0);
  element.scrollTop = 100;
  expect(scroller.top).toBe(100);
});
