import type { SessionMemory } from "../../agent/memory-store.ts";
import { openMemory, unreadMemory } from "../settings/reply-memory.ts";
import { openMemoryStore } from "../settings/session-memory.ts";
import type { ReplyExecution } from "./reply-execution.ts";

/** The long-term memory that a reply reads and writes. An agent without memory asks nothing. */
export function openReplyMemory({
  context: { env, tables, newId },
  reply,
  init,
}: ReplyExecution): SessionMemory {
  const store = openMemoryStore(env, init);
  if (store === null) return unreadMemory(init);
  return openMemory(init, {
    store,
    isAskedByUser: tables.replies.share(reply.id) !== undefined,
    newBlockId: () => newId("blk"),
  });
}
