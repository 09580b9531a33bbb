/**
 * Whether a part of the window is looked at. A screen that was left stays in the document, out of sight, and stands still
 * there: it asks nothing, follows no news and hears no key. What belongs to no such screen is always in sight.
 */
import { getContext, setContext, untrack } from "svelte";
import { answered } from "../backend/answering";

export interface Sight {
  /** Whether the screen is the one that is shown. */
  readonly shown: boolean;
  /** Shown, and the frame is painted that shows it: what takes time waits for that. */
  readonly awake: boolean;
}

/** The same, for who shows the screen. */
export interface Stage extends Sight {
  /** Whether somebody can use it: that changes only after the frame that shows or hides it. */
  readonly usable: boolean;
}

const KEY = Symbol("sight");
const ALWAYS: Sight = { shown: true, awake: true };

/** How the screen stands that the component belongs to. Asked for while the component is made. */
export const sight = (): Sight => getContext<Sight | undefined>(KEY) ?? ALWAYS;

const nextTask = (): Promise<void> => new Promise((done) => void setTimeout(done));
const nextFrame = (): Promise<void> => new Promise((done) => void requestAnimationFrame(() => setTimeout(done)));

/** Tells the components within whether they are in sight. */
export function giveSight(shown: () => boolean): Stage {
  let usable = $state(false);
  $effect.pre(() => {
    const to = shown();
    if (untrack(() => usable) === to) return;
    let current = true;
    // The screen that is shown comes first: what is done to the one that was left has a frame of its own.
    void answered().then(to ? nextTask : nextFrame).then(() => {
      if (current) usable = to;
    });
    return () => {
      current = false;
    };
  });
  return setContext<Stage>(KEY, {
    get shown() { return shown(); },
    get awake() { return shown() && usable; },
    get usable() { return usable; },
  });
}

/** What a computation gives while its screen is awake, and what it gave last while it is not: `$derived.by(steady(() => …))`. */
export function steady<T>(compute: () => T): () => T {
  const own = sight();
  let last: { value: T } | null = null;
  return () => {
    if (own.awake || last === null) last = { value: compute() };
    return last.value;
  };
}

/** Acts whenever the screen wakes, the first time included; what `act` returns ends with its being looked at. */
export function whileAwake(act: () => void | (() => void)): void {
  const own = sight();
  $effect(() => (own.awake ? untrack(act) : undefined));
}

/** Ends what floats above a screen, and belongs to it, when the screen is left. */
export function whenLeft(act: () => void): void {
  const own = sight();
  $effect(() => {
    if (!own.shown) untrack(act);
  });
}
