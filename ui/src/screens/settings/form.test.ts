import { describe, expect, it } from "vitest";
import type { SettingRow, SettingsForm } from "$lib/backend/bindings";
import { changedCount, controlOf, matrixWords, narrow, settingOf } from "./form";

const row = (id: string, more: Partial<SettingRow> = {}): SettingRow => ({
  id, label: id, help: "", kind: "text", unit: "", range: "", choices: [], default: "", value: "", changed: false, ...more,
});
const form: SettingsForm = {
  profile: "Audit",
  sections: [
    {
      id: "pace", title: "Pace", about: "", locked: [{ label: "Pages drawn at once", value: "4", reason: "fixed for every audit" }],
      settings: [row("pace.concurrency", { label: "Requests at once", kind: "whole number", changed: true }), row("pace.delay", { label: "Delay", help: "A longer Crawl-delay wins." })],
    },
    { id: "scope", title: "Scope", about: "", locked: [], settings: [row("scope.rules", { label: "Include and exclude", kind: "list of rules" })] },
  ],
};
const left = (search: string, onlyChanged = false) =>
  narrow(form, { search, onlyChanged }).flatMap((section) => [...section.settings.map((one) => one.id), ...section.locked.map((one) => one.label)]);

describe("the form of settings", () => {
  it("gives every kind its control", () => {
    const check = (kind: string, expected: string, choices: string[] = []) => expect(controlOf(row("a.b", { kind, choices }))).toBe(expected);
    check("switch", "switch");
    check("choice", "choice", ["a", "b"]);
    check("whole number", "number");
    check("whole number or none", "limit");
    check("list of rules", "list");
    check("duration", "text");
    check("some kind to come", "text");
  });

  it("searches labels, help and ids, every word of it", () => {
    expect(left("crawl-delay")).toEqual(["pace.delay"]);
    expect(left("REQUESTS once")).toEqual(["pace.concurrency"]);
    expect(left("scope.rules")).toEqual(["scope.rules"]);
    expect(left("pace")).toEqual(["pace.concurrency", "pace.delay", "Pages drawn at once"]);
    expect(left("drawn")).toEqual(["Pages drawn at once"]);
    expect(left("nothing of the kind")).toEqual([]);
  });

  it("shows what was changed alone", () => {
    expect(left("", true)).toEqual(["pace.concurrency"]);
    expect(changedCount(form)).toBe(1);
    expect(settingOf(form, "pace.delay")?.label).toBe("Delay");
    expect(settingOf(form, "pace.none")).toBeNull();
  });

  it("draws link kinds as a matrix of the widest choice", () => {
    const words = ["crawl", "check", "store", "off"];
    const section = (id: string, settings: SettingRow[]) => ({ id, title: "", about: "", locked: [], settings });
    const links = section("internal_links", [row("internal_links.image", { choices: words.slice(1) }), row("internal_links.anchor", { choices: words })]);
    expect(matrixWords(links)).toEqual(words);
    expect(matrixWords(section("agent", [row("agent.preset", { choices: ["a", "b"] })]))).toBeNull();
    expect(matrixWords(section("internal_links", [row("internal_links.image", { choices: words }), row("internal_links.x", { kind: "switch" })]))).toBeNull();
  });
});
