/** Moves what floats out of boxes that would clip it: to the window, or to the dialog it belongs to. */
export function portal(node: HTMLElement) {
  const place = node.parentElement?.closest("dialog") ?? document.body;
  place.append(node);
  return {
    destroy() {
      node.remove();
    },
  };
}

/** What the keyboard can reach inside an element, in its order. */
export function reachable(node: Element): HTMLElement[] {
  const all = node.querySelectorAll<HTMLElement>(
    'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex]:not([tabindex="-1"])',
  );
  return [...all].filter((one) => one.tabIndex >= 0 && !one.hidden);
}
