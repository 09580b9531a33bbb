/** What is typed for one credential. Every kind keeps what was typed for it while another one is looked at. */
import type { CredentialKind, GivenCredential } from "../backend";

export type Entry = { id: number; kind: CredentialKind; user: string; password: string; token: string; name: string; value: string; pairs: string };

export const KINDS: readonly CredentialKind[] = ["login", "bearer", "header", "cookies"];

let last = 0;
export const entry = (kind: CredentialKind = "login"): Entry => ({ id: ++last, kind, user: "", password: "", token: "", name: "", value: "", pairs: "" });

export function entryOf(given: GivenCredential): Entry {
  return { ...entry(given.kind), ...given };
}

export function credentialOf({ kind, user, password, token, name, value, pairs }: Entry): GivenCredential {
  switch (kind) {
    case "login": return { kind, user, password };
    case "bearer": return { kind, token };
    case "header": return { kind, name, value };
    case "cookies": return { kind, pairs };
  }
}
