/** The keys that hold anywhere in the window. Screens act first: what they used has its default prevented. */
import { onMac } from "../parts/platform";
import { app, go, goBack, hideUrl, needsProject } from "../state/app.svelte";
import { auditAgain } from "../state/startForm.svelte";
import { chooseProject } from "./commands";
import { AUDIT } from "./screens";

export type Windows = { palette: () => void; map: () => void };

const typing = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

export function onWindowKey(event: KeyboardEvent, windows: Windows): void {
  if (event.defaultPrevented || event.isComposing) return;
  if (act(event, windows)) event.preventDefault();
}

function act(event: KeyboardEvent, windows: Windows): boolean {
  const command = (onMac ? event.metaKey : event.ctrlKey) && !event.altKey;
  const key = event.key.toLowerCase();
  if (command && !event.shiftKey) {
    const entry = AUDIT[Number(key) - 1];
    if (key === "k") windows.palette();
    else if (key === ",") go("settings");
    else if (key === "o") void chooseProject();
    else if (key === "n") auditAgain();
    else if (/^[1-9]$/.test(key) && entry && app.project) go(entry.screen);
    else return false;
    return true;
  }
  if (event.ctrlKey || event.metaKey) return false;
  if (event.altKey) {
    if (event.key !== "ArrowLeft") return false;
    // The pane lies over the place: it goes first.
    if (app.detail !== null && needsProject(app.screen)) hideUrl();
    else goBack();
    return true;
  }
  if (typing(event.target)) {
    // Leaving a field is the first thing Escape does; the next one closes the pane.
    if (event.key === "Escape") (event.target as HTMLElement).blur();
    return event.key === "Escape";
  }
  if (event.key === "?") windows.map();
  else if (event.key === "/") return focusSearch();
  else if (event.key === "Escape" && app.detail !== null) hideUrl();
  else return false;
  return true;
}

/** The search of the screen where it has one, otherwise that of the header. */
export function focusSearch(): boolean {
  const fields = document.querySelectorAll<HTMLInputElement>("main input[type=search], main [role=search] input");
  // Screens that were left stay in the document.
  const own = [...fields].find((one) => one.closest(".kept")?.matches("[data-shown]") ?? true);
  const field = own ?? document.querySelector<HTMLInputElement>('[data-testid="quick-search"]');
  field?.focus();
  field?.select();
  return field !== null;
}
