import { describe, expect, it } from "vitest";
import { commandOf, type Key } from "./keys";

/** "Ctrl+Shift+a" as a key event. */
function key(keys: string): Key {
  const parts = keys.split("+");
  const held = (name: string): boolean => parts.slice(0, -1).includes(name);
  return { key: parts.at(-1) ?? "", shiftKey: held("Shift"), ctrlKey: held("Ctrl"), metaKey: held("Cmd"), altKey: held("Alt") };
}

describe("in the rows", () => {
  it.each([
    ["ArrowDown", { does: "move", rows: 1, columns: 0 }],
    ["Shift+ArrowUp", { does: "move", rows: -1, columns: 0 }],
    ["PageDown", { does: "move", rows: 0, columns: 0, pages: 1 }],
    ["End", { does: "move", rows: Infinity, columns: 0 }],
    ["Ctrl+Home", { does: "move", rows: -Infinity, columns: -Infinity }],
    ["Enter", { does: "open" }],
    ["Cmd+Enter", { does: "browser" }],
    [" ", { does: "preview" }],
    ["Ctrl+ ", { does: "flip" }],
    ["Ctrl+a", { does: "all" }],
    ["Cmd+c", { does: "copy" }],
    ["e", { does: "export" }],
    ["Shift+F10", { does: "menu" }],
    ["ContextMenu", { does: "menu" }],
  ])("%s", (keys, command) => expect(commandOf(key(keys), false)).toEqual(command));

  it.each(["Alt+ArrowLeft", "Ctrl+k", "Ctrl+e", "?", "/", "a", "Tab"])("%s is left to the frame", (keys) => expect(commandOf(key(keys), false)).toBeNull());
});

describe("in the header", () => {
  it.each([
    ["ArrowDown", { does: "move", rows: 1, columns: 0 }],
    ["Alt+ArrowLeft", { does: "step-column", by: -1 }],
    ["Shift+ArrowRight", { does: "resize-column", by: 1 }],
    ["Enter", { does: "sort" }],
    ["Shift+Enter", { does: "unsort" }],
    ["=", { does: "autosize" }],
    ["End", { does: "move", rows: 0, columns: Infinity }],
  ])("%s", (keys, command) => expect(commandOf(key(keys), true)).toEqual(command));
});
