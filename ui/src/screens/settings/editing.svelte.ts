/**
 * A profile being edited. Every change is saved as it is made; the engine judges it, and its answer, the whole form
 * anew, is what is shown. A refused text stays in its field beside the engine's reason until it is right or given up.
 */
import { backend, type SettingRow, type SettingsForm } from "$lib/backend";
import { asApiError, fail, toast } from "$lib/state";
import { dismiss, toasts } from "$lib/state/toasts.svelte";
import { t } from "$lib/text";
import { settingOf } from "./form";

const SAID_FOR_MS = 1_600;

export class Editing {
  profile = $state("");
  form = $state.raw<SettingsForm | null>(null);
  /** The engine's reason, by setting. */
  errors = $state<Record<string, string>>({});
  /** Settings saved a moment ago. */
  saved = $state<Record<string, boolean>>({});
  /** The setting that help is shown for. */
  focused = $state<string | null>(null);
  private readonly onchange: () => void;
  private readonly saving = new Set<Promise<boolean>>();
  /** The message that offers the newest undo. */
  private offered: number | null = null;

  /** `onchange`: what a profile says was changed. */
  constructor(onchange: () => void = () => undefined) {
    this.onchange = onchange;
  }

  async open(profile: string): Promise<void> {
    this.profile = profile;
    try {
      const form = await backend.settingsForm(profile);
      // Another profile may have been chosen meanwhile.
      if (this.profile !== profile) return;
      [this.form, this.errors, this.saved] = [form, {}, {}];
    } catch (error) {
      fail(error);
    }
  }

  /** Takes in what was changed elsewhere, such as the branding of reports. Refused texts stay. */
  async refresh(): Promise<void> {
    const { profile } = this;
    if (profile === "" || this.saving.size > 0) return;
    try {
      const form = await backend.settingsForm(profile);
      if (this.profile !== profile || this.saving.size > 0) return;
      if (JSON.stringify(form) !== JSON.stringify(this.form)) this.form = form;
    } catch {
      // What is shown is as good as it was; a change that is made says what is wrong.
    }
  }

  /** Saves a value, or goes back to the default with null. True where the engine took it. */
  async save(row: SettingRow, text: string | null): Promise<boolean> {
    if (text === row.value && this.errors[row.id] === undefined) return true;
    const before = row.changed ? row.value : null;
    if (!(await this.set(row.id, text))) return false;
    if (this.now(row.id) === row.value) return true;
    this.offer(t(text === null ? "settings.reset_toast" : "settings.saved_toast", { label: row.label }), [[row.id, before]]);
    return true;
  }

  /** Saves one value for many settings, with one undo for all of them. */
  async saveAll(rows: SettingRow[], text: string, said: string): Promise<void> {
    const changed = rows.filter((row) => row.value !== text);
    for (const row of changed) await this.set(row.id, text);
    if (changed.length === 0) return;
    this.offer(said, changed.map((row) => [row.id, row.changed ? row.value : null]));
  }

  /** Forgets a refused text. */
  giveUp(id: string): void {
    delete this.errors[id];
  }

  private now(id: string): string | undefined {
    return this.form ? settingOf(this.form, id)?.value : undefined;
  }

  /** Resolves once nothing is being saved any more; true where nothing was refused. */
  async settled(): Promise<boolean> {
    while (this.saving.size > 0) await Promise.allSettled([...this.saving]);
    return Object.keys(this.errors).length === 0;
  }

  private set(id: string, text: string | null, profile = this.profile): Promise<boolean> {
    const saving = this.ask(id, text, profile);
    this.saving.add(saving);
    void saving.finally(() => this.saving.delete(saving));
    return saving;
  }

  private async ask(id: string, text: string | null, profile: string): Promise<boolean> {
    try {
      const form = await backend.setSetting(profile, id, text);
      this.onchange();
      // Another profile may be shown by now: an undo outlives the form it was made in.
      if (this.profile !== profile) return true;
      this.form = form;
      delete this.errors[id];
      this.say(id);
      return true;
    } catch (error) {
      const known = asApiError(error);
      const own = known.detail.find((one) => one.field === id)?.message ?? (known.code === "settings" ? known.message : null);
      if (own === null) fail(error);
      else {
        this.errors[id] = own;
        delete this.saved[id];
      }
      return false;
    }
  }

  /** Says what was done and offers to take it back. Who changes ten settings in a row reads one message, the newest. */
  private offer(said: string, before: [string, string | null][]): void {
    const profile = this.profile;
    const undo = async () => {
      for (const [id, text] of before) await this.set(id, text, profile);
    };
    if (this.offered !== null) dismiss(this.offered);
    toast(said, { label: t("settings.undo"), onclick: () => void undo() });
    this.offered = toasts.at(-1)?.id ?? null;
  }

  private say(id: string): void {
    this.saved[id] = true;
    setTimeout(() => delete this.saved[id], SAID_FOR_MS);
  }
}
