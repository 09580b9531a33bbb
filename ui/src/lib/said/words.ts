/** What is ignored, in words. */
import type { IgnoreWhat } from "../backend/bindings";
import { t, type TextKey } from "../text";

/** Several of them are URLs, one each. */
export function whatWords(what: readonly IgnoreWhat[], title: string): string {
  const [first] = what;
  if (first === undefined) return title;
  if (what.length > 1) return t("said.what.urls", { title, n: what.length });
  if (first === "audit") return t("said.what.audit", { title });
  if ("url" in first) return t("said.what.url", { title, url: first.url });
  if ("pattern" in first) return t("said.what.pattern", { title, pattern: first.pattern });
  if ("text" in first) return t("said.what.text", { title, text: first.text });
  const { element, target } = first.place;
  const place = element.replace(/^(html>)?body>/u, "").replaceAll(">", " > ");
  if (target === null) return t("said.what.place", { title, element: place });
  return target === "" ? t("said.what.place_nowhere", { title, element: place }) : t("said.what.place_to", { title, element: place, target });
}

/** A severity or priority as the window calls it; what it has no word for, as the engine does. */
export function weight(kind: "severity" | "priority", code: string): string {
  const key = `common.${kind}_${code}`;
  const found = t(key as TextKey);
  return found === key ? code : found;
}
