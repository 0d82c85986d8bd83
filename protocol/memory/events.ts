// Long-term memory on the wire: the names of its tools, and of the events by which a session tells what it remembers.
import type { ErrorInfo, Usage } from "../messages/messages.ts";

/** The tools of an agent with memory, as AgentScope has them; their names are taken in such an agent. */
export const RECORD_TO_MEMORY_TOOL = "record_to_memory";
export const RETRIEVE_FROM_MEMORY_TOOL = "retrieve_from_memory";
export const MEMORY_TOOLS = [RECORD_TO_MEMORY_TOOL, RETRIEVE_FROM_MEMORY_TOOL] as const;

/** The `source` of a hint that tells recalled memories. */
export const RECALL_SOURCE = "long_term_memory";

/** The tool by which a model gives what is to be remembered of a reply: of the recording's request alone. */
export const RECORD_MEMORIES_TOOL = "record_memories";

/** The tool by which a model says which memories of a batch are taken into others: of a consolidation's request alone. */
export const CONSOLIDATE_MEMORIES_TOOL = "consolidate_memories";

/** The `name` of the `CUSTOM` event for memories that were written; its value is {@link MemoriesRecordedValue}. */
export const MEMORIES_RECORDED = "memories_recorded";
/** The `name` of the event for a recording that was given up; its value is {@link MemoryRecordFailedValue}. */
export const MEMORY_RECORD_FAILED = "memory_record_failed";
/** The `name` of the event for a reply that goes on without what it would have recalled. */
export const MEMORY_RECALL_FAILED = "memory_recall_failed";
/** The `name` of the event from which on memories are left out of what models are sent. */
export const MEMORIES_REDACTED = "memories_redacted";

/** A memory that was written. */
interface RecordedMemory {
  readonly id: string;
  /** 1 for a new one; a memory that said otherwise has a new version. */
  readonly version: number;
}

/** Ids alone: the words are in the store, where they can be redacted. */
export interface MemoriesRecordedValue {
  /** The reply whose words they are of. */
  readonly reply_id: string;
  /** The call of the tool that has written them; left out for a recording. */
  readonly tool_call_id?: string;
  readonly store_id: string;
  /** Empty when nothing was worth it. */
  readonly memories: readonly RecordedMemory[];
  /** Untrusted content was in the context: they are untrusted, too. Left out otherwise. */
  readonly untrusted?: true;
  /** The model that has chosen them, and what that has used; left out for a call of the tool. */
  readonly model?: string;
  readonly usage?: Usage;
}

export interface MemoryRecordFailedValue {
  readonly reply_id: string;
  readonly error: ErrorInfo;
  /** Left out when no model was asked, or none has answered. */
  readonly model?: string;
  readonly usage?: Usage;
}

export type RecallFailure = "timed_out" | "unavailable";

export interface MemoryRecallFailedValue {
  readonly reply_id: string;
  readonly reason: RecallFailure;
}

export interface MemoriesRedactedValue {
  readonly memory_ids: readonly string[];
}
