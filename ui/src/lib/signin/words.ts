/** Sign-ins in words, never with their values. */
import type { CredentialKind, GivenCredential, KeptCredentials } from "../backend";
import { t } from "../text";

/** "Signed in as ada, sends x-key". */
export function givenWords(credentials: GivenCredential[]): string {
  return credentials.map(oneWord).join(" · ");
}

function oneWord(one: GivenCredential): string {
  switch (one.kind) {
    case "login": return t("signin.as", { user: one.user });
    case "bearer": return t("signin.with_token");
    case "header": return t("signin.sends_header", { name: one.name });
    case "cookies": return t("signin.sends_cookies");
  }
}

export const kindWord = (kind: CredentialKind): string => t(`signin.kinds.${kind}`);

/** "user name and password, header x-key"; empty where the kinds are not known. */
export function keptWords({ kinds, headers }: Pick<KeptCredentials, "kinds" | "headers">): string {
  return kinds.map((kind) => (kind === "header" && headers.length > 0 ? t("signin.header_named", { name: headers.join(", ") }) : kindWord(kind))).join(", ");
}
