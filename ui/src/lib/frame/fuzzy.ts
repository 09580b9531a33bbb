/** Finds what a person means by a few letters: they must all be there, in order; word beginnings and runs weigh more. */

/** How well `words` fit `text`; null where they do not. Greater is better. */
export function fit(words: string, text: string): number | null {
  const [sought, within] = [fold(words).replace(/\s+/g, ""), fold(text)];
  if (sought === "") return 0;
  const whole = within.indexOf(fold(words).trim());
  if (whole >= 0) return 1000 - whole * 2 - within.length / 10 + (whole === 0 || begins(within, whole) ? 200 : 0);
  let score = 0;
  let at = -1;
  for (const letter of sought) {
    const next = nextOf(within, letter, at + 1);
    if (next < 0) return null;
    score += next === at + 1 ? 8 : begins(within, next) ? 6 : Math.max(-3, at - next + 1);
    at = next;
  }
  return score - within.length / 20;
}

/** The best place of a letter: the beginning of a later word before the middle of this one. */
function nextOf(text: string, letter: string, from: number): number {
  const first = text.indexOf(letter, from);
  if (first < 0 || first === from) return first;
  for (let i = first; i >= 0; i = text.indexOf(letter, i + 1)) if (begins(text, i)) return i;
  return first;
}

const begins = (text: string, at: number): boolean => at === 0 || /[\s\-/.:·]/.test(text[at - 1] ?? "");
const fold = (text: string): string => text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "");

/** The entries that fit, best first; entries that fit equally keep their order. */
export function rank<T>(words: string, entries: T[], textOf: (entry: T) => string): T[] {
  if (!words.trim()) return entries;
  const fitting: { entry: T; score: number; i: number }[] = [];
  entries.forEach((entry, i) => {
    const score = fit(words, textOf(entry));
    if (score !== null) fitting.push({ entry, score, i });
  });
  return fitting.sort((a, b) => b.score - a.score || a.i - b.i).map((one) => one.entry);
}
