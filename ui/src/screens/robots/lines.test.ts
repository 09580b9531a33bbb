import { describe, expect, it } from "vitest";
import { backend } from "$lib/backend";
import { changedLines, linesFollowed, linesOf, named, partsOf, typedUrls } from "./lines";

const check = (before: string[], now: string[], expected: number[]) => expect([...changedLines(before, now)]).toEqual(expected);

describe("lines that an edit changed", () => {
  it("marks none of the same text", () => check(["a", "b"], ["a", "b"], []));
  it("marks the one that was edited", () => check(["a", "b", "c"], ["a", "B", "c"], [2]));
  it("marks what was added and nothing below it", () => check(["a", "b"], ["a", "new", "b"], [2]));
  it("marks nothing where a line was taken out", () => check(["a", "b", "c"], ["a", "c"], []));
  it("counts how often a line was there", () => check(["a", "x", "b"], ["q", "x", "x", "z"], [1, 3, 4]));
});

it("takes a line apart into key, value and comment", () => {
  expect(partsOf("Disallow: /cart # basket", "disallow")).toEqual({ key: "Disallow:", value: " /cart ", comment: "# basket" });
  expect(partsOf("# a: b", "comment")).toEqual({ key: "", value: "", comment: "# a: b" });
  expect(partsOf("Disallow /tmp/", "disallow")).toEqual({ key: "Disallow", value: " /tmp/", comment: "" });
  expect(partsOf("no sense", "unreadable")).toEqual({ key: "", value: "no sense", comment: "" });
});

it("counts lines by every line break, without an empty one at the end", () => expect(linesOf("a\r\nb\rc\n\n")).toEqual(["a", "b", "c", ""]));
it("leaves out what is empty of the typed lines", () => expect(typedUrls(" /a \n\n/b\n")).toEqual(["/a", "/b"]));

it("marks the group of each crawler", async () => {
  const file = await backend.robotsFile(3, "https://lindenleaf.example");
  expect(named(linesFollowed(file, "gossamerbot", null))).toBe("2–13");
  expect(named(linesFollowed(file, "Googlebot", null))).toBe("15–19");
  expect(named(linesFollowed(file, "GreedyBot", "GreedyBot"))).toBe("21–23");
  expect(named(linesFollowed(file, "Bingbot", null))).toBe("");
  expect(named(new Set([10, 7, 8, 11, 20]))).toBe("7–8, 10–11, 20");
});
