import { expect, it } from "vitest";
import { facts, lineOf, readable, sentence, shown } from "./evidence";

it("says keys in words and keeps labels as they are", () => {
  const label = (name: string) => shown([{ name, value: "1" }])[0]?.label;
  expect(label("final_url")).toBe("Final URL");
  expect(label("h1s")).toBe("H1s");
  expect(label("linking_pages")).toBe("Linking pages");
  expect(label("Code points")).toBe("Code points");
});

it("moves a unit from the name to the value", () => {
  expect(shown([{ name: "ttfb_ms", value: "912" }])[0]).toMatchObject({ label: "First byte", value: "912 ms" });
});

it("puts the element and its line first and leaves out what is empty", () => {
  const facts = [{ name: "status", value: "404" }, { name: "anchor", value: "" }, { name: "line", value: "214" }, { name: "element", value: "footer > a" }];
  expect(sentence(facts)).toBe("Element footer > a · Line 214 · Status 404");
  expect(shown(facts)[0]?.mono).toBe(true);
});

it("knows addresses", () => {
  expect(shown([{ name: "target", value: "https://tea.example/a" }])[0]).toMatchObject({ url: true, mono: true });
  expect(shown([{ name: "detail", value: "see https://tea.example/a" }])[0]?.url).toBe(false);
});

it("finds the line to jump to, and none where there is none", () => {
  expect(lineOf([{ name: "line", value: "1,214" }])).toBe(1214);
  expect(lineOf([{ name: "Line", value: "7" }])).toBe(7);
  expect(lineOf([{ name: "line", value: "0" }])).toBeNull();
  expect(lineOf([{ name: "line", value: "" }])).toBeNull();
  expect(lineOf([])).toBeNull();
});

it("reads moments and whole numbers, and leaves years, codes and texts alone", () => {
  expect(readable("2026-03-11T08:30:00Z")).toContain("2026");
  expect(readable("2026-03-11T08:30:00Z")).not.toContain("T08");
  expect(readable("48211")).toMatch(/^48\D211$/u);
  for (const same of ["404", "0123", "48 kB", "", "-3", "2026-03-11"]) expect(readable(same)).toBe(same);
});

it("reads the evidence of a row, and tells what is on the site by its path", () => {
  const line = "target: https://tea.example/a · raw href: ../a · status: 404 · ttfb ms: 912 · anchor: ";
  expect(facts(line, "https://tea.example").map(({ label, value }) => `${label} ${value}`)).toEqual(["Target /a", "Raw href ../a", "Status 404", "First byte 912 ms"]);
  expect(facts("title: Tea · Coffee", null)).toEqual([{ label: "Title", value: "Tea · Coffee" }]);
  expect(facts("Whatever it is", null)).toEqual([{ label: "", value: "Whatever it is" }]);
});
