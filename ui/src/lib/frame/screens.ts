/** The screens of the rail, in its order. */
import type { Screen } from "../state/app.svelte";
import type { TextKey } from "../text";
import type { IconName } from "../parts/types";

export type RailEntry = { screen: Screen; icon: IconName; label: TextKey };

export const AUDIT: RailEntry[] = [
  { screen: "crawl", icon: "crawl", label: "common.crawl" },
  { screen: "overview", icon: "overview", label: "common.overview" },
  { screen: "issues", icon: "issues", label: "common.issues" },
  { screen: "urls", icon: "urls", label: "common.urls" },
  { screen: "links", icon: "links", label: "common.links" },
  { screen: "robots", icon: "robots", label: "common.robots" },
];

/** Belongs to the crawl, which opens it; the palette does too. */
export const NETWORK: RailEntry = { screen: "network", icon: "network", label: "common.network" };

export const SETTINGS: RailEntry = { screen: "settings", icon: "settings", label: "common.settings" };
