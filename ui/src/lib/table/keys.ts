/** What a key means in a table. Nothing here touches the table itself. */

export interface Key {
  key: string;
  shiftKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

export type Command =
  /** The focus moves; `rows` and `columns` may be infinite. */
  | { does: "move"; rows: number; columns: number; pages?: number }
  | { does: "step-column"; by: 1 | -1 }
  | { does: "resize-column"; by: 1 | -1 }
  | { does: "open" | "browser" | "preview" | "export" | "copy" | "all" | "flip" | "menu" | "leave" | "sort" | "unsort" | "autosize" };

const move = (rows: number, columns: number): Command => ({ does: "move", rows, columns });
const END = Number.POSITIVE_INFINITY;

/** The command of a key in the rows, or in the header where `inHeader`. Null: the key is none of the table's. */
export function commandOf(event: Key, inHeader: boolean): Command | null {
  const control = event.ctrlKey || event.metaKey;
  if (event.key === "ContextMenu" || (event.key === "F10" && event.shiftKey)) return { does: "menu" };
  if (event.altKey) return inHeader && !control ? altered(event.key) : null;
  if (inHeader) return inHead(event, control);
  switch (event.key) {
    case "ArrowDown": return move(1, 0);
    case "ArrowUp": return move(-1, 0);
    case "ArrowRight": return move(0, control ? END : 1);
    case "ArrowLeft": return move(0, control ? -END : -1);
    case "PageDown": return { does: "move", rows: 0, columns: 0, pages: 1 };
    case "PageUp": return { does: "move", rows: 0, columns: 0, pages: -1 };
    case "Home": return move(-END, control ? -END : 0);
    case "End": return move(END, control ? END : 0);
    case "Enter": return { does: control ? "browser" : "open" };
    case " ": return { does: control ? "flip" : "preview" };
    case "Escape": return { does: "leave" };
    case "a": case "A": return control && !event.shiftKey ? { does: "all" } : null;
    case "c": case "C": return control && !event.shiftKey ? { does: "copy" } : null;
    case "e": case "E": return control ? null : { does: "export" };
    default: return null;
  }
}

function altered(key: string): Command | null {
  if (key === "ArrowRight") return { does: "step-column", by: 1 };
  if (key === "ArrowLeft") return { does: "step-column", by: -1 };
  return null;
}

function inHead(event: Key, control: boolean): Command | null {
  const { key, shiftKey } = event;
  switch (key) {
    case "ArrowRight": return shiftKey ? { does: "resize-column", by: 1 } : move(0, control ? END : 1);
    case "ArrowLeft": return shiftKey ? { does: "resize-column", by: -1 } : move(0, control ? -END : -1);
    case "ArrowDown": return move(1, 0);
    case "Home": return move(0, -END);
    case "End": return move(0, END);
    case "PageDown": return move(1, 0);
    case "Enter": case " ": return { does: shiftKey ? "unsort" : "sort" };
    case "=": return { does: "autosize" };
    case "Escape": return { does: "leave" };
    case "e": case "E": return control ? null : { does: "export" };
    default: return null;
  }
}
