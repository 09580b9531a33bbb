/** The settings that differ from run to run, so that they can be changed without changing the profile. */
import type { SettingRow } from "$lib/backend";

export const QUICK = ["limits.max_urls", "limits.max_depth", "pace.concurrency", "pace.delay", "agent.preset", "robots.obey"];

/** What is sent along: only what was typed and differs from the profile. */
export function overridesOf(values: Record<string, string>, rows: SettingRow[]): [string, string][] {
  return rows.flatMap((row): [string, string][] => {
    const typed = values[row.id]?.trim();
    return typed === undefined || typed === "" || typed === row.value ? [] : [[row.id, typed]];
  });
}
