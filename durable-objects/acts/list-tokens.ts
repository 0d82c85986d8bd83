import type { LiveToken } from "../../protocol/client-tokens/contract.ts";
import type { Page } from "../../protocol/schemas/common.ts";
import { accept, refuse, type Result } from "../../protocol/errors.ts";
import { isId } from "../../protocol/ids.ts";
import type { OpenSession } from "../sessions/open-session.ts";
import type { PageRequest } from "../api/page-requests.ts";

/** The valid client tokens of the session, newest first. */
export function listTokens(
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
