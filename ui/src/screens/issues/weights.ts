/** Audits whose findings weigh differently: each weight has a line of its own, and says what tells it from the others. */
import type { IssueCard } from "$lib/backend/bindings";
import { t, type TextKey } from "$lib/text";

/** The audits of which there is more than one line. */
export function splitAudits(cards: readonly IssueCard[]): Set<string> {
  const seen = new Set<string>();
  return new Set(cards.filter((card) => seen.size === seen.add(card.audit).size).map((card) => card.audit));
}

/** "Warning, medium priority". What the engine has no word for is said as it calls it. */
export function weightWord({ severity, priority }: IssueCard): string {
  const word = (kind: "severity" | "priority", code: string) => {
    const key = `common.${kind}_${code}`;
    const found = t(key as TextKey);
    return found === key ? code : found;
  };
  return t("issues.weight", { severity: word("severity", severity), priority: word("priority", priority) });
}
