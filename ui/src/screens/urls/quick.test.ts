import { describe, expect, it } from "vitest";
import type { Filter, TableCard } from "$lib/backend/bindings";
import { activeQuick, answerable, conjoin, conjuncts, is, restOf, URL_QUICKS, withQuick } from "./quick";

const quick = (id: string) => {
  const found = URL_QUICKS.find((one) => one.id === id);
  if (!found) throw new Error(id);
  return found;
};

describe("quick filters", () => {
  it("finds the tab a filter belongs to, whatever else it says", () => {
    const check = (filter: Filter | null, id: string) => expect(activeQuick(filter, URL_QUICKS)?.id).toBe(id);
    check(null, "all");
    check({ search: "tea" }, "all");
    check(conjoin(quick("missing").filters), "missing");
    check({ all: [{ all: quick("missing").filters }, { search: "tea" }] }, "missing");
    check(is("internal", "equals", 1), "internal");
    // Half of a range is somebody's own condition.
    check(is("status", "at_least", 400), "all");
    check({ is: { value: 1, operator: "equals", column: "internal" } }, "internal");
  });

  it("swaps the tab's conditions and leaves the rest", () => {
    const own: Filter = { search: "tea" };
    const missing = withQuick(own, quick("missing"), URL_QUICKS);
    expect(conjuncts(missing)).toEqual([...quick("missing").filters, own]);
    const failed = withQuick(missing, quick("failed"), URL_QUICKS);
    expect(conjuncts(failed)).toEqual([...quick("failed").filters, own]);
    expect(withQuick(failed, quick("all"), URL_QUICKS)).toEqual(own);
    expect(withQuick(quick("blocked").filters[0] ?? null, quick("all"), URL_QUICKS)).toBeNull();
  });

  it("keeps an alternative in one piece", () => {
    const either: Filter = { any: [is("depth", "above", 3), { search: "x" }] };
    expect(restOf({ all: [either, ...quick("ok").filters] }, URL_QUICKS)).toEqual([either]);
  });

  it("offers only what the table can answer", () => {
    const table = { id: "redirects", title: "", sort: null, columns: [{ id: "status" }] } as TableCard;
    expect(answerable(URL_QUICKS, table).map((one) => one.id)).toEqual(["all", "ok", "redirect", "missing"]);
    expect(answerable(URL_QUICKS, undefined)).toEqual([]);
  });
});
