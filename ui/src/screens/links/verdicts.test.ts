import { describe, expect, it } from "vitest";
import type { ColumnCard, TableCard } from "$lib/backend/bindings";
import { linkQuicks, occurrencesOf, targetQuicks, whereQuicks } from "./verdicts";

const table = (columns: Record<string, string[]>): TableCard => ({
  id: "x", title: "", sort: null,
  columns: Object.entries(columns).map(([id, choices]) => ({ id, choices }) as ColumnCard),
});
const ids = (quicks: { id: string }[]) => quicks.map((quick) => quick.id);

describe("quick filters of links", () => {
  it("asks for problems only where the list holds more than problems", () => {
    const problems = targetQuicks(table({ verdict: ["broken", "unverified", "invalid", "blocked"] }));
    expect(ids(problems)).toEqual(["all", "broken", "unverified", "invalid", "blocked"]);
    expect(problems[0]?.filters).toEqual([]);
    const all = targetQuicks(table({ verdict: ["ok", "redirect", "broken"] }));
    expect(ids(all).at(-1)).toBe("redirect");
    expect(JSON.stringify(all[0]?.filters)).toContain("unverified");
  });

  it("offers what the table can tell", () => {
    expect(ids(linkQuicks(table({ source: [] })))).toEqual(["every"]);
    expect(whereQuicks(table({ target: [] }))).toEqual([]);
    expect(ids(whereQuicks(table({ target_internal: [] })))).toEqual(["anywhere", "internal", "external"]);
  });

  it("finds the occurrences of what is no address by how it was written", () => {
    expect(occurrencesOf(7, "https://a.example/")).toEqual({ links_to: [7] });
    expect(JSON.stringify(occurrencesOf(0, "http://["))).toContain("raw_href");
  });
});
