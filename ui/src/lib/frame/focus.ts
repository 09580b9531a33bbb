/** Where the focus goes when what had it is gone: it is never left to the document, from where the keyboard reaches nothing near. */
import { tick } from "svelte";

/** Puts the focus on the screen, unless a field, a dialog or what a command opened holds it. */
export async function keepFocus(): Promise<void> {
  await tick();
  const held = document.activeElement;
  if (held === null || held === document.body) document.querySelector<HTMLElement>("main")?.focus({ preventScroll: true });
}
