/** Audits that a person writes, as they are edited. */
import type { CustomAudit } from "../backend/bindings";

export const SEVERITIES = ["issue", "warning", "opportunity", "note"] as const;
export const PRIORITIES = ["high", "medium", "low"] as const;

/** What a new one begins with: a statement that runs, and shows what one is made of. */
export const emptyAudit = (): CustomAudit => ({
  id: "", title: "", severity: "warning", priority: "medium", why: "", fix: "",
  sql: "SELECT url, word_count\nFROM v_pages\nWHERE crawl = :crawl AND word_count < 100",
});

/** A text with a word in the place of what is selected, and where the caret stands then. */
export function inserted(text: string, start: number, end: number, word: string): [string, number] {
  return [text.slice(0, start) + word + text.slice(end), start + word.length];
}
