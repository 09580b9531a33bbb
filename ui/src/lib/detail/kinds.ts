/** Which links of a page each tab of the detail pane shows. */

import type { Filter } from "$lib/backend";

/** What a person follows by clicking. */
const NAVIGATION = ["anchor", "area"];
/** What a browser loads to show the page. */
const RESOURCES = ["image", "script", "style", "font", "media", "icon", "manifest", "preload", "social", "data", "object", "iframe"];

function ofKinds(kinds: string[]): Filter {
  return { any: kinds.map((kind) => ({ is: { column: "kind", operator: "equals", value: kind } })) };
}

export const inlinksOf = (key: number): Filter => ({ links_to: [key] });
export const outlinksOf = (key: number): Filter => ({ all: [{ links_from: [key] }, ofKinds(NAVIGATION)] });
export const resourcesOf = (key: number): Filter => ({ all: [{ links_from: [key] }, ofKinds(RESOURCES)] });
export const imagesOf = (key: number): Filter => ({ all: [{ links_from: [key] }, ofKinds(["image"])] });

/** Columns that matter in each of them; those that the catalogue does not have are left out. */
export const COLUMNS = {
  inlinks: ["source", "anchor", "kind", "rel", "position", "followed", "element", "line"],
  outlinks: ["target", "anchor", "target_status", "verdict", "rel", "position", "element", "line"],
  resources: ["kind", "target", "target_status", "verdict", "element", "line"],
  images: ["target", "anchor", "target_status", "verdict", "element", "line"],
};
