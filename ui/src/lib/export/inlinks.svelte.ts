/** The export of the links to chosen URLs: asked for from any list of URLs, made beside what is in sight. */
import type { Filter } from "../backend/bindings";

export const inlinksExport = $state({
  /** The links that are meant; null while nobody asks. */
  filter: null as Filter | null,
  title: "",
});

export function exportInlinks(filter: Filter, title: string): void {
  inlinksExport.filter = filter;
  inlinksExport.title = title;
}
