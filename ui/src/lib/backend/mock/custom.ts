/** What a person added to the made-up project. */
import type { ApiError, CustomAudit, CustomAuditCard, FieldCard, FieldsComputed, FieldText, SegmentCard, SegmentPreview, SegmentText, SqlPreview, ViewCard } from "../bindings";
import { site } from "./site";

let kept: SegmentText[] = [{ name: "Shop", patterns: ["/shop/**"] }, { name: "Journal", patterns: ["/journal/**"] }];

/** Globs over the path alone: enough to look at. */
function matcher(pattern: string): RegExp {
  if (pattern.startsWith("re:")) return new RegExp(pattern.slice(3));
  const glob = pattern.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replace(/\/\*\*$/, "(/.*)?").replace(/\*\*/g, ".*");
  return new RegExp(`^https?://[^/]*${glob}$`);
}

const urlsOf = (patterns: string[]): string[] => {
  const tests = patterns.map(matcher);
  return site().pages.map((page) => page.url).filter((url) => tests.some((test) => test.test(url)));
};


export const segments = (): SegmentCard[] => kept.map((segment) => ({ ...segment, urls: urlsOf(segment.patterns).length }));

export function trySegment(patterns: string[]): SegmentPreview {
  const found = urlsOf(patterns);
  return { urls: found.length, of: site().pages.length, examples: found.slice(0, 5) };
}

export function setSegments(segments: SegmentText[]): void {
  kept = segments;
}

let looked: FieldCard[] = [{ name: "price", rule: "css text: .price", kind: "text", pages: 42 }];

export const fields = (): FieldCard[] => looked;

export function setFields(all: FieldText[]): void {
  looked = all.map((field) => looked.find((known) => known.name === field.name && known.rule === field.rule) ?? { ...field, kind: "text", pages: 0 });
}

export function computeFields(): FieldsComputed {
  const pages = site().pages.length;
  looked = looked.map((field) => ({ ...field, pages }));
  return { pages, without_html: 0, given_up: 0 };
}

let audits: CustomAuditCard[] = [
  {
    audit: {
      id: "custom-thin-journal", title: "Thin posts of the journal", severity: "warning", priority: "medium", why: "Posts of a few sentences rank for nothing.", fix: "",
      sql: "SELECT url, word_count\nFROM v_pages\nWHERE crawl = :crawl AND segments LIKE '%Journal%' AND word_count < 300",
    },
    findings: 9, fault: null,
  },
];

export const customAudits = (): CustomAuditCard[] => audits;

export function tryCustomAudit(sql: string): SqlPreview {
  if (!/^\s*(select|with)\b/i.test(sql)) {
    const refused: ApiError = { code: "usage", message: "only statements that read are allowed; the project file is opened read-only", detail: [] };
    throw refused;
  }
  return { columns: ["url", "word_count"], rows: site().pages.slice(0, 12).map((page, n) => [page.url, 40 + n * 17]), more: false, took_ms: 3 };
}

export function saveCustomAudit(audit: CustomAudit): CustomAuditCard[] {
  const id = audit.id.startsWith("custom-") ? audit.id : `custom-${audit.id}`;
  audits = [...audits.filter((card) => card.audit.id !== id), { audit: { ...audit, id }, findings: 12, fault: null }];
  return audits;
}

export function removeCustomAudit(id: string): CustomAuditCard[] {
  audits = audits.filter((card) => card.audit.id !== id);
  return audits;
}

export const views = (): ViewCard[] => [
  { name: "v_urls", about: "every URL a crawl met", columns: ["crawl", "url", "host", "state", "status", "depth", "indexable", "segments"] },
  { name: "v_pages", about: "internal HTML pages with their facts", columns: ["crawl", "url", "status", "title", "description", "h1", "word_count", "inlinks", "segments"] },
];
