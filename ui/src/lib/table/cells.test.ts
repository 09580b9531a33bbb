import { describe, expect, it } from "vitest";
import type { ColumnKind, Value } from "../backend/bindings";
import { speak } from "../text/language.svelte";
import { cellText, pieces, readable, toneOf } from "./cells";

speak("en");

it.each<[ColumnKind, Value, string]>([
  ["int", 48_112, "48,112"],
  ["bytes", 1_240_000, "1.2 MB"],
  ["ms", 1_240, "1,240 ms"],
  ["flag", 1, "yes"],
  ["flag", 0, "no"],
  ["verdict", "not_checked", "not checked"],
  ["state", "something_new", "something new"],
  ["text", null, ""],
  ["status", 404, "404"],
  ["int", "n/a", "n/a"],
])("writes %s %j as %j", (kind, value, text) => expect(cellText(kind, value)).toBe(text));

describe("JSON", () => {
  it.each([
    ['["a","b"]', "a, b"],
    ['{"words":12,"of":null}', "words: 12, of: –"],
    ['[{"a":1},{"a":2}]', "a: 1; a: 2"],
    ["not json", "not json"],
    ["12", "12"],
  ])("reads %s as %s", (json, text) => expect(readable(json)).toBe(text));
});

describe("search hits", () => {
  const joined = (text: string, term: string): string => pieces(text, term).map(({ text: part, hit }) => (hit ? `[${part}]` : part)).join("");
  it("are marked whatever their case", () => expect(joined("Tea and tea", "TEA")).toBe("[Tea] and [tea]"));
  it("do not overlap", () => expect(joined("aaa", "aa")).toBe("[aa]a"));
  it("are none without a term", () => expect(joined("tea", "")).toBe("tea"));
  it("never break a text whose length depends on its case", () => expect(joined("İstanbul tea", "tea")).toBe("İstanbul tea"));
});

it("gives codes a hue", () => {
  expect(toneOf("verdict", "broken")).toBe("bad");
  expect(toneOf("verdict", "never heard of")).toBe("neutral");
  expect(toneOf("text", "broken")).toBeNull();
});
