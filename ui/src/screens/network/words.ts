/** Certificates in words. */
import { day } from "$lib/format";
import { t } from "$lib/text";
import type { Standing } from "./certificate";

/** When a certificate is judged: its days are counted while the crawl runs only. What is over may be read long afterwards. */
export type Judged = { at: number; live: boolean };

export function standingWord(standing: Standing, until: string, { at, live }: Judged): string {
  if (standing.kind === "refused") return t("network.refused");
  if (standing.kind === "expired") return t("network.expired");
  const end = new Date(until);
  if (Number.isNaN(end.getTime())) return t("network.end_unknown");
  if (!live) return t("network.until", { day: day(until) });
  if (standing.days > 0) return t("network.days_left", { n: standing.days });
  return end.toDateString() === new Date(at).toDateString() ? t("network.ends_today") : t("network.ends_tomorrow");
}
