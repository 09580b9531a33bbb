/** The language of the window: the system's, unless the person chose one. */
export type Language = "en" | "de";

/** The system's locale. WebKit passes on "C" and "POSIX", which name no language, and numbers and dates cannot be written in. */
function systemLocale(): string {
  try {
    return Intl.getCanonicalLocales(navigator.language)[0] ?? "en";
  } catch {
    return "en";
  }
}

const system = (): Language => (navigator.language.toLowerCase().startsWith("de") ? "de" : "en");

/** `locale` also decides numbers and dates: a British system shows its own dates with English texts. */
export const language = $state<{ texts: Language; locale: string }>({ texts: system(), locale: systemLocale() });

/** Sets the language of the texts; null goes back to the system's. */
export function speak(chosen: Language | null): void {
  const own = system();
  language.texts = chosen ?? own;
  language.locale = chosen && chosen !== own ? chosen : systemLocale();
  document.documentElement.lang = language.texts;
}
