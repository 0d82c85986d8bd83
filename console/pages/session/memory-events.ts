// The events of a session about its long-term memory: what replies were told, what was recorded, and what failed.
import type { LoggedEvent } from "../../../sdk/index.ts";
import { isRecord } from "../../components/words/members.ts";
import { countOf, wordsOfMemory } from "../../components/words/memory-words.ts";

export interface MemoryEvent {
  readonly seq: number;
  readonly at: string;
  readonly words: string;
  readonly hasFailed: boolean;
  /** The reply that it is about. */
  readonly replyId: string | null;
  readonly memoryIds: readonly string[];
}

const RECALL_SOURCE = "long_term_memory";

/** Null for an event that says nothing of memory. */
export function memoryEventOf(event: LoggedEvent): MemoryEvent | null {
  const { seq, created_at: at } = event;
  const base = { seq, at, hasFailed: false, replyId: event.reply_id ?? null };
  if (event.type === "HINT_BLOCK" && event.source === RECALL_SOURCE) {
    const memoryIds = idsIn(event.metadata?.["memory_ids"]);
    return { ...base, words: `${countOf(memoryIds)} recalled`, memoryIds };
  }
  if (event.type === "TOOL_RESULT_END") {
    const memoryIds = idsIn(event.metadata?.["memory_ids"]);
    return memoryIds.length === 0
      ? null
      : { ...base, words: `${countOf(memoryIds)} retrieved by the agent’s tool`, memoryIds };
  }
  if (event.type !== "CUSTOM") return null;
  const words = wordsOfMemory(event.name, event.value);
  if (words === null) return null;
  const value: Readonly<Record<string, unknown>> = isRecord(event.value) ? event.value : {};
  const written = Array.isArray(value["memories"]) ? value["memories"] : [];
  const reply = value["reply_id"];
  return {
    ...base,
    words,
    hasFailed: event.name.endsWith("_failed"),
    replyId: typeof reply === "string" ? reply : base.replyId,
    memoryIds:
      event.name === "memories_redacted"
        ? []
        : idsIn(written.map((one) => (isRecord(one) ? one["id"] : null))),
  };
}

function idsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((id): id is string => typeof id === "string") : [];
}
