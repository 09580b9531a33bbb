import { expect, it } from "vitest";
import type { ColumnCard, ColumnKind, Filter } from "../backend/bindings";
import { speak } from "../text/language.svelte";
import { wordsOf } from "./words";

speak("en");

const card = (id: string, label: string, kind: ColumnKind, choices: string[] = []): ColumnCard => ({ id, label, kind, width: 100, shown: true, quick: true, help: "", choices });
const names = {
  columns: [card("url", "URL", "url"), card("status", "Status", "status"), card("ttfb_ms", "First byte", "ms"), card("indexable", "Indexable", "flag"), card("state", "State", "state", ["failed", "not_followed"])],
  findingTitle: (code: string) => (code === "missing-title" ? "Missing title" : code),
};

it.each<[Filter, string]>([
  [{ is: { column: "status", operator: "equals", value: 404 } }, "Status is 404"],
  [{ is: { column: "ttfb_ms", operator: "above", value: 1_200 } }, "First byte > 1,200 ms"],
  [{ is: { column: "state", operator: "equals", value: "not_followed" } }, "State is not followed"],
  [{ is: { column: "url", operator: "empty", value: null } }, "URL is empty"],
  [{ is: { column: "gone", operator: "contains", value: "x" } }, "gone contains x"],
  [{ is: { column: "indexable", operator: "equals", value: 0 } }, "Indexable: no"],
  [{ not: { is: { column: "indexable", operator: "equals", value: 1 } } }, "Indexable: no"],
  [{ not: { is: { column: "url", operator: "contains", value: "tea" } } }, "URL lacks “tea”"],
  [{ not: { is: { column: "status", operator: "above", value: 3 } } }, "not: Status > 3"],
  [{ finding: "missing-title" }, "Found: Missing title"],
  [{ links_to: [1] }, "Links to this page"],
  [{ links_to_rows: { table: 1, ranges: [{ start: 0, end: 4_812 }] } }, "Links to 4,812 chosen pages"],
  [{ all: [{ search: "tea" }, { any: [{ is: { column: "status", operator: "equals", value: 404 } }, { finding: "missing-title" }] }] }, "contains “tea” and (Status is 404 or Found: Missing title)"],
  [{ any: [{ is: { column: "status", operator: "equals", value: 404 } }, { is: { column: "status", operator: "equals", value: 410 } }] }, "Status is 404 or 410"],
])("says %j", (filter, words) => expect(wordsOf(filter, names)).toBe(words));
