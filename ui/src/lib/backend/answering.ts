/**
 * The window answers first and asks afterwards: what a click or a key asks of the engine is sent once the frame that answers
 * it is painted. Reading a table keeps a core of the computer busy, and the frame would wait for it.
 */

/** A window that is not shown paints nothing; then this is how long a question waits at most, ms. */
const LONGEST_MS = 100;

let painting: Promise<void> | null = null;

/** Resolves when the frame is painted that answers what the person did last; at once where that has been. */
export function answered(): Promise<void> {
  return painting ?? Promise.resolve();
}

function begin(): void {
  if (painting) return;
  const frame = new Promise<void>((done) => {
    const late = setTimeout(done, LONGEST_MS);
    // A timer set within a frame is due when the frame is painted.
    requestAnimationFrame(() => setTimeout(() => { clearTimeout(late); done(); }));
  });
  painting = frame.then(() => { painting = null; });
}

/** From here on clicks and keys are noticed, before anything else hears of them. */
export function watchAnswers(target: EventTarget): void {
  for (const type of ["click", "keydown"]) target.addEventListener(type, begin, { capture: true });
}
