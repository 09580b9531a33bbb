import { describe, expect, it } from "vitest";
import { cutAt, DESCRIPTION_SIZE, pixels, TITLE_SIZE, wrapAt } from "./ruler";

describe("the pixel ruler", () => {
  // The same table as the engine's own test: the two must never disagree.
  it.each([
    ["", 0, 0],
    ["Hello World", 103, 72],
    ["WWWWWWWWWW", 189, 131],
    ["iiiiiiiiii", 44, 31],
    ["Café", 42, 29],
    ["日本語", 60, 42],
    ["e\u0301", 11, 8],
  ])("measures %j as the engine does", (text, title, description) => {
    expect([pixels(text, TITLE_SIZE), pixels(text, DESCRIPTION_SIZE)]).toEqual([title, description]);
  });

  it("leaves a text that fits alone", () => {
    expect(cutAt("Green tea", TITLE_SIZE, 561)).toEqual({ lines: ["Green tea"], cut: false });
  });

  it("cuts at a word and says so, within the room", () => {
    const laid = cutAt("Japanese green tea from small gardens in Shizuoka and Uji, sent fresh", TITLE_SIZE, 400);
    expect(laid.cut).toBe(true);
    expect(laid.lines[0]).toBe("Japanese green tea from small gardens in …");
    expect(pixels(laid.lines[0] ?? "", TITLE_SIZE)).toBeLessThanOrEqual(400);
  });

  it("breaks a word that fills the line by itself", () => {
    const [line = ""] = cutAt("W".repeat(100), TITLE_SIZE, 200).lines;
    expect(line).toMatch(/^W{9} …$/u);
  });

  it("never splits a surrogate pair", () => {
    const [line = ""] = cutAt("🍵".repeat(40), TITLE_SIZE, 110).lines;
    expect(line).toBe("🍵🍵🍵🍵 …");
  });

  it("wraps onto lines and cuts the last", () => {
    const laid = wrapAt("one two three four five six seven eight nine ten", 20, 90, 2);
    expect(laid).toEqual({ lines: ["one two", "three …"], cut: true });
    expect(wrapAt("one two", 20, 60, 3)).toEqual({ lines: ["one", "two"], cut: false });
    expect(wrapAt("  ", 20, 60, 3)).toEqual({ lines: [], cut: false });
  });

  it("ends on a room too small for anything", () => {
    expect(wrapAt("abc", 20, 1, 2).cut).toBe(true);
  });
});
