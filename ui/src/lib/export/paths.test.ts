import { describe, expect, it } from "vitest";
import { fileOf, folderOf, inFolder, stem, withEnding } from "./paths";

describe("paths", () => {
  it("takes a path apart and puts it together on every system", () => {
    const check = (path: string, folder: string, file: string) => {
      expect(folderOf(path)).toBe(folder);
      expect(fileOf(path)).toBe(file);
      expect(inFolder(folder, file)).toBe(path);
    };
    check("/home/ana/tea.csv", "/home/ana", "tea.csv");
    check("C:\\Users\\ana\\tea.csv", "C:\\Users\\ana", "tea.csv");
    check("/tea.csv", "/", "tea.csv");
    check("C:\\tea.csv", "C:\\", "tea.csv");
    check("tea.csv", "", "tea.csv");
  });

  it("replaces only an ending that is a format", () => {
    const check = (path: string, expected: string) => expect(withEnding(path, "xlsx", ["csv", "xlsx", "json"])).toBe(expected);
    check("/a/tea.csv", "/a/tea.xlsx");
    check("/a/tea.CSV", "/a/tea.xlsx");
    check("/a/www.tea.example", "/a/www.tea.example.xlsx");
    check("/a.csv/tea", "/a.csv/tea.xlsx");
    check("/a/.csv", "/a/.csv.xlsx");
  });

  it("makes a harmless name of any text", () => {
    const check = (text: string, expected: string) => expect(stem(text)).toBe(expected);
    check("shop.example · 404 pages", "shop.example-404-pages");
    check("../../etc/passwd", "etc-passwd");
    check("Über uns", "Über-uns");
    check("", "export");
    check("NUL", "site-NUL");
    expect(stem("x".repeat(5000)).length).toBe(80);
  });
});
