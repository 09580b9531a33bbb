import type { exporting as en } from "../en/export";
import type { Texts } from "../shape";

export const exporting: Texts<typeof en> = {
  title: "Exportieren",
  format: "Format",
  formats: {
    csv: "CSV",
    xlsx: "Excel",
    json: "JSON",
    jsonl: "JSON Lines",
    html: "HTML",
  },
  about: {
    csv: "Kommas und UTF-8; lässt sich überall öffnen. Zellen, die eine Tabellenkalkulation als Formel ausführen würde, werden entschärft.",
    xlsx: "Eine Arbeitsmappe mit feststehender Kopfzeile, Spaltenbreiten und Filtern.",
    json: "Ein Feld von Objekten, mit Zahlen und leeren Werten als solchen.",
    jsonl: "Ein Objekt je Zeile, für Skripte und sehr große Listen.",
    html: "Eine Seite, die jeder Browser öffnet.",
  },
  too_long: "Ein Arbeitsblatt fasst {most} Zeilen; der Rest kommt auf weitere Blätter.",
  columns: "Spalten",
  columns_shown: "Wie angezeigt ({n})",
  columns_all: "Alle ({n})",
  rows: "Zeilen",
  rows_all: "Alle ({n})",
  rows_selected: "Ausgewählte ({n})",
  file: "Datei",
  browse: "Durchsuchen …",
  choose: "Speichern unter",
  no_file: "Geben Sie an, wohin die Datei gespeichert wird.",
  cancel: "Abbrechen",
  make: "Exportieren",
  making: "Wird exportiert …",
  working: "{n} Zeile wird geschrieben …|{n} Zeilen werden geschrieben …",
  done: "{n} Zeile exportiert|{n} Zeilen exportiert",
  show: "Im Ordner zeigen",
};
