import { describe, expect, it } from "vitest";
import { fromLines, readArray, toLines, writeArray } from "./toml";

describe("lists of settings", () => {
  it("reads what a TOML writer writes", () => {
    const check = (text: string, expected: string[] | null) => expect(readArray(text)).toEqual(expected);
    check("[]", []);
    check('["a", "b"]', ["a", "b"]);
    check("['exclude \\?sort=']", ["exclude \\?sort="]);
    check('["exclude \\\\?sort=", ]', ["exclude \\?sort="]);
    check("[\n  \"a\",\n  'b'\n]", ["a", "b"]);
    check("['''exclude it's \"x\" \\d''']", ['exclude it\'s "x" \\d']);
    check('["\\u00fc\\U0001F375"]', ["ü🍵"]);
    for (const bad of ["", "a, b", '["a"', "[a]", '["a"] b', '["\\q"]', '["\\uZZZZ"]']) check(bad, null);
  });

  it("writes what it reads", () => {
    for (const items of [[], ["a"], ['say "x" \\d+', "tab\there", "del\u007f"]]) expect(readArray(writeArray(items))).toEqual(items);
  });

  it("turns lines into items and back", () => {
    expect(fromLines("exclude \\?sort=\n\n  include /shop/  \r\n")).toBe('["exclude \\\\?sort=", "include /shop/"]');
    expect(toLines("['exclude \\?sort=', 'include /shop/']")).toBe("exclude \\?sort=\ninclude /shop/");
    expect(toLines("cdn.example.com")).toBe("cdn.example.com");
  });
});
