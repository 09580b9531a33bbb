import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { backend, type SettingRow, type SettingsForm } from "$lib/backend";
import { app } from "$lib/state";
import { dismiss, toasts } from "$lib/state/toasts.svelte";
import { speak } from "$lib/text/language.svelte";
import Settings from "./Settings.svelte";

const row = (id: string, label: string, kind: string, preset: string, more: Partial<SettingRow> = {}): SettingRow => ({
  id, label, help: `What ${label.toLowerCase()} does.`, kind, unit: "", range: "", choices: [], default: preset, value: preset, changed: false, ...more,
});
const DECLARED = [
  row("robots.obey", "Obey robots.txt", "switch", "true"),
  row("pace.concurrency", "Requests at once", "whole number", "5", { unit: "requests", range: "1 to 64" }),
  row("scope.rules", "Include and exclude", "list of rules", "[]"),
  row("internal_links.anchor", "Anchors", "choice", "crawl", { choices: ["crawl", "check", "store", "off"] }),
  row("internal_links.image", "Pictures", "choice", "check", { choices: ["crawl", "check", "store", "off"] }),
];

/** An engine that keeps what it is told and refuses numbers out of range. */
let said: Record<string, string>;
function form(profile: string): SettingsForm {
  const of = (section: string) => DECLARED.filter((one) => one.id.startsWith(`${section}.`)).map((one) => {
    const value = said[one.id] ?? one.default;
    return { ...one, value, changed: value !== one.default };
  });
  const section = (id: string, title: string) => ({ id, title, about: "", settings: of(id), locked: [] });
  return { profile, sections: [section("robots", "robots.txt"), { ...section("pace", "Pace"), locked: [{ label: "Pages drawn at once", value: "at most 4", reason: "Each is a whole tab." }] }, section("scope", "Scope"), section("internal_links", "Links to the site itself")] };
}

beforeEach(() => {
  speak("en");
  said = {};
  for (const one of [...toasts]) dismiss(one.id);
  Object.assign(app, { screen: "settings", params: {} });
  vi.spyOn(backend, "profiles").mockImplementation(async () => [{ name: "Default", about: "", changed: Object.keys(said).length, removable: false }, { name: "Slow", about: "", changed: 1, removable: true }]);
  vi.spyOn(backend, "settingsForm").mockImplementation(async (profile) => form(profile));
  vi.spyOn(backend, "setSetting").mockImplementation(async (profile, id, text) => {
    if (id === "pace.concurrency" && text !== null && Number(text) > 64) {
      const message = `${text} is outside the range 1 to 64`;
      throw { code: "settings", message, detail: [{ field: id, message }] };
    }
    if (text === null) delete said[id];
    else said[id] = text;
    return form(profile);
  });
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

async function shown() {
  render(Settings);
  await screen.findByLabelText("Requests at once", { selector: "input" });
}
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label, { selector: "input, textarea" });
async function write(label: string, text: string) {
  field(label).focus();
  await fireEvent.input(field(label), { target: { value: text } });
  await fireEvent.change(field(label));
}
const settings = () => screen.queryAllByTestId("setting").map((one) => one.dataset["setting"]);

it("saves as one goes, says so, and takes it back", async () => {
  await shown();
  await write("Requests at once", "2");
  await waitFor(() => expect(said).toEqual({ "pace.concurrency": "2" }));
  await waitFor(() => expect(toasts.at(-1)?.text).toBe("Requests at once: saved"));
  toasts.at(-1)?.action?.onclick();
  await waitFor(() => expect(field("Requests at once").value).toBe("5"));
  expect(said).toEqual({});
});

it("keeps a refused value beside the engine's reason while other settings are changed", async () => {
  await shown();
  await write("Requests at once", "900");
  expect((await screen.findByRole("alert")).textContent).toBe("900 is outside the range 1 to 64");
  await fireEvent.click(screen.getByRole("switch", { name: "Obey robots.txt" }));
  await waitFor(() => expect(said).toEqual({ "robots.obey": "false" }));
  expect(field("Requests at once").value).toBe("900");
  await fireEvent.keyDown(field("Requests at once"), { key: "Escape" });
  await waitFor(() => expect(screen.queryByRole("alert")).toBeNull());
  expect(field("Requests at once").value).toBe("5");
});

it("writes a list as one item a line", async () => {
  await shown();
  await write("Include and exclude", "exclude \\?sort=\n\ninclude /tea/");
  await waitFor(() => expect(said["scope.rules"]).toBe('["exclude \\\\?sort=", "include /tea/"]'));
  expect(field("Include and exclude").value).toBe("exclude \\?sort=\ninclude /tea/");
});

it("goes back to the default with one click", async () => {
  said = { "pace.concurrency": "2" };
  await shown();
  await fireEvent.click(screen.getByRole("button", { name: "Requests at once: back to default (5)" }));
  await waitFor(() => expect(said).toEqual({}));
});

it("draws kinds of links as a matrix, of which a column is set at once and taken back at once", async () => {
  await shown();
  const matrix = await screen.findByTestId("settings-matrix");
  expect(within(matrix).getByRole<HTMLInputElement>("radio", { name: "Pictures: Check" }).checked).toBe(true);
  await fireEvent.click(within(matrix).getByRole("button", { name: "Off" }));
  await waitFor(() => expect(said).toEqual({ "internal_links.anchor": "off", "internal_links.image": "off" }));
  await waitFor(() => expect(toasts.at(-1)?.action).toBeTruthy());
  toasts.at(-1)?.action?.onclick();
  await waitFor(() => expect(said).toEqual({}));
});

it("finds settings by what they are called and shows what was changed alone", async () => {
  said = { "robots.obey": "false" };
  await shown();
  await fireEvent.input(screen.getByTestId("settings-search"), { target: { value: "pictures" } });
  await waitFor(() => expect(settings()).toEqual(["internal_links.image"]));
  await fireEvent.input(screen.getByTestId("settings-search"), { target: { value: "nothing such" } });
  await fireEvent.click(await screen.findByRole("button", { name: "Show all settings" }));
  await fireEvent.click(screen.getByTestId("settings-only-changed"));
  await waitFor(() => expect(settings()).toEqual(["robots.obey"]));
});

it("explains the focused setting and shows what is fixed with its reason", async () => {
  await shown();
  await fireEvent.focusIn(field("Requests at once"));
  const help = screen.getByTestId("settings-help");
  await waitFor(() => expect(help.textContent).toContain("What requests at once does."));
  expect(help.textContent).toContain("1 to 64 requests");
  expect(screen.getByTestId("setting-locked").textContent).toMatch(/Pages drawn at once.*at most 4.*Each is a whole tab/su);
});
