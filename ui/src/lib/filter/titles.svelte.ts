/** What findings are called. The engine knows; each is asked for once. */
import { SvelteMap } from "svelte/reactivity";
import { backend } from "../backend";

const titles = new SvelteMap<string, string>();
const asked: Record<string, boolean> = {};

/** The title of an audit, or its code in words until the engine has answered. */
export const findingTitle = (code: string): string => titles.get(code) ?? code.replaceAll("-", " ");

export function askTitles(codes: Iterable<string>): void {
  for (const code of codes) {
    if (asked[code]) continue;
    asked[code] = true;
    backend.audit(code).then((card) => titles.set(code, card.title)).catch(() => (asked[code] = false));
  }
}
