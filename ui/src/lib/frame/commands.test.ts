import { beforeEach, expect, it, vi } from "vitest";
import { app } from "../state/app.svelte";
import { tableSeats } from "../table/seats";
import { speak } from "../text/language.svelte";
import { backend } from "../backend";
import { commands } from "./commands";
import { rank } from "./fuzzy";

const offered = (words: string) => rank(words, commands({ profiles: [], recent: [], issues: [] }, () => undefined), (one) => `${one.label} ${one.note ?? ""}`).map((one) => one.id);

const save = vi.fn();
beforeEach(async () => {
  await backend.openProject("/home/mia/Audits/lindenleaf.gossamer").then((project) => (app.project = project));
  app.crawl = 3;
  const seat = { sql: () => "", look: () => ({ columns: null, sort: null }), wear: vi.fn(), focus: vi.fn(), columns: vi.fn() };
  tableSeats.set("inside", { ...seat, export: null, inSight: () => false });
  tableSeats.set("urls", { ...seat, export: save, inSight: () => true });
});

it.each<["en" | "de", Record<string, string>]>([
  ["en", { "export this": "export", "broken-link report": "report", "start audit": "again", "open project": "open", columns: "columns", "appearance light": "light", "appearance dark": "dark", "appearance system": "system", "language deutsch": "de", "robots": "robots", "sitemaps": "robots", "network": "network" }],
  ["de", { "liste exportieren": "export", "bericht defekte": "report", "audit starten": "again", "projekt öffnen": "open", spalten: "columns", "darstellung hell": "light", "darstellung dunkel": "dark", "sprache english": "en", "sitemaps": "robots", "netzwerk": "network" }],
])("finds every action by its words (%s)", (language, wanted) => {
  speak(language);
  for (const [words, id] of Object.entries(wanted)) expect(offered(words)[0], words).toBe(id);
});

it("exports the list in sight, and steers the job", () => {
  speak("en");
  const of = (id: string) => commands({ profiles: [], recent: [], issues: [] }, () => undefined).find((one) => one.id === id);
  of("export")?.run();
  expect(save).toHaveBeenCalledOnce();
  const job = { job: 1, state: "running" } as NonNullable<typeof app.job>;
  app.job = { ...job, phase: "crawling" };
  expect([of("pause"), of("stop"), of("continue")].map((one) => one !== undefined)).toEqual([true, true, false]);
  app.job = { ...job, phase: "paused" };
  expect([of("pause"), of("stop"), of("continue")].map((one) => one !== undefined)).toEqual([false, true, true]);
  app.job = null;
});
