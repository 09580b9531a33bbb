import { expect, it } from "vitest";
import { timings } from "./timings";

it("scales every time to the longest, however its number is grouped", () => {
  const read = timings([{ name: "DNS", value: "12 ms" }, { name: "First byte", value: "1,240 ms" }, { name: "All", value: "2.480 ms" }, { name: "TLS", value: "–" }]);
  expect(read.map((one) => [one.label, one.ms])).toEqual([["DNS", 12], ["First byte", 1240], ["All", 2480]]);
  expect(read[1]?.share).toBe(0.5);
});

it("gives bare numbers their unit", () => {
  expect(timings([{ name: "DNS", value: "1240" }])[0]?.value).toMatch(/^1.240 ms$/u);
});

it("does not divide by nothing", () => {
  expect(timings([{ name: "DNS", value: "0 ms" }])).toEqual([{ label: "DNS", value: "0 ms", ms: 0, share: 0 }]);
  expect(timings([])).toEqual([]);
});
