/** Where the focus goes when what had it is gone: it is never left to the document, from where the keyboard reaches nothing near. */
import { tick } from "svelte";

/** What had the focus last in a screen: who comes back goes on there. */
const last = new WeakMap<Element, HTMLElement>();

/** Remembers what has the focus in a screen, until the returned function is called. */
export function noteFocus(screen: HTMLElement): () => void {
  const note = ({ target }: Event): void => {
    if (target instanceof HTMLElement) last.set(screen, target);
  };
  screen.addEventListener("focusin", note);
  return () => screen.removeEventListener("focusin", note);
}

/** Takes the focus from a screen that is about to be hidden. */
export function leave(screen: HTMLElement): void {
  const held = document.activeElement;
  if (held instanceof HTMLElement && screen.contains(held)) held.blur();
}

const isLost = (): boolean => document.activeElement === null || document.activeElement === document.body;
const main = (): HTMLElement | null => document.querySelector<HTMLElement>("main");

/** Puts the focus on the screen, unless a field, a dialog or what a command opened holds it. A screen that is come back to goes on itself. */
export async function keepFocus(): Promise<void> {
  await tick();
  const screen = document.querySelector("main [data-shown]");
  if (isLost() && !(screen && last.has(screen))) main()?.focus({ preventScroll: true });
}

/** Puts the focus where it was last in a screen that is usable again, unless something else than the place of the screens holds it. */
export function goOn(screen: HTMLElement): void {
  const before = last.get(screen);
  if (!before || !(isLost() || document.activeElement === main())) return;
  if (screen.contains(before)) before.focus({ preventScroll: true });
  // What cannot have the focus any more does not take it.
  if (isLost()) main()?.focus({ preventScroll: true });
}
