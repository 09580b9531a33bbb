import { beforeEach, describe, expect, it } from "vitest";
import { language } from "../text/language.svelte";
import { ago, bytes, count, cutMiddle, duration, moment, ms, share } from "./index";

beforeEach(() => Object.assign(language, { texts: "en", locale: "en-GB" }));

const check = (shown: string, expected: string) => expect(shown).toBe(expected);

describe("numbers", () => {
  it("groups thousands", () => check(count(48_112), "48,112"));
  it("follows the locale", () => {
    language.locale = "de-DE";
    check(count(48_112), "48.112");
    check(bytes(1_240_000), "1,2 MB");
  });
  it("keeps times in milliseconds", () => check(ms(1_240.4), "1,240 ms"));
  it("counts sizes in thousands", () => {
    check(bytes(999), "999 B");
    check(bytes(9_950), "10.0 kB");
    check(bytes(2_500_000_000), "2.5 GB");
  });
});

describe("shares", () => {
  it("has one decimal", () => check(share(1, 8), "12.5 %"));
  it("never rounds a few to none", () => check(share(1, 48_112), "< 0.1 %"));
  it("never rounds most to all", () => check(share(48_111, 48_112), "> 99.9 %"));
  it("is whole at both ends", () => {
    check(share(0, 5), "0 %");
    check(share(5, 5), "100 %");
  });
  it("says nothing of an empty whole", () => check(share(0, 0), "–"));
});

describe("times", () => {
  const now = Date.UTC(2026, 2, 11, 12);
  it("says how long ago", () => {
    check(ago("2026-03-11T11:59:30Z", now), "just now");
    check(ago("2026-03-08T12:00:00Z", now), "3 days ago");
    check(ago("2026-03-10T11:00:00Z", now), "yesterday");
  });
  it("says how long it took", () => {
    check(duration(7_400), "0:07");
    check(duration(760_000), "12:40");
    check(duration(3_729_000), "1:02:09");
    check(duration(-5), "0:00");
  });
  it("leaves what is no moment as it is", () => check(moment("never"), "never"));
});

describe("addresses", () => {
  it("cuts the middle", () => check(cutMiddle("https://example.com/a/very/long/path/page.html", 21), "https://ex…/page.html"));
  it("leaves short ones whole", () => check(cutMiddle("https://example.com/", 40), "https://example.com/"));
});
