import { beforeEach, expect, it } from "vitest";
import { de } from "./de";
import { en } from "./en";
import { t } from "./index";
import { speak } from "./language.svelte";

beforeEach(() => speak("en"));

it("fills in values and groups numbers", () => expect(t("common.url_count", { n: 1_204 })).toBe(`${(1_204).toLocaleString()} URLs`));
it("chooses between one and other", () => expect(t("common.url_count", { n: 1 })).toBe("1 URL"));
it("keeps a bar that a value brings along", () => expect(t("common.palette_empty", { text: "a|b" })).toContain("a|b"));
it("speaks the other language at once", () => {
  speak("de");
  expect(t("common.settings")).toBe("Einstellungen");
  expect(document.documentElement.lang).toBe("de");
});

/** Every text with its path. */
function leaves(tree: object, at = ""): [string, string][] {
  return Object.entries(tree).flatMap(([key, value]: [string, unknown]) => (typeof value === "string" ? [[at + key, value] as [string, string]] : leaves(value as object, `${at}${key}.`)));
}

it("has the same placeholders in both languages", () => {
  const german = new Map(leaves(de));
  const names = (text: string) => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort();
  for (const [path, text] of leaves(en)) expect([path, names(german.get(path) ?? "")]).toEqual([path, names(text)]);
});
