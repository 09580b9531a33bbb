import type { urls as en } from "../en/urls";
import type { Texts } from "../shape";

export const urls: Texts<typeof en> = {
  title: "URLs",
  show: "Anzeigen",
  quick: "Schnellfilter",
  clear: "Filter aufheben",
  clear_title: "Wieder die ganze Liste zeigen",
  export: "Exportieren …",
  export_help: "Diese Liste so speichern, wie sie ist",
  tables: {
    urls: "Alle URLs",
    pages: "Seiten",
    images: "Bilder",
    redirects: "Weiterleitungen",
    hosts: "Hosts",
    sitemap_entries: "Sitemap-Einträge",
  },
  quicks: {
    all: "Alle",
    internal: "Intern",
    ok: "2xx",
    redirect: "3xx",
    missing: "4xx",
    failed: "5xx, fehlgeschlagen",
    blocked: "Gesperrt",
    unindexable: "Nicht indexierbar",
  },
  list: {
    menu: "Als Liste prüfen …",
    title: "Als Liste prüfen",
    about: "Ruft genau {n} Adresse erneut ab, als eigenen Crawl in diesem Projekt.|Ruft genau diese {n} Adressen erneut ab, als eigenen Crawl in diesem Projekt.",
    profile: "Profil",
    standard: "Standardeinstellungen",
    start: "Audit starten",
    cancel: "Abbrechen",
    file_help: "Die Adressen werden zuerst als Liste gespeichert; das Audit liest sie von dort.",
    choose: "Liste speichern unter",
    busy: "Ein anderer Auftrag läuft. Halten Sie ihn an oder warten Sie, bis er fertig ist.",
  },
  none: {
    title: "Noch kein Crawl",
    text: "Starten Sie ein Audit, dann steht hier jede Adresse, auf die es trifft.",
    action: "Audit starten",
  },
};
