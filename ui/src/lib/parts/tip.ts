/** The tooltip: one for the window, shown beside what is hovered or focused. `use:tip={text}`; null shows none. */
import "./tip.css";

const DELAY_MS = 450;

let bubble: HTMLElement | null = null;
let owner: Element | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;

export function tip(node: HTMLElement, text: string | null | undefined) {
  let words = text;
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(() => show(node, words), DELAY_MS);
  };
  const atOnce = () => {
    if (node.matches(":focus-visible")) show(node, words);
  };
  const away = () => hide(node);
  const escape = (event: KeyboardEvent) => {
    if (event.key === "Escape") hide(node);
  };
  node.addEventListener("pointerenter", later);
  node.addEventListener("pointerleave", away);
  node.addEventListener("pointerdown", away);
  node.addEventListener("focus", atOnce);
  node.addEventListener("blur", away);
  node.addEventListener("keydown", escape);
  return {
    update(next: string | null | undefined) {
      words = next;
      if (owner === node) show(node, words);
    },
    destroy() {
      hide(node);
      node.removeEventListener("pointerenter", later);
      node.removeEventListener("pointerleave", away);
      node.removeEventListener("pointerdown", away);
      node.removeEventListener("focus", atOnce);
      node.removeEventListener("blur", away);
      node.removeEventListener("keydown", escape);
    },
  };
}

function show(node: HTMLElement, text: string | null | undefined): void {
  clearTimeout(timer);
  if (!text || !node.isConnected) return hide(node);
  bubble ??= make();
  // The top layer of an open dialog hides everything outside it.
  (node.closest("dialog") ?? document.body).append(bubble);
  owner = node;
  bubble.textContent = text;
  bubble.hidden = false;
  const [at, own] = [node.getBoundingClientRect(), bubble.getBoundingClientRect()];
  const below = at.bottom + 6 + own.height <= innerHeight;
  const left = Math.min(Math.max(6, at.left + at.width / 2 - own.width / 2), innerWidth - own.width - 6);
  bubble.style.left = `${Math.round(left)}px`;
  bubble.style.top = `${Math.round(below ? at.bottom + 6 : at.top - own.height - 6)}px`;
}

/** Nobody sees any more what the tooltip is about. */
export function dropTip(): void {
  clearTimeout(timer);
  if (owner) hide(owner);
}

function hide(node: Element): void {
  if (owner !== null && owner !== node) return;
  clearTimeout(timer);
  owner = null;
  if (bubble) bubble.hidden = true;
}

function make(): HTMLElement {
  const made = document.createElement("div");
  made.className = "tip";
  // What is hovered has its own name already: a reader need not hear it twice.
  made.setAttribute("aria-hidden", "true");
  return made;
}
