// The list of sessions with `search`: the index finds them by their words, the newest first, and D1 has the rest of each.
import type { SessionListQuery, SessionPage } from "../../protocol/sessions/contract.ts";
import { MAX_FILTERED_SESSIONS } from "../../protocol/search/limits.ts";
import { searchProblem } from "../../protocol/search/search-query.ts";
import { decodeToken, encodePageToken } from "../../storage/statements/page.ts";
import type { SessionFilter } from "../../storage/sessions/session-filter.ts";
import { tenantStorage } from "../../storage/tenants/tenant-storage.ts";
import type { AppContext } from "../app-env.ts";
import { fieldError, unwrap } from "../http-error.ts";
import { searchStub } from "../objects/search-stub.ts";
import { tenantOf } from "../principal.ts";
import { badPageToken } from "../requests/read-query.ts";

interface Finding extends Pick<SessionListQuery, "page" | "limit"> {
  readonly search: string;
  readonly filter: SessionFilter;
}

/**
 * A page of what was found. With filters beside the times of creation a page reads a bounded number of sessions that have the
 * words, and may have fewer than `limit`, or none, before the list ends.
 */
export async function findSessions(
  context: AppContext,
  { search, page, limit, filter }: Finding,
): Promise<SessionPage> {
  const problem = searchProblem(search);
  if (problem !== null) throw fieldError("validation_failed", "#/query/search", problem);
  const before = page === undefined ? undefined : decodePlace(page);
  if (before === null) throw badPageToken();
  const { created_after, created_before, ...others } = filter;
  const isFiltered = Object.values(others).some((value) => value !== undefined);
  const tenantId = tenantOf(context);
  const found = unwrap(
    await searchStub(context.env, tenantId).find({
      search,
      before,
      createdAfterMs: timeOf(created_after),
      createdBeforeMs: timeOf(created_before),
      most: isFiltered ? MAX_FILTERED_SESSIONS : limit,
    }),
  );
  const { sessions } = tenantStorage(context.env.DB, tenantId);
  const ids = found.sessions.map(({ session_id }) => session_id);
  const listed = new Map((await sessions.listAmong(ids, filter)).map((one) => [one.id, one]));
  const shown = found.sessions.flatMap(({ session_id, place }) => {
    const session = listed.get(session_id);
    return session ? [{ session, place }] : [];
  });
  const data = shown.slice(0, limit);
  const last = shown.length > limit ? data.at(-1) : found.hasMore && found.sessions.at(-1);
  return {
    data: data.map(({ session }) => session),
    has_more: Boolean(last),
    next_page: last ? encodePageToken(`place ${last.place}`) : null,
    search_complete: found.isComplete,
  };
}

function timeOf(timestamp: string | undefined): number | undefined {
  return timestamp === undefined ? undefined : Date.parse(timestamp);
}

function decodePlace(token: string): number | null {
  const place = /^place (\d{1,16})$/.exec(decodeToken(token) ?? "")?.[1];
  return place === undefined ? null : Number(place);
}
