import { describe, expect, it } from "vitest";
import { find, partsOf, PIECE, rowAt, rowOfLine, rowsOf } from "./source";

const texts = (html: string) => rowsOf(html).map((row) => html.slice(row.start, row.end));

describe("rows of a source", () => {
  it("are its lines, whatever ends them", () => {
    expect(texts("a\nb\r\nc")).toEqual(["a", "b", "c"]);
    expect(texts("")).toEqual([""]);
    expect(texts("a\n")).toEqual(["a", ""]);
  });

  it("cut long lines into pieces that make up the whole, after a tag where there is one", () => {
    const html = `${"<p>tea</p>".repeat(200)}\n<i>end</i>`;
    const rows = rowsOf(html);
    expect(rows.filter((row) => row.line === 1).map((row) => html.slice(row.start, row.end)).join("")).toBe("<p>tea</p>".repeat(200));
    expect(rows.every((row) => row.end - row.start <= PIECE)).toBe(true);
    expect(rows.filter((row) => row.first)).toHaveLength(2);
    expect(html.slice(rows[0]?.start, rows[0]?.end).endsWith(">")).toBe(true);
  });

  it("are made of two megabytes in one line quickly", () => {
    const before = performance.now();
    expect(rowsOf("x".repeat(2_000_000))).toHaveLength(2_000_000 / PIECE);
    expect(performance.now() - before).toBeLessThan(500);
  });

  it("are found by line and by offset", () => {
    const html = `first\n${"y".repeat(1000)}\nthird`;
    const rows = rowsOf(html);
    expect(rows[rowOfLine(rows, 3)]).toMatchObject({ line: 3, first: true });
    expect(rows[rowOfLine(rows, 2)]).toMatchObject({ line: 2, first: true });
    expect(rowOfLine(rows, 99)).toBe(rows.length - 1);
    expect(rows[rowAt(rows, html.indexOf("third"))]?.line).toBe(3);
    expect(rowAt(rows, 6 + 500)).toBe(2);
  });
});

describe("finding", () => {
  it("ignores case unless a capital is given, and reads signs as signs", () => {
    expect(find("Tea tea TEA", "tea")).toHaveLength(3);
    expect(find("Tea tea TEA", "Tea")).toEqual([{ start: 0, end: 3 }]);
    expect(find("a.b axb", "a.b")).toEqual([{ start: 0, end: 3 }]);
    expect(find("abc", "")).toEqual([]);
  });
});

describe("the parts of a row", () => {
  const drawn = (html: string, needle = "", current = 0) => {
    const [row] = rowsOf(html);
    return row === undefined ? [] : partsOf(html, row, find(html, needle), current).map((part) => [part.text, part.kind, part.match]);
  };

  it("tell markup from text", () => {
    expect(drawn("<b>tea</b> <!-- x --> y")).toEqual([
      ["<b>", "tag", "none"], ["tea", "text", "none"], ["</b>", "tag", "none"], [" ", "text", "none"],
      ["<!-- x -->", "comment", "none"], [" y", "text", "none"],
    ]);
    expect(drawn("1 < 2")).toEqual([["1 < 2", "text", "none"]]);
    expect(drawn('class="x">tea')).toEqual([['class="x">', "tag", "none"], ["tea", "text", "none"]]);
  });

  it("mark what was found, across markup, and the current one apart", () => {
    expect(drawn("<b>tea</b>tea", "tea", 1)).toEqual([
      ["<b>", "tag", "none"], ["tea", "text", "found"], ["</b>", "tag", "none"], ["tea", "text", "current"],
    ]);
    expect(drawn("a<b>c", "a<b").map((part) => part[2])).toEqual(["current", "current", "none", "none"]);
  });

  it("mark the tag that something points to, also where a row cuts it or two of its kind stand side by side", () => {
    const html = `${"<i>x</i>".repeat(49)}<a href="/one">1</a><a href="/one">2</a>`;
    const start = html.lastIndexOf("<a");
    const place = { start, end: html.indexOf(">", start) + 1 };
    const parts = rowsOf(html).flatMap((row) => partsOf(html, row, find(html, "one"), 0, place));
    expect(parts.map((part) => part.text).join("")).toBe(html);
    expect(parts.filter((part) => part.pointed).map((part) => part.text)).toEqual(['<a href="/', "one", '">']);
    const whole = { start: 3, end: html.length - 3 };
    const many = rowsOf(html).flatMap((row) => partsOf(html, row, [], 0, whole));
    expect(many.filter((part) => part.pointed).map((part) => part.text).join("")).toBe(html.slice(3, -3));
  });

  it("always make up the whole row", () => {
    for (const html of ["<", ">", "<a", "a>b>c", "<!-- open", "</", "<>x", 'x" >y<z']) {
      expect(drawn(html, "x").map((part) => part[0]).join("")).toBe(html);
    }
  });
});
