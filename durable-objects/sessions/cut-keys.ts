import type { OpenSession } from "./open-session.ts";

/**
 * Closes the streams that were opened with these revoked keys, and refuses new ones.
 * @param areTokensCut Also revokes the client tokens that the keys have minted.
 */
export function cutKeys(
  { tables, subscribers }: Pick<OpenSession, "tables" | "subscribers">,
  keyIds: readonly string[],
  areTokensCut: boolean,
): void {
  const nowMs = Date.now();
  const tokens = areTokensCut ? tables.tokens.revokeOf(keyIds, nowMs) : [];
  for (const id of tokens) subscribers.cut(id);
  for (const id of keyIds) subscribers.cutKey(id, nowMs);
}
