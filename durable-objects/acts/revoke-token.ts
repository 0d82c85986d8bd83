import { accept, refuse, type Result } from "../../protocol/errors.ts";
import type { OpenSession } from "../sessions/open-session.ts";

/** Revokes a client token, and closes the streams that were opened with it. */
export function revokeToken(
  { tables, subscribers }: Pick<OpenSession, "tables" | "subscribers">,
  tokenId: string,
): Result<null> {
  const isThere = tables.tokens.revoke(tokenId, Date.now());
  if (!isThere) return refuse("not_found", `this session has no client token ${tokenId}`);
  subscribers.cut(tokenId);
  return accept(null);
}
