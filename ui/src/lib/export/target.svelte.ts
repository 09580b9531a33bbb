/**
 * Where the next file goes: the format and the folder that were used last, and the name that fits what is saved. What
 * is written is exactly what the field shows, and nothing that exists is replaced without a question.
 */
import { backend } from "$lib/backend";
import { preference, remember } from "$lib/state";
import { ENDINGS, isFormat, type FormatId } from "./formats";
import { dated, endingOf, fileOf, folderOf, inFolder, numbered, stem, withEnding } from "./paths";

/** Names that are tried before the last one is left to the question whether it may be replaced. */
const NAMES_AT_MOST = 99;

export class Target {
  path = $state("");
  format = $state<FormatId>("csv");
  /** Whether the ending was added to what was typed, which the field then says. */
  completed = $state(false);
  /** The file that exists, while the person is asked whether to replace it. */
  asking = $state<string | null>(null);
  readonly offered: readonly FormatId[];
  private readonly key: string;
  /** The path whose replacement was agreed to, here or in the system's own dialog. */
  private agreed: string | null = null;

  /** `key` keeps row exports and reports apart: who sends HTML reports still exports CSV. */
  constructor(key: string, offered: readonly FormatId[]) {
    this.key = key;
    this.offered = offered;
    const last = preference<unknown>(`${key}.format`, null);
    this.format = isFormat(last, offered) ? last : (offered[0] ?? "csv");
  }

  /** Proposes a path for something of this name: the engine's, in the folder that was used last, dated and not taken. */
  async propose(name: string): Promise<void> {
    const proposed = await backend.exportPath(dated(stem(name), new Date()), this.format);
    const folder = preference(`${this.key}.folder`, "");
    this.path = await this.free(folder === "" ? proposed : inFolder(folder, fileOf(proposed)));
  }

  choose(format: FormatId): void {
    this.format = format;
    this.asking = null;
    if (this.path !== "") this.path = withEnding(this.path, format, ENDINGS);
  }

  /** Takes what is being typed: an ending of a format on offer chooses that format. */
  type(path: string): void {
    this.path = path;
    [this.completed, this.asking] = [false, null];
    const ending = endingOf(path.trim());
    if (isFormat(ending, this.offered)) this.format = ending;
  }

  /** Takes a path of the system's dialog, which has asked about replacing it. */
  take(path: string): void {
    this.type(path);
    this.agreed = path;
    this.complete();
  }

  /** Adds the ending where the typed name has none of a format on offer. True where that changed what is shown. */
  complete(): boolean {
    const path = this.path.trim();
    this.path = path;
    if (fileOf(path) === "" || isFormat(endingOf(path), this.offered)) return false;
    this.path = `${path}.${this.format}`;
    this.completed = true;
    return true;
  }

  /** The path to write to, as it is shown; empty where it names no file. */
  finished(): string {
    return fileOf(this.path) === "" ? "" : this.path;
  }

  /** Whether the path may be written; where a file is there the person is asked first. */
  async mayWrite(path: string): Promise<boolean> {
    if (path === this.agreed || !(await backend.fileExists(path))) return true;
    this.asking = path;
    return false;
  }

  agree(): void {
    this.agreed = this.asking;
    this.asking = null;
  }

  /** Proposes another name beside the one that is taken. */
  async another(): Promise<void> {
    this.asking = null;
    this.path = await this.free(this.path);
  }

  /** Keeps format and folder for the next time. */
  keep(path: string): void {
    remember(`${this.key}.format`, this.format);
    remember(`${this.key}.folder`, folderOf(path));
  }

  private async free(path: string): Promise<string> {
    for (let n = 1; n <= NAMES_AT_MOST; n++) {
      const tried = n === 1 ? path : numbered(path, n);
      if (!(await backend.fileExists(tried))) return tried;
    }
    return path;
  }
}
