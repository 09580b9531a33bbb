/** What the sign-in is asked for. It holds no secret: what is typed lives in the dialog, or in the form of the first screen. */
import type { SignInNeeded } from "../backend";

export type Asked =
  /** Beside the address of the first screen. */
  | { purpose: "start" }
  /** For a crawl that was let in when it began; `why` is what keeps the keychain from letting it in now. */
  | { purpose: "resume"; path: string; needed: SignInNeeded; why: string | null };

export const signIn = $state({ asked: null as Asked | null });

export function askToSignIn(asked: Asked): void {
  signIn.asked = asked;
}
