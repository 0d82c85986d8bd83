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

function isBelow(url: URL, pinned: URL): boolean {
  if (url.origin !== pinned.origin) return false;
  const base = pinned.pathname.replace(/\/+$/, "");
  return (
    url.pathname === base || url.pathname.startsWith(`${base}/`) || url.pathname === pinned.pathname
  );
}
