/** What an answer looks like. Statuses that neither confirm nor refute a page are not shown as broken. */
import type { Tone } from "./types";

export type Shape = "round" | "arrow" | "triangle" | "square" | "ring" | "hollow";

const UNVERIFIABLE = new Set([401, 403, 405, 406, 407, 429, 451, 999]);

export function kindOf(status: number | null, state: string | null): { shape: Shape; tone: Tone } {
  if (status === null) {
    if (state === "failed") return { shape: "square", tone: "bad" };
    if (state === "blocked" || state === "unverified") return { shape: "ring", tone: "warning" };
    return { shape: "hollow", tone: "neutral" };
  }
  if (UNVERIFIABLE.has(status)) return { shape: "ring", tone: "warning" };
  if (status >= 500) return { shape: "square", tone: "bad" };
  if (status >= 400) return { shape: "triangle", tone: "bad" };
  if (status >= 300) return { shape: "arrow", tone: "redirect" };
  if (status >= 200) return { shape: "round", tone: "good" };
  return { shape: "hollow", tone: "neutral" };
}
