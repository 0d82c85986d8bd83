import type { ClientTokenRecord, LiveToken } from "../../protocol/client-tokens/contract.ts";
import { accept, refuse, type Result } from "../../protocol/errors.ts";
import type { OpenSession } from "../sessions/open-session.ts";
import type { RecordResult } from "../tables/once.ts";
import type { Page } from "../../protocol/schemas/common.ts";
import { isId } from "../../protocol/ids.ts";
import type { PageRequest } from "../api/page-requests.ts";
import { act } from "./act.ts";

/** Registers a client token. @returns `unauthenticated` when the key that mints it was revoked. */
function addToken(
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

/** Revokes a client token, and closes the streams that were opened with it. */
function revokeToken(
  { tables, subscribers }: Pick<OpenSession, "tables" | "subscribers">,
  tokenId: string,
): Result<null> {
  const isThere = tables.tokens.revoke(tokenId, Date.now());
  if (!isThere) return refuse("not_found", `this session has no client token ${tokenId}`);
  subscribers.cut(tokenId);
  return accept(null);
}

/** The valid client tokens of the session, newest first. */
function listTokens(
  { tables, init }: Pick<OpenSession, "tables" | "init">,
  { page, limit }: PageRequest,
): Result<Page<LiveToken>> {
  if (page !== undefined && !isId("tok", page)) {
    const detail = "the page token is not one of this list's";
    return refuse("validation_failed", detail, { errors: [{ pointer: "#/query/page", detail }] });
  }
  const tokens = tables.tokens.live(page ?? null, limit + 1, Date.now());
  const data = tokens.slice(0, limit).map((token) => ({ ...token, session_id: init.session_id }));
  const has_more = tokens.length > limit;
  return accept({ data, has_more, next_page: (has_more && data.at(-1)?.id) || null });
}

export const CLIENT_TOKEN_ACTS = {
  /** Registers a client token that was minted for this session, and returns its record. */
  addToken: act<ClientTokenRecord, ClientTokenRecord, ClientTokenRecord>({
    run: addToken,
    replay: (_, kept) => accept(kept),
  }),

  /** Closes the streams that were opened with it. */
  revokeToken: act<string, null>({ run: revokeToken }),

  /** The valid client tokens of the session, newest first. */
  listTokens: act<PageRequest, Page<LiveToken>>({ run: listTokens }),
} as const;
