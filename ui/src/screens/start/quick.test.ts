import { expect, it } from "vitest";
import type { SettingRow } from "$lib/backend";
import { overridesOf } from "./quick";

const row = (id: string, value: string): SettingRow => ({ id, value, label: id, help: "", kind: "whole", unit: "", range: "", choices: [], default: value, changed: false });
const ROWS = [row("limits.max_urls", "none"), row("pace.concurrency", "5"), row("robots.obey", "true")];
const check = (values: Record<string, string>, expected: [string, string][]) => expect(overridesOf(values, ROWS)).toEqual(expected);

it("sends what differs from the profile", () => check({ "limits.max_urls": "500", "robots.obey": "false" }, [["limits.max_urls", "500"], ["robots.obey", "false"]]));
it("keeps back what is the profile's own", () => check({ "pace.concurrency": "5" }, []));
it("takes an emptied field as the profile's value", () => check({ "limits.max_urls": "  " }, []));
it("sends nothing the engine did not offer", () => check({ "made.up": "1" }, []));
it("leaves judging a value to the engine", () => check({ "pace.concurrency": " many " }, [["pace.concurrency", "many"]]));
