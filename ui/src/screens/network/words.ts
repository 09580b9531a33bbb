/** Certificates in words. */
import { t } from "$lib/text";
import type { Standing } from "./certificate";

export function standingWord(standing: Standing): string {
  if (standing.kind === "refused") return t("network.refused");
  if (standing.kind === "expired") return t("network.expired");
  return standing.days === 0 ? t("network.ends_today") : t("network.days_left", { n: standing.days });
}
