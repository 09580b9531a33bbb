/**
 * The position of the view in a list, and what wheel, touch and the scrollbar do to it.
 *
 * Where the list is taller than the browser may be told (`geometry`), its scrollbar stands for a proportional place. A
 * wheel or a finger must still move by what it moves: the wheel is handled here, and while a finger is down the
 * browser's own movement is taken as a difference, then the scrollbar is put where the list is once all is still.
 */
import { clamp, isCapped, lastTop, nativeHeight, toNative, toVirtual, type Layout } from "./geometry";

/** After this long without movement, ms, a fling by touch is over. */
const STILL_MS = 140;
const LINE_PX = 28;

export class Scroller {
  /** Virtual position of the view's upper edge, px. */
  top = 0;
  /** Where the browser's scrollbar is, px. */
  native = 0;
  readonly #element: HTMLElement;
  readonly #layout: () => Layout;
  readonly #moved: () => void;
  #touched = false;
  #still: ReturnType<typeof setTimeout> | undefined;

  constructor(element: HTMLElement, layout: () => Layout, moved: () => void) {
    this.#element = element;
    this.#layout = layout;
    this.#moved = moved;
    element.addEventListener("scroll", this.#onScroll, { passive: true });
    element.addEventListener("wheel", this.#onWheel, { passive: false });
    element.addEventListener("touchstart", this.#onTouch, { passive: true });
  }

  destroy(): void {
    clearTimeout(this.#still);
    this.#element.removeEventListener("scroll", this.#onScroll);
    this.#element.removeEventListener("wheel", this.#onWheel);
    this.#element.removeEventListener("touchstart", this.#onTouch);
  }

  /** Goes to a virtual position. The element must already be as tall as the list. */
  to(top: number): void {
    const layout = this.#layout();
    this.top = clamp(top, 0, lastTop(layout));
    const native = Math.round(toNative(layout, this.top));
    this.native = native;
    if (this.#element.scrollTop !== native) this.#element.scrollTop = native;
    // Read back: the browser rounds, and bounds it by what it has laid out.
    this.native = this.#element.scrollTop;
    if (!isCapped(layout)) this.top = this.native;
    this.#moved();
  }

  by(pixels: number): void {
    this.to(this.top + pixels);
  }

  readonly #onScroll = (): void => {
    const native = this.#element.scrollTop;
    // Sideways, or the echo of a position that was set here.
    if (native === this.native) return;
    const layout = this.#layout();
    if (this.#touched && isCapped(layout)) this.#drag(layout, native);
    else this.top = toVirtual(layout, native);
    this.native = native;
    this.#moved();
  };

  #drag(layout: Layout, native: number): void {
    const most = nativeHeight(layout) - layout.viewport;
    const atEdge = native <= 0 ? this.top < layout.viewport : native >= most - 1 && this.top > lastTop(layout) - layout.viewport;
    this.top = atEdge ? toVirtual(layout, native) : clamp(this.top + native - this.native, 0, lastTop(layout));
    clearTimeout(this.#still);
    this.#still = setTimeout(() => {
      this.#touched = false;
      this.to(this.top);
    }, STILL_MS);
  }

  readonly #onTouch = (): void => {
    clearTimeout(this.#still);
    this.#touched = true;
  };

  readonly #onWheel = (event: WheelEvent): void => {
    this.#touched = false;
    const layout = this.#layout();
    if (!isCapped(layout) || event.ctrlKey) return;
    const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE_PX : event.deltaMode === WheelEvent.DOM_DELTA_PAGE ? layout.viewport : 1;
    const sideways = event.shiftKey && event.deltaX === 0;
    event.preventDefault();
    this.#element.scrollLeft += (sideways ? event.deltaY : event.deltaX) * unit;
    if (!sideways && event.deltaY !== 0) this.by(event.deltaY * unit);
  };
}
