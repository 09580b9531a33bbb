/** A keychain made up for a plain browser and for tests: it remembers kinds, never values. */
import type { ApiError, GivenCredential, KeptCredentials, SignInNeeded, SignInPlace } from "../bindings";

const kept = new Map<string, KeptCredentials>();

const refusal = (field: string, message: string): ApiError => ({ code: "usage", message, detail: [{ field, message }] });

export function signInPlace(address: string, list: string | null): SignInPlace {
  const typed = list && !address.trim() ? "https://lindenleaf.example/" : address.trim();
  try {
    const { origin, protocol } = new URL(/^[a-z][a-z0-9+.-]*:\/\//i.test(typed) ? typed : `https://${typed}`);
    if (protocol === "http:" || protocol === "https:") return { origin, kept: kept.get(origin) ?? null };
  } catch {
    // Told below, as every address that is none.
  }
  throw refusal("address", "This is not a web address.");
}

export function checkSignIn(credentials: GivenCredential[]): void {
  const missing: ApiError["detail"] = credentials.flatMap((one, number) => {
    const wrong = Object.entries(one).find(([field, text]) => field !== "kind" && field !== "password" && !text.trim());
    return wrong ? [{ field: `credentials.${number}.${wrong[0]}`, message: "This is missing." }] : [];
  });
  if (missing.length > 0) throw { code: "usage", message: "This is missing.", detail: missing } satisfies ApiError;
}

export const keptSignIns = (): KeptCredentials[] => [...kept.values()].sort((a, b) => a.origin.localeCompare(b.origin));

export function keepSignIn(origin: string, credentials: GivenCredential[]): KeptCredentials[] {
  checkSignIn(credentials);
  kept.set(origin, { origin, kinds: credentials.map((one) => one.kind), headers: credentials.flatMap((one) => (one.kind === "header" ? [one.name.toLowerCase()] : [])) });
  return keptSignIns();
}

export function forgetSignIn(origin: string): KeptCredentials[] {
  kept.delete(origin);
  return keptSignIns();
}

export function signInNeeded(): SignInNeeded {
  return { origin: "https://lindenleaf.example", kinds: ["login"] };
}
