/**
 * Where every row of a list is, in pixels.
 *
 * Two measures of height exist. The *virtual* one is as tall as all rows together: 28,000,000 px for a million of them.
 * The *native* one is what the browser is told to scroll, and is capped: WebKitGTK paints nothing beyond 16,777,216 px.
 * Below the cap the two are the same, so that scrolling is exact; above it a position on the scrollbar stands for a
 * proportional one in the list, while wheel, keys and touch still move by true pixels (see `Scroller`).
 */

/** The tallest content the browser is ever asked to scroll, in pixels. */
export const NATIVE_LIMIT = 8_000_000;

/** A panel of a fixed height that is open below one row. */
export interface Panel {
  row: number;
  height: number;
}

export interface Layout {
  rows: number;
  /** Height of every row, px. */
  rowHeight: number;
  /** Height of the part that shows rows, px. */
  viewport: number;
  panel: Panel | null;
}

/** Rows from `first` up to, not including, `end`. */
export interface Span {
  first: number;
  end: number;
}

export const clamp = (value: number, low: number, high: number): number => Math.max(low, Math.min(value, high));

export const virtualHeight = (layout: Layout): number => layout.rows * layout.rowHeight + (layout.panel?.height ?? 0);
export const nativeHeight = (layout: Layout): number => Math.min(virtualHeight(layout), NATIVE_LIMIT);
export const isCapped = (layout: Layout): boolean => virtualHeight(layout) > NATIVE_LIMIT;

/** The largest position of the view's upper edge. */
export const lastTop = (layout: Layout): number => Math.max(0, virtualHeight(layout) - layout.viewport);
const lastNative = (layout: Layout): number => Math.max(0, nativeHeight(layout) - layout.viewport);

/** The virtual position that a native one stands for. Both ends are hit exactly. */
export function toVirtual(layout: Layout, native: number): number {
  const most = lastNative(layout);
  if (!isCapped(layout)) return clamp(native, 0, most);
  // A browser rounds the position of its scrollbar to whole device pixels: the last one is the end of the list.
  if (native >= most - 1) return lastTop(layout);
  return clamp((native / most) * lastTop(layout), 0, lastTop(layout));
}

/** The native position that stands for a virtual one. */
export function toNative(layout: Layout, top: number): number {
  const most = lastTop(layout);
  if (!isCapped(layout) || most === 0) return clamp(top, 0, most);
  return clamp((top / most) * lastNative(layout), 0, lastNative(layout));
}

/** Upper edge of a row, px from the start of the list. */
export function rowTop(layout: Layout, row: number): number {
  const above = layout.panel && row > layout.panel.row ? layout.panel.height : 0;
  return row * layout.rowHeight + above;
}

/** The row at a virtual position; an open panel belongs to the row above it. */
export function rowAt(layout: Layout, position: number): number {
  const last = Math.max(0, layout.rows - 1);
  const { panel, rowHeight } = layout;
  if (panel) {
    const below = rowTop(layout, panel.row + 1);
    if (position >= below) return clamp(panel.row + 1 + Math.floor((position - below) / rowHeight), 0, last);
    if (position >= below - panel.height) return clamp(panel.row, 0, last);
  }
  return clamp(Math.floor(position / rowHeight), 0, last);
}

/** The rows to draw for a position of the view: those in sight and `spare` more on both sides. */
export function drawn(layout: Layout, top: number, spare: number): Span {
  if (layout.rows === 0) return { first: 0, end: 0 };
  return {
    first: clamp(rowAt(layout, top) - spare, 0, layout.rows),
    end: clamp(rowAt(layout, top + layout.viewport) + 1 + spare, 0, layout.rows),
  };
}

/** Whole rows that fit into the view, at least one. */
export const rowsPerPage = (layout: Layout): number => Math.max(1, Math.floor(layout.viewport / layout.rowHeight));

/** The nearest position of the view that shows a row whole. */
export function revealing(layout: Layout, top: number, row: number): number {
  const upper = rowTop(layout, row);
  const lower = upper + layout.rowHeight;
  if (upper < top) return clamp(upper, 0, lastTop(layout));
  if (lower > top + layout.viewport) return clamp(lower - layout.viewport, 0, lastTop(layout));
  return clamp(top, 0, lastTop(layout));
}
