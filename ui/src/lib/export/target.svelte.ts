/**
 * Where the next file goes: the format and the folder that were used last, and the name that fits what is saved.
 */
import { backend } from "$lib/backend";
import { preference, remember } from "$lib/state";
import { ENDINGS, isFormat, type FormatId } from "./formats";
import { fileOf, folderOf, inFolder, stem, withEnding } from "./paths";

export class Target {
  path = $state("");
  format = $state<FormatId>("csv");
  readonly offered: readonly FormatId[];
  private readonly key: string;

  /** `key` keeps row exports and reports apart: who sends HTML reports still exports CSV. */
  constructor(key: string, offered: readonly FormatId[]) {
    this.key = key;
    this.offered = offered;
    const last = preference<unknown>(`${key}.format`, null);
    this.format = isFormat(last, offered) ? last : (offered[0] ?? "csv");
  }

  /** Proposes a path for something of this name: the engine's, in the folder that was used last. */
  async propose(name: string): Promise<void> {
    const proposed = await backend.exportPath(stem(name), this.format);
    const folder = preference(`${this.key}.folder`, "");
    this.path = folder === "" ? proposed : inFolder(folder, fileOf(proposed));
  }

  choose(format: FormatId): void {
    this.format = format;
    if (this.path !== "") this.path = withEnding(this.path, format, ENDINGS);
  }

  /** The path to write to; its ending says the format, so one is always there. */
  finished(): string {
    const path = this.path.trim();
    return path === "" ? "" : withEnding(path, this.format, ENDINGS);
  }

  /** Keeps format and folder for the next time. */
  keep(path: string): void {
    remember(`${this.key}.format`, this.format);
    remember(`${this.key}.folder`, folderOf(path));
  }
}
