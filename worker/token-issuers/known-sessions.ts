// A short-lived cache of whose sessions are, of one isolate: a token of an issuer does not tell the tenant.
import { ISSUER_CACHE_MS, MAX_CACHED_ISSUERS } from "../../protocol/token-issuers/limits.ts";
import {
  findSessionOwner,
  type SessionOwner,
} from "../../storage/token-issuers/find-session-owner.ts";
import { withLookupDeadline } from "../auth/with-lookup-deadline.ts";

interface KnownSession {
  readonly owner: SessionOwner;
  readonly readAtMs: number;
}

const known = new Map<string, KnownSession>();

/** The owner of a session; null for one that is not there, which is not remembered. @throws the errors of D1. */
export async function findOwner(
  database: D1Database,
  sessionId: string,
): Promise<SessionOwner | null> {
  const cached = known.get(sessionId);
  if (cached && isFresh(cached)) return cached.owner;
  known.delete(sessionId);
  const owner = await withLookupDeadline(findSessionOwner(database, sessionId));
  if (!owner) return null;
  known.set(sessionId, { owner, readAtMs: Date.now() });
  const [oldest] = known.keys();
  if (known.size > MAX_CACHED_ISSUERS && oldest !== undefined) known.delete(oldest);
  return owner;
}

/** Whether {@link findOwner} needs no query. */
export function isKnownSession(sessionId: string): boolean {
  const cached = known.get(sessionId);
  return cached !== undefined && isFresh(cached);
}

function isFresh({ readAtMs }: KnownSession): boolean {
  return Date.now() - readAtMs < ISSUER_CACHE_MS;
}
