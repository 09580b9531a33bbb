import { describe, expect, it } from "vitest";
import { rank } from "./fuzzy";

const ENTRIES = ["Overview", "Issues", "URLs", "Links", "Settings", "Appearance: Dark", "Link to a broken URL", "Title missing", "Überblick"];
const check = (words: string, expected: string[]) => expect(rank(words, ENTRIES, (one) => one).slice(0, expected.length)).toEqual(expected);

describe("what a few letters mean", () => {
  it("keeps the order without words", () => check("", ["Overview", "Issues"]));
  it("prefers what begins with them", () => check("link", ["Links", "Link to a broken URL"]));
  it("finds beginnings of words", () => check("ltb", ["Link to a broken URL"]));
  it("finds letters in order", () => check("sttngs", ["Settings"]));
  it("ignores accents", () => check("uber", ["Überblick"]));
  it("finds a word inside", () => check("dark", ["Appearance: Dark"]));
  it("leaves out what lacks a letter", () => expect(rank("xyz", ENTRIES, (one) => one)).toEqual([]));
});
