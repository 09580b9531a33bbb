import { expect, it } from "vitest";
import type { IssueCard } from "$lib/backend/bindings";
import { change, grouped, lines, matching, tally } from "./order";

function card(audit: string, severity: string, priority: string, urls: number, more: Partial<IssueCard> = {}): IssueCard {
  return {
    audit, title: audit, family: "links", family_title: "Links and structure", severity, priority, findings: urls, urls,
    checked: 600, judged: "pages", before: null, ignored: 0, changed: false, ...more,
  };
}

const CARDS = [
  card("note", "note", "low", 900),
  card("few", "issue", "high", 3),
  card("many", "issue", "high", 40, { family: "text", family_title: "Titles" }),
  card("minor", "issue", "low", 500),
  card("warned", "warning", "medium", 7),
];

const drawn = (groups: ReturnType<typeof grouped>) => groups.map((group) => [group.id, ...group.cards.map((one) => one.audit)]);

it("groups by severity, worst and most first", () => {
  expect(drawn(grouped(CARDS, "severity"))).toEqual([["issue", "many", "few", "minor"], ["warning", "warned"], ["note", "note"]]);
  expect(grouped(CARDS, "severity")[0]?.urls).toBe(543);
});

it("groups by family, the family with the worst first", () => {
  expect(drawn(grouped(CARDS, "family"))).toEqual([["text", "many"], ["links", "few", "minor", "warned", "note"]]);
  expect(grouped(CARDS, "family")[0]?.title).toBe("Titles");
});

it("finds by title, id and family, and keeps to the severities chosen", () => {
  const names = (search: string, ...severities: string[]) => matching(CARDS, search, new Set(severities)).map((one) => one.audit);
  expect(names("")).toHaveLength(5);
  expect(names("titles")).toEqual(["many"]);
  expect(names("links FEW")).toEqual(["few"]);
  expect(names("", "warning", "note")).toEqual(["note", "warned"]);
  expect(names("nowhere")).toEqual([]);
});

it("puts audits of which nothing counts last, and counts them nowhere", () => {
  const cards = [card("gone", "issue", "high", 0, { ignored: 7 }), ...CARDS];
  expect(drawn(grouped(cards, "severity")).at(-1)).toEqual(["ignored", "gone"]);
  expect(drawn(grouped(cards, "family")).at(-1)).toEqual(["ignored", "gone"]);
  expect(tally(cards).issue).toBe(3);
});

it("counts audits, not URLs, by severity", () => {
  expect(tally(CARDS)).toEqual({ issue: 3, warning: 1, opportunity: 0, note: 1 });
});

it.each([
  [null, null], [10, { by: 0, way: "same" }], [12, { by: -2, way: "fewer" }], [4, { by: 6, way: "more" }], [0, { by: 10, way: "new" }],
])("compares with %s before", (before, expected) => {
  expect(change(card("a", "issue", "high", 10, { before }))).toEqual(expected);
});

it("walks through headings and what is open", () => {
  const walked = lines(grouped(CARDS, "severity"), new Set(["issue"]));
  expect(walked.map((line) => line.id)).toEqual(["group-issue", "group-warning", "audit-warned-warning-medium", "group-note", "audit-note-note-low"]);
});
