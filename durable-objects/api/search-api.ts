// The RPC interface of a tenant's search index. Types only.
import type { Result } from "../../protocol/errors.ts";

export interface SearchRequest {
  /** Words that {@link Found} sessions have all of. */
  readonly search: string;
  /** Sessions behind this place; the newest first when it is left out. */
  readonly before?: number | undefined;
  /** Unix milliseconds: the first is inclusive, the second exclusive. */
  readonly createdAfterMs?: number | undefined;
  readonly createdBeforeMs?: number | undefined;
  readonly most: number;
}

interface FoundSession {
  readonly session_id: string;
  /** Its place in the order of creation. */
  readonly place: number;
}

export interface Found {
  /** The newest first. */
  readonly sessions: readonly FoundSession[];
  readonly hasMore: boolean;
  /** Whether all sessions are in the index. */
  readonly isComplete: boolean;
}

/** The index over one tenant's sessions. It is erased whenever the tenant's setting is off. */
export interface SearchApi {
  /** Brings the index up to date first, for a moment. @returns the refusal `search_off` too. */
  find(request: SearchRequest): Promise<Result<Found>>;
  /** Erases a session whose deletion has begun in D1. Resolves when it is on disk. */
  forget(sessionId: string): Promise<void>;
  /** Reads the tenant's setting, and erases the index where it is off. */
  followSetting(): Promise<void>;
  /** Erases everything: the tenant is closed. */
  erase(): Promise<void>;
}
