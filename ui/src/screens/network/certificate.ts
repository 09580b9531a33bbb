/** How much longer a certificate is good for. */
import type { HostCertificate } from "$lib/backend";

/** Certificates are renewed a month before they end; one that ends sooner was forgotten. */
const SOON_DAYS = 21;
const DAY_MS = 86_400_000;

export type Standing = { kind: "good" | "soon" | "expired" | "refused"; days: number };

/** `at` in milliseconds since 1970: now for a crawl that runs, its end for one that is over. */
export function standing(certificate: HostCertificate, at: number): Standing {
  const days = Math.floor((new Date(certificate.until).getTime() - at) / DAY_MS);
  if (Number.isNaN(days)) return { kind: certificate.fault ? "refused" : "good", days: 0 };
  if (days < 0) return { kind: "expired", days };
  if (certificate.fault) return { kind: "refused", days };
  return { kind: days <= SOON_DAYS ? "soon" : "good", days };
}

/** "Let's Encrypt, R11" of "CN=R11, O=Let's Encrypt, C=US"; another form as it is. */
export function nameOf(distinguished: string): string {
  const part = (key: string) => new RegExp(`(?:^|,\\s*)${key}=("[^"]*"|[^,]*)`, "i").exec(distinguished)?.[1]?.replaceAll('"', "").trim();
  return [part("O"), part("CN")].filter(Boolean).join(", ") || distinguished;
}
