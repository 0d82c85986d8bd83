// Whether a definition's credential may go to an address that a card names. A card is what others have written, and may be
// another one tomorrow.
import type { RemoteAgent } from "../../protocol/a2a/remote-agent.ts";
import type { ResolvedCard } from "../cards/resolved-card.ts";

/**
 * Null where it may go, beside the hosts that the credential itself is bound to. The address is below the pinned one; without
 * one it has the origin that the card is from, or is in a card of the definition or the deployment.
 */
export function addressRefusal(
  { card: source, pinned_address }: Pick<RemoteAgent, "card" | "pinned_address">,
  { origin }: Pick<ResolvedCard, "origin">,
  address: string,
): string | null {
  const url = new URL(address);
  if (pinned_address !== undefined) {
    return isBelow(url, new URL(pinned_address))
      ? null
      : `The card names the address ${url.host}${url.pathname}, which is not the pinned one; the credential was not sent.`;
  }
  if ("inline" in source || "file" in source) return null;
  if ("nacos" in source) {
    return "A credential for an agent of a registry needs `pinned_address`: the registry may name another address tomorrow.";
  }
  return url.origin === origin
    ? null
    : `The card is from another host than ${url.host}, where the agent is; name its address in \`pinned_address\`.`;
}

/** The same of an address that gives tokens for the client's secret. */
export function tokenAddressRefusal(
  { card: source, oauth }: Pick<RemoteAgent, "card" | "oauth">,
  card: Pick<ResolvedCard, "origin">,
  endpoint: string,
): string | null {
  const pinned = oauth?.token_url;
  const { host } = new URL(endpoint);
  if (pinned === undefined) {
    return addressRefusal({ card: source }, card, endpoint) === null
      ? null
      : `The card's scheme gets tokens at ${host}, which is another host than its own; name the address in \`oauth.token_url\`.`;
  }
  return new URL(pinned).href === new URL(endpoint).href
    ? null
    : `The card's scheme gets tokens at ${host}, which is not \`oauth.token_url\`; the credential was not sent.`;
}

function isBelow(url: URL, pinned: URL): boolean {
  if (url.origin !== pinned.origin) return false;
  const base = pinned.pathname.replace(/\/+$/, "");
  return (
    url.pathname === base || url.pathname.startsWith(`${base}/`) || url.pathname === pinned.pathname
  );
}
