/** The profiles there are, and what can be done with them as a whole. */
import { backend, type ProfileCard } from "$lib/backend";
import { fail, toast } from "$lib/state";
import { stem } from "$lib/export/paths";
import { t } from "$lib/text";

export class Profiles {
  cards = $state.raw<ProfileCard[]>([]);
  chosen = $state("");
  private readonly onchoose: (name: string) => void;

  constructor(onchoose: (name: string) => void) {
    this.onchoose = onchoose;
  }

  async load(): Promise<void> {
    await this.take(() => backend.profiles());
  }

  choose(name: string): void {
    if (this.chosen === name) return;
    this.chosen = name;
    this.onchoose(name);
  }

  /** Creates a profile that begins as `like` and shows it. Rejects with an `ApiError` that belongs at the form. */
  async create(name: string, like: string): Promise<void> {
    this.cards = await backend.createProfile(name, like);
    this.choose(this.cards.find((card) => card.name === name)?.name ?? this.chosen);
  }

  async remove(name: string): Promise<void> {
    if (await this.take(() => backend.removeProfile(name))) toast(t("settings.profile.removed", { name }));
  }

  async importFile(): Promise<void> {
    const before = new Set(this.cards.map((card) => card.name));
    const taken = await this.take(async () => {
      const path = await backend.chooseFile(t("settings.profile.choose_import"), ["toml"]);
      return path === null ? this.cards : backend.importProfile(path);
    });
    const added = this.cards.find((card) => !before.has(card.name));
    if (!taken || !added) return;
    this.choose(added.name);
    toast(t("settings.profile.imported", { name: added.name }));
  }

  async exportFile(name: string): Promise<void> {
    try {
      const suggested = await backend.exportPath(stem(name), "toml");
      const path = await backend.chooseSave(t("settings.profile.choose_export"), suggested, ["toml"]);
      if (path === null) return;
      await backend.exportProfile(name, path);
      toast(t("settings.profile.exported"), { label: t("settings.profile.show"), onclick: () => void backend.showInFolder(path).catch(fail) });
    } catch (error) {
      fail(error);
    }
  }

  /** Takes a new list in and keeps the choice, or chooses the first where it is gone. True where it worked. */
  private async take(ask: () => Promise<ProfileCard[]>): Promise<boolean> {
    try {
      this.cards = await ask();
    } catch (error) {
      fail(error);
      return false;
    }
    const first = this.cards[0];
    if (first && !this.cards.some((card) => card.name === this.chosen)) this.choose(first.name);
    return true;
  }
}
