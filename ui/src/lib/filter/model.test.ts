import { describe, expect, it } from "vitest";
import type { Filter } from "../backend/bindings";
import { drafted, filterOf, isEmpty, narrowed, searched, withoutPart } from "./model";

const broken: Filter = { is: { column: "status", operator: "at_least", value: 400 } };
const internal: Filter = { is: { column: "internal", operator: "equals", value: 1 } };
const deep: Filter = { is: { column: "depth", operator: "above", value: 3 } };

describe("a filter comes back as it was", () => {
  it.each<[string, Filter]>([
    ["one condition", broken],
    ["a negated one", { not: broken }],
    ["a search", { search: "tea" }],
    ["a search and a condition", { all: [{ search: "tea" }, broken] }],
    ["both of two", { all: [broken, internal] }],
    ["either of two", { any: [broken, internal] }],
    ["a search in either of two", { all: [{ search: "tea" }, { any: [broken, internal] }] }],
    ["a group within", { all: [internal, { any: [broken, deep] }] }],
    ["a negated group", { all: [internal, { not: { any: [broken, deep] } }] }],
    ["groups in an or", { any: [{ all: [internal, broken] }, deep] }],
    ["a finding", { finding: "missing-title" }],
    ["a finding narrowed", { all: [{ finding: "missing-title" }, internal] }],
    ["links of rows", { links_to_rows: { table: 3, ranges: [{ start: 0, end: 48_112 }] } }],
    ["a tree deeper than a person can build", { all: [internal, { any: [broken, { all: [deep, { not: { any: [internal, broken] } }] }] }] }],
  ])("%s", (_, filter) => expect(filterOf(drafted(filter))).toEqual(filter));
});

it("lets everything pass when it is empty", () => {
  expect(filterOf(drafted(null))).toBeNull();
  expect(isEmpty(drafted(null))).toBe(true);
  expect(filterOf({ search: "  ", join: "all", parts: [] })).toBeNull();
  expect(filterOf(withoutPart(drafted(broken), 0))).toBeNull();
});

it("leaves out what is empty within", () => {
  expect(filterOf({ search: "", join: "all", parts: [{ kind: "group", negated: true, join: "any", parts: [] }] })).toBeNull();
});

it("knows what is searched for", () => {
  expect(searched({ all: [{ search: "tea" }, broken] })).toBe("tea");
  expect(searched({ any: [broken] })).toBe("");
});

it("narrows any filter by one more condition", () => {
  const condition = { column: "depth", operator: "above", value: 3 } as const;
  expect(narrowed(null, condition, false)).toEqual({ is: condition });
  expect(narrowed(broken, condition, true)).toEqual({ all: [broken, { not: { is: condition } }] });
  expect(narrowed({ any: [broken, internal] }, condition, false)).toEqual({ all: [{ any: [broken, internal] }, { is: condition }] });
});
