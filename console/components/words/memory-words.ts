import { isRecord, type Members } from "./members.ts";

/** Content of an event about long-term memory, in words; null for an event of another name. */
export function wordsOfMemory(name: string, value: unknown): string | null {
  const members = isRecord(value) ? value : {};
  switch (name) {
    case "memories_recorded":
      return wordsOfRecorded(members);
    case "memory_record_failed": {
      const { error } = members;
      const message = isRecord(error) ? error["message"] : undefined;
      return `Nothing was recorded: ${typeof message === "string" ? message : "it has failed"}`;
    }
    case "memory_recall_failed":
      return members["reason"] === "timed_out"
        ? "Nothing was recalled: the store took too long"
        : "Nothing was recalled: the store did not answer";
    case "memories_redacted":
      return `${countOf(members["memory_ids"])} left out from here on: deleted or redacted`;
    default:
      return null;
  }
}

function wordsOfRecorded({ memories, tool_call_id, untrusted }: Members): string {
  const isTool = typeof tool_call_id === "string";
  if (!Array.isArray(memories) || memories.length === 0) {
    return isTool ? "The agent recorded nothing new" : "Nothing of it was worth remembering";
  }
  const by = isTool ? "by the agent’s tool" : "behind the reply";
  return `${countOf(memories)} recorded ${by}${untrusted === true ? ", untrusted" : ""}`;
}

/** As "1 memory", "3 memories". */
export function countOf(memories: unknown): string {
  const count = Array.isArray(memories) ? memories.length : 0;
  return count === 1 ? "1 memory" : `${count} memories`;
}
