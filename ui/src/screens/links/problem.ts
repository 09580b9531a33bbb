/** A target as its row tells of it. */
import type { Value } from "$lib/backend/bindings";

export type Problem = {
  /** 0 for what is no address. */
  key: number;
  target: string;
  verdict: string;
  status: number | null;
  reason: string | null;
  state: string | undefined;
  occurrences: number | null;
};

/** The marks know the states of URLs; what has no status is drawn as what it comes to. */
const STATES: Record<string, string> = { broken: "failed", invalid: "failed", blocked: "blocked", unverified: "unverified", not_checked: "queued" };

/** `cell` gives null for a column the list does not have or has not read. */
export function problemOf(key: number, cell: (id: string) => Value): Problem | null {
  const target = cell("target");
  if (typeof target !== "string") return null;
  const verdict = textOf(cell("verdict")) ?? "";
  return {
    key,
    target,
    verdict,
    status: numberOf(cell("status")) ?? numberOf(cell("target_status")),
    reason: textOf(cell("reason")) ?? textOf(cell("target_reason")),
    state: STATES[verdict],
    occurrences: numberOf(cell("occurrences")),
  };
}

const textOf = (value: Value): string | null => (typeof value === "string" && value !== "" ? value : null);
const numberOf = (value: Value): number | null => (typeof value === "number" ? value : null);
