/**
 * Lists as the engine writes them (TOML arrays of strings) and as a person edits them (one item a line).
 */

const ESCAPES: Record<string, string> = { b: "\b", t: "\t", n: "\n", f: "\f", r: "\r", e: "\u001b", '"': '"', "\\": "\\" };

/** The items of a TOML array of strings; null where the text is no such array. */
export function readArray(text: string): string[] | null {
  const reader = new Reader(text.trim());
  if (!reader.take("[")) return null;
  const items: string[] = [];
  for (;;) {
    reader.skipSpace();
    if (reader.take("]")) return reader.atEnd() ? items : null;
    const item = reader.string();
    if (item === null) return null;
    items.push(item);
    reader.skipSpace();
    if (reader.take(",")) continue;
    return reader.take("]") && reader.atEnd() ? items : null;
  }
}

/** A TOML array that reads back as these items. */
export function writeArray(items: readonly string[]): string {
  // A JSON string is a TOML basic string but for DEL, which TOML wants escaped.
  return `[${items.map((item) => JSON.stringify(item).replaceAll("\u007f", "\\u007F")).join(", ")}]`;
}

/** The value of a list setting as lines; a text that is no array is shown as it is. */
export function toLines(value: string): string {
  return readArray(value)?.join("\n") ?? value;
}

/** Lines as the value of a list setting; empty lines say nothing. */
export function fromLines(lines: string): string {
  return writeArray(
    lines
      .split(/\r?\n/)
      .map((line) => line.trim())
      .filter((line) => line !== ""),
  );
}

class Reader {
  private place = 0;
  constructor(private readonly text: string) {}

  atEnd(): boolean {
    return this.place >= this.text.length;
  }

  take(mark: string): boolean {
    if (!this.text.startsWith(mark, this.place)) return false;
    this.place += mark.length;
    return true;
  }

  skipSpace(): void {
    while (/\s/.test(this.text[this.place] ?? "")) this.place += 1;
  }

  string(): string | null {
    if (this.take("'''")) return this.until("'''", false);
    if (this.take('"""')) return this.until('"""', true);
    if (this.take("'")) return this.until("'", false);
    if (this.take('"')) return this.until('"', true);
    return null;
  }

  private until(end: string, escaped: boolean): string | null {
    // A line break right after a long opening mark is not part of the string.
    if (end.length === 3) {
      this.take("\r");
      this.take("\n");
    }
    let out = "";
    while (!this.atEnd()) {
      if (this.take(end)) return out;
      const letter = this.text[this.place] ?? "";
      this.place += 1;
      if (letter !== "\\" || !escaped) {
        out += letter;
        continue;
      }
      const found = this.escape();
      if (found === null) return null;
      out += found;
    }
    return null;
  }

  private escape(): string | null {
    const mark = this.text[this.place] ?? "";
    this.place += 1;
    const digits = mark === "u" ? 4 : mark === "U" ? 8 : 0;
    if (digits === 0) return ESCAPES[mark] ?? null;
    const code = this.text.slice(this.place, this.place + digits);
    this.place += digits;
    const point = /^[0-9a-f]+$/i.test(code) && code.length === digits ? parseInt(code, 16) : -1;
    return point >= 0 && point <= 0x10ffff ? String.fromCodePoint(point) : null;
  }
}
