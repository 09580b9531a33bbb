/** The look follows the system unless the person chose one; the sheet asks for `data-theme` on the root. */
import { app } from "../state/app.svelte";

export function followTheme(): () => void {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const apply = () => {
    const dark = app.theme === "dark" || (app.theme === "system" && system.matches);
    document.documentElement.dataset["theme"] = dark ? "dark" : "light";
  };
  const stop = $effect.root(() => {
    $effect(apply);
  });
  system.addEventListener("change", apply);
  return () => {
    stop();
    system.removeEventListener("change", apply);
  };
}
