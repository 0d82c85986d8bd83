// The port through which an ability reads and writes long-term memories. Its adapter is in durable-objects/settings/.
import type { MemorySource } from "../protocol/memory/contract.ts";
import type { UntrustedSource } from "../protocol/messages/untrusted-content.ts";
import type { StopSignal } from "./ports.ts";

/** A memory as a search gives it. */
export interface RecalledMemory {
  /** `mem_…`; the same in all versions of the memory. */
  readonly id: string;
  readonly content: string;
  /** The call whose untrusted result was in the context when it was made; null for a trusted one. */
  readonly untrusted: UntrustedSource | null;
  /** Counts from 1: a correction or a contradiction adds one. */
  readonly version: number;
}

export interface Recall {
  /** The best first. */
  readonly memories: readonly RecalledMemory[];
  /** A sentence about a part of the search that was not possible, such as an endpoint that failed; else null. */
  readonly note: string | null;
}

export interface RecallRequest {
  /** Keywords, or texts such as an input: a memory that has words of any of them is found. */
  readonly texts: readonly string[];
  readonly limit: number;
  readonly stop: StopSignal;
}

export interface NewMemory {
  readonly content: string;
  readonly untrusted: UntrustedSource | null;
  readonly source: MemorySource;
  /** The memory that this one corrects, as a search gave it; the store looks itself when left out. */
  readonly supersedes?: string;
}

export interface RecordRequest {
  /** A reply's id, or a tool call's: recording the same again writes nothing and has the same outcomes. */
  readonly record_id: string;
  readonly memories: readonly NewMemory[];
}

/** The fate of one new memory. */
export type MemoryOutcome =
  | { readonly kind: "added"; readonly memory_id: string; readonly version: 1 }
  /** A memory that said otherwise has a new version; the old one stays listed. */
  | { readonly kind: "superseded"; readonly memory_id: string; readonly version: number }
  /** A memory says the same. */
  | { readonly kind: "duplicate"; readonly memory_id: string }
  | { readonly kind: "refused"; readonly code: MemoryRefusalCode; readonly detail: string };

/** Codes of a memory that was not written; the others of the record were. */
type MemoryRefusalCode = "memory_empty" | "memory_too_long" | "memory_store_full";

/**
 * `quota_exceeded`: the tenant has no room for a further store, or for bytes. `store_gone`: the agent, the end user or the
 * session was deleted. `nothing_to_look_for`: no text has a letter, a digit or a picture. `unavailable`: later perhaps.
 */
export interface MemoryFailure {
  readonly code: "quota_exceeded" | "store_gone" | "nothing_to_look_for" | "unavailable";
  /** A sentence that names the way out. */
  readonly detail: string;
}

export type MemoryResult<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly failure: MemoryFailure };

/** The store of one agent and end user, or of one agent. Contract: no method rejects. */
export interface MemoryStore {
  /** `memstore_…`; follows from agent and end user, so it is known before the first memory. */
  readId(): Promise<string>;
  /** A store without memories gives none. */
  retrieve(request: RecallRequest): Promise<MemoryResult<Recall>>;
  /** Outcomes in the order of the memories; they are on disk when it resolves. */
  record(
    request: RecordRequest,
  ): Promise<MemoryResult<{ readonly outcomes: readonly MemoryOutcome[] }>>;
  /** Of these memories those that were deleted or redacted: what was recalled of them is not sent any more. */
  gone(memoryIds: readonly string[]): Promise<MemoryResult<readonly string[]>>;
}

/** Memories that an input recalls. */
export type RecallOutcome =
  | { readonly type: "found"; readonly memories: readonly RecalledMemory[] }
  /** There was nothing to look for. */
  | { readonly type: "nothing" }
  | { readonly type: "failed"; readonly reason: "timed_out" | "unavailable" };

/** Long-term memory as the replies of a session get it. */
export interface SessionMemory {
  readonly session_id: string;
  /** Null for an agent without memory, and where it is an end user's and the session has none. */
  readonly store: MemoryStore | null;
  /** Whether the reply may write: what all users of an agent share is not written by any of them. */
  readonly isWritable: boolean;
  /** Untrusted content that the model of the agent that has called this one was sent: the session's input may be made of it. */
  readonly inherited: readonly UntrustedSource[];
  readonly newBlockId: () => string;
  /** As `gone` of the store, and soon; null when it does not answer. Contract: never rejects. */
  gone(memoryIds: readonly string[]): Promise<readonly string[] | null>;
  /** As `retrieve` of the store, and within the time that a reply waits for it. Contract: never rejects. */
  recall(request: RecallRequest): Promise<RecallOutcome>;
}
