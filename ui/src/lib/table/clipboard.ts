/** Puts a text on the clipboard, also one that is still being made. */

/**
 * Writes a text; true where it worked. WebKit lets a page write only while it handles a key or a click, which is over
 * once the engine has answered: there the promise itself is handed over, and a hidden text field is the last resort.
 */
export async function copyText(text: string | Promise<string>): Promise<boolean> {
  const clipboard: Clipboard | undefined = navigator.clipboard;
  if (text instanceof Promise && typeof ClipboardItem !== "undefined" && typeof clipboard?.write === "function") {
    // A failure of the text itself is the caller's to report, and must not be taken for one of the clipboard.
    const blob = text.then((whole) => new Blob([whole], { type: "text/plain" }));
    try {
      await clipboard.write([new ClipboardItem({ "text/plain": blob })]);
      return true;
    } catch {
      await text;
    }
  }
  const whole = await text;
  try {
    await clipboard.writeText(whole);
    return true;
  } catch {
    return copyByField(whole);
  }
}

function copyByField(text: string): boolean {
  const before = document.activeElement;
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "sr-only";
  document.body.append(field);
  field.select();
  let copied = false;
  try {
    copied = document.execCommand("copy");
  } catch {
    copied = false;
  }
  field.remove();
  if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  return copied;
}
