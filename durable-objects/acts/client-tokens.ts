import type { ClientTokenRecord } from "../../protocol/client-tokens/contract.ts";
import { accept, refuse, type Result } from "../../protocol/errors.ts";
import type { OpenSession } from "../sessions/open-session.ts";
import type { RecordResult } from "../tables/once.ts";

/** Registers a client token. @returns `unauthenticated` when the key that mints it was revoked. */
export function addToken(
  { tables, subscribers, transaction }: OpenSession,
  token: ClientTokenRecord,
  { recordResult }: { readonly recordResult: RecordResult<ClientTokenRecord> },
): Result<ClientTokenRecord> {
  // A Worker may accept a revoked key for a while, because it caches keys.
  if (token.key_id && subscribers.isKeyCut(token.key_id)) {
    return refuse("unauthenticated", "the API key was revoked");
  }
  return transaction(() => {
    tables.tokens.add(token, Date.now());
    recordResult(token);
    return accept(token);
  });
}
