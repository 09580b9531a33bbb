/** Audits whose findings weigh differently: each weight has a line of its own, and says what tells it from the others. */
import type { IssueCard } from "$lib/backend/bindings";
import { weight } from "$lib/said/words";
import { t } from "$lib/text";

/** The audits of which there is more than one line. */
export function splitAudits(cards: readonly IssueCard[]): Set<string> {
  const seen = new Set<string>();
  return new Set(cards.filter((card) => seen.size === seen.add(card.audit).size).map((card) => card.audit));
}

/** "Warning, medium priority". What the engine has no word for is said as it calls it. */
export function weightWord({ severity, priority }: IssueCard): string {
  return t("issues.weight", { severity: weight("severity", severity), priority: weight("priority", priority) });
}
