import { expect, it } from "vitest";
import type { ColumnCard, ColumnKind } from "../backend/bindings";
import { begun, isWhole, misreading, moved, numberOf, operatorsOf } from "./operators";

const card = (id: string, kind: ColumnKind, choices: string[] = []): ColumnCard => ({ id, label: id, kind, width: 100, shown: true, quick: true, help: "", choices });

it.each<[string, ColumnKind, number | null]>([
  ["404", "status", 404],
  [" 12,000 ", "int", 12_000],
  ["12.000", "int", 12_000],
  ["1.234.567", "int", 1_234_567],
  ["1.5", "real", 1.5],
  ["1,5", "real", 1.5],
  ["-3", "int", -3],
  ["1.5 MB", "bytes", 1_500_000],
  ["100k", "bytes", 100_000],
  ["2 s", "ms", 2_000],
  ["2 s", "int", null],
  ["tea", "int", null],
  ["", "int", null],
  ["1e5", "int", null],
  ["404.5", "status", null],
  ["1.5", "int", null],
  ["1e99", "real", null],
  ["9".repeat(30), "int", null],
])("reads %j as %s", (text, kind, value) => expect(numberOf(text, kind)).toBe(value));

it.each<[string, ColumnKind, string | null]>([
  ["404.5", "status", "not_whole"],
  ["abc", "int", "not_a_number"],
  ["1e99", "int", "not_a_number"],
  ["9".repeat(30), "bytes", "too_large"],
  [" ", "int", "missing"],
  ["1.5 s", "ms", null],
])("says of %j as %s what is wrong with it: %s", (text, kind, wrong) => expect(misreading(text, kind)).toBe(wrong));

it("offers what suits the kind", () => {
  expect(operatorsOf(card("url", "url"))).toContain("matches");
  expect(operatorsOf(card("status", "status"))).not.toContain("contains");
  expect(operatorsOf(card("state", "state", ["fetched", "failed"]))).toEqual(["equals", "differs", "empty", "filled"]);
});

it("is whole once it has a value of its kind", () => {
  expect(isWhole(begun(card("depth", "int")), card("depth", "int"))).toBe(false);
  expect(isWhole({ column: "depth", operator: "above", value: 3 }, card("depth", "int"))).toBe(true);
  expect(isWhole({ column: "depth", operator: "empty", value: null }, card("depth", "int"))).toBe(true);
  expect(isWhole(begun(card("indexable", "flag")), card("indexable", "flag"))).toBe(true);
});

it("keeps the value on a column of the same sort", () => {
  const condition = { column: "depth", operator: "above", value: 3 } as const;
  expect(moved(condition, card("depth", "int"), card("inlinks", "int"))).toEqual({ ...condition, column: "inlinks" });
  expect(moved(condition, card("depth", "int"), card("url", "url"))).toEqual({ column: "url", operator: "contains", value: "" });
});
