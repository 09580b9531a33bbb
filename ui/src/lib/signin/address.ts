/** An address without the login that was typed into it; null where it holds none. */
export function splitLogin(typed: string): { address: string; user: string; password: string } | null {
  const found = /^(\s*(?:https?:\/\/)?)([^/?#\\\s]*)@(.*)$/is.exec(typed);
  if (!found) return null;
  const [, scheme = "", login = "", rest = ""] = found;
  // Half an address is not one yet.
  if (rest.trim() === "") return null;
  const colon = login.indexOf(":");
  return {
    address: `${scheme}${rest}`.trim(), user: decoded(colon < 0 ? login : login.slice(0, colon)), password: colon < 0 ? "" : decoded(login.slice(colon + 1)),
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
