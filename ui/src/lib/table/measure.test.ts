import { expect, it } from "vitest";
import { cutToWidth } from "./measure";

// Without a canvas every character counts 7 px.
const url = "https://tea.example/shop/green/sencha-of-the-first-flush";

it("cuts an address in the middle, to the room there is", () => {
  expect(cutToWidth(url, 1_000, "13px x")).toBe(url);
  const cut = cutToWidth(url, 210, "13px x");
  expect(cut.length * 7).toBeLessThanOrEqual(210);
  expect(cut.length * 7).toBeGreaterThan(190);
  const [start = "", end = ""] = cut.split("…");
  expect(url.startsWith(start) && url.endsWith(end)).toBe(true);
  expect(end.length).toBeGreaterThan(start.length);
});

it.each([-5, 0, 3, 8])("never fails in %i px", (room) => expect(cutToWidth(url, room, "13px x").length).toBeLessThan(4));
