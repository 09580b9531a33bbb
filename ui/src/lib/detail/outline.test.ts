import { expect, it } from "vitest";
import { levels, outline } from "./outline";

const flaws = (...found: [number, string][]) => outline(found.map(([level, text]) => ({ level, text }))).map((row) => row.flaw);

it("finds nothing in a sound outline, where levels may close at once", () => {
  expect(flaws([1, "Tea"], [2, "Green"], [3, "Sencha"], [4, "First flush"], [2, "Black"])).toEqual([null, null, null, null, null]);
});

it("marks skipped levels, a late h1, a second h1 and empty headings", () => {
  expect(flaws([1, "Tea"], [3, "Sencha"])).toEqual([null, "skipped"]);
  expect(flaws([2, "Green"], [1, "Tea"], [1, "Tea again"])).toEqual(["first", null, "again"]);
  expect(flaws([1, "Tea"], [2, "  "])).toEqual([null, "empty"]);
});

it("says what a skipped heading follows", () => {
  expect(outline([{ level: 2, text: "a" }, { level: 5, text: "b" }])[1]).toMatchObject({ after: 2, flaw: "skipped" });
});

it("counts levels in order", () => {
  expect(levels([{ level: 3, text: "" }, { level: 1, text: "" }, { level: 3, text: "" }])).toEqual([
    { level: 1, count: 1 }, { level: 3, count: 2 },
  ]);
});
