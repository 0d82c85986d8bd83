import type { SessionRecord } from "./session-record.ts";

/**
 * What was opened with these keys ends, and nothing is opened with them again.
 * @param areTokensCut The client tokens that they have minted go too.
 */
export function cutKeys(
  { tables, subscribers }: Pick<SessionRecord, "tables" | "subscribers">,
  keyIds: readonly string[],
  areTokensCut: boolean,
): void {
  const nowMs = Date.now();
  const tokens = areTokensCut ? tables.tokens.revokeOf(keyIds, nowMs) : [];
  for (const id of tokens) subscribers.cut(id);
  for (const id of keyIds) subscribers.cutKey(id, nowMs);
}
