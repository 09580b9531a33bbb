/**
 * Every word of the window that does not come from the engine.
 *
 * `t("start.title")` gives a text of the current language. `{name}` in it is replaced by a value; numbers are grouped.
 * A text with a bar has two forms, one and other, chosen by `n`: `t("crawl.pages", { n: 3 })` of "{n} page|{n} pages".
 */
import { de } from "./de";
import { en } from "./en";
import { language } from "./language.svelte";
import type { Path } from "./shape";

export type TextKey = Path<typeof en>;
export type Fillings = Record<string, string | number>;

const catalogues: Record<"en" | "de", unknown> = { en, de };

export function t(key: TextKey, fillings?: Fillings): string {
  let found: unknown = catalogues[language.texts];
  for (const step of key.split(".")) found = (found as Record<string, unknown> | undefined)?.[step];
  if (typeof found !== "string") return key;
  return fillings ? fill(found, fillings) : found;
}

function fill(text: string, fillings: Fillings): string {
  const n = fillings["n"];
  let chosen = text;
  if (typeof n === "number" && text.includes("|")) {
    const [one, other] = text.split("|", 2);
    chosen = (plural().select(n) === "one" ? one : other) ?? text;
  }
  return chosen.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = fillings[name];
    if (value === undefined) return whole;
    return typeof value === "number" ? value.toLocaleString(language.locale) : value;
  });
}

let rules: { locale: string; select: Intl.PluralRules } | null = null;
function plural(): Intl.PluralRules {
  if (rules?.locale !== language.texts) rules = { locale: language.texts, select: new Intl.PluralRules(language.texts) };
  return rules.select;
}
