/** What a person said about the made-up findings. */
import type { ApiError, IgnoredCard, IgnoreRequest, IssueCard, RecheckForm, RecheckReport, SeverityCard, ThresholdValue } from "../bindings";
import { auditCard, holds } from "./audits";
import { site } from "./site";

let entries: IgnoredCard[] = [];
let last = 0;
const weights = new Map<string, SeverityCard>();
const said = new Map<string, string>();
let checked: RecheckReport | null = null;

const refused = (message: string): ApiError => ({ code: "usage", message, detail: [] });

export const ignored = (): IgnoredCard[] => entries;

export function ignore({ audit, what, reason, until }: IgnoreRequest): IgnoredCard[] {
  if (reason.trim() === "") throw refused("Say why it may stay.");
  const { title } = auditCard(audit);
  const made = what.map((one): IgnoredCard => ({
    number: ++last, audit, title, what: one, reason, made: new Date().toISOString(), until, expired: false, findings: one === "audit" ? holds(audit).size : 1,
  }));
  entries = [...made.reverse(), ...entries];
  return made;
}

export function stopIgnoring(number: number): void {
  entries = entries.filter((entry) => entry.number !== number);
}

export const severities = (): SeverityCard[] => [...weights.values()];

export function setSeverity(audit: string, severity: string | null, priority: string | null): void {
  if (severity === null) return void weights.delete(audit);
  const own = auditCard(audit);
  weights.set(audit, { audit, title: own.title, severity, priority, own_severity: own.severity, own_priority: own.priority });
}

/** A card with what was said taken into account. */
export function heard(card: IssueCard): IssueCard {
  const weight = weights.get(card.audit);
  const kept = entries.filter((entry) => entry.audit === card.audit);
  const all = kept.some((entry) => entry.what === "audit");
  const away = all ? card.findings : Math.min(card.findings, kept.length);
  return {
    ...card, severity: weight?.severity ?? card.severity, priority: weight?.priority ?? card.priority, changed: weight !== undefined,
    findings: card.findings - away, urls: Math.max(0, card.urls - away), ignored: away,
  };
}

export const thresholds = (audit: string): ThresholdValue[] => auditCard(audit).thresholds.map(({ setting, default: own }) => ({
  setting, default: own, value: said.get(setting) ?? own, of_project: said.has(setting),
}));

export function evaluate(set: [string, string][], reset: string[]): void {
  for (const id of reset) said.delete(id);
  for (const [id, value] of set) said.set(id, value);
}

/** Every third finding is fixed. */
export function checkAgain({ crawl, audits, urls }: RecheckForm): void {
  const keys = [...new Set(audits.flatMap((audit) => [...holds(audit)]))].slice(0, 60);
  const chosen = urls.length > 0 ? urls : keys.map((key) => site().pages.find((page) => page.key === key)?.url ?? "");
  const audit = audits[0] ?? "broken-page";
  const { title } = auditCard(audit);
  const findings = chosen.map((url, at) => ({ audit, title, url, element: null, target: null, result: at % 3 === 0 ? "fixed" : "still_there", why: null }));
  const count = (result: string) => findings.filter((one) => one.result === result).length;
  checked = { crawl: crawl + 1, base: crawl, complete: true, asked: chosen.length, fixed: count("fixed"), still_there: count("still_there"), not_rechecked: 0, waiting: 0, findings };
}

export function recheck(): RecheckReport {
  if (!checked) throw refused("No finding was looked at again.");
  return checked;
}
