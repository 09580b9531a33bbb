/** The list of issues: which are shown, in what groups and order, and how each has changed. */

import type { IssueCard } from "$lib/backend/bindings";

export const SEVERITIES = ["issue", "warning", "opportunity", "note"] as const;
export type Severity = (typeof SEVERITIES)[number];
export type Arrangement = "severity" | "family";
export type Group = { id: string; title: string; severity: Severity | null; cards: IssueCard[]; urls: number };

const PRIORITIES = ["high", "medium", "low"];

const place = (list: readonly string[], word: string) => {
  const at = list.indexOf(word);
  return at === -1 ? list.length : at;
};

/** One audit can have findings that weigh differently: a line for each weight. */
export const idOf = (card: IssueCard): string => `${card.audit}-${card.severity}-${card.priority}`;

/** Worst first: severity, then priority, then the URLs concerned; equal ones by title, so that the order never flickers. */
export function worstFirst(a: IssueCard, b: IssueCard): number {
  return place(SEVERITIES, a.severity) - place(SEVERITIES, b.severity)
    || place(PRIORITIES, a.priority) - place(PRIORITIES, b.priority)
    || b.urls - a.urls
    || a.title.localeCompare(b.title)
    || a.audit.localeCompare(b.audit);
}

/** Every word of the search must stand in the title, the id or the family. No severity chosen means all. */
export function matching(cards: IssueCard[], search: string, severities: ReadonlySet<string>): IssueCard[] {
  const words = search.toLowerCase().split(/\s+/u).filter(Boolean);
  return cards.filter((card) => {
    if (severities.size > 0 && !severities.has(card.severity)) return false;
    const text = `${card.title} ${card.audit} ${card.family_title}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** The group of audits all of whose findings are ignored; it comes last. */
export const IGNORED = "ignored";

/** Groups in the order of what is worst in them. A severity's title is not the engine's, so it stays empty here. */
export function grouped(cards: IssueCard[], by: Arrangement): Group[] {
  const groups = new Map<string, Group>();
  for (const card of [...cards].sort((a, b) => Number(counts(b)) - Number(counts(a)) || worstFirst(a, b))) {
    const id = !counts(card) ? IGNORED : by === "severity" ? card.severity : card.family;
    let group = groups.get(id);
    if (group === undefined) {
      const severity = by === "severity" ? (SEVERITIES.find((one) => one === id) ?? null) : null;
      group = { id, title: by === "severity" || id === IGNORED ? "" : card.family_title, severity, cards: [], urls: 0 };
      groups.set(id, group);
    }
    group.cards.push(card);
    group.urls += card.urls;
  }
  return [...groups.values()];
}

/** Whether it has findings that count. */
const counts = (card: IssueCard): boolean => card.findings > 0;

/** Audits with findings, by severity. */
export function tally(cards: IssueCard[]): Record<Severity, number> {
  const tallied: Record<Severity, number> = { issue: 0, warning: 0, opportunity: 0, note: 0 };
  for (const card of cards) if (counts(card) && isSeverity(card.severity)) tallied[card.severity] += 1;
  return tallied;
}

function isSeverity(word: string): word is Severity {
  return (SEVERITIES as readonly string[]).includes(word);
}

export type Change = { by: number; way: "new" | "more" | "fewer" | "same" };

/** Against the previous crawl; null where there is none to compare with. */
export function change(card: IssueCard): Change | null {
  if (card.before === null) return null;
  const by = card.findings - card.before;
  if (by === 0) return { by, way: "same" };
  if (by < 0) return { by, way: "fewer" };
  return { by, way: card.before === 0 ? "new" : "more" };
}

/** What the keyboard walks through: group headings, and the cards of groups that are open. */
export type Line = { id: string; group: string; card: IssueCard | null };

export function lines(groups: Group[], closed: ReadonlySet<string>): Line[] {
  return groups.flatMap((group) => [
    { id: `group-${group.id}`, group: group.id, card: null },
    ...(closed.has(group.id) ? [] : group.cards.map((card) => ({ id: `audit-${idOf(card)}`, group: group.id, card }))),
  ]);
}
