// Adds messages to the conversation without a reply: observed, copied or imported ones.
import type { EventDraft } from "../../protocol/events.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import type { SessionLog } from "../log/session-log.ts";
import type { SessionTables } from "../tables/session-tables.ts";
import { messageAdded, type StagedMessages } from "../log/stage-messages.ts";

export interface MessageTarget {
  readonly log: SessionLog;
  readonly tables: Pick<SessionTables, "messages" | "calls">;
}

interface AddOptions {
  /** Appended before the messages. */
  readonly snapshots?: readonly EventDraft[];
  /** Snapshots and messages, if they are on disk already. */
  readonly staged?: StagedMessages;
  /** Part of the same transaction. */
  readonly write?: () => void;
}

/**
 * Appends `message_added` for each, with their rows, in one commit. No event follows soon, so the high-water mark is
 * set to the last seq.
 */
export function addMessages(
  { log, tables }: MessageTarget,
  messages: readonly Msg[],
  { snapshots = [], staged, write = () => undefined }: AddOptions = {},
): void {
  log.append([...snapshots, ...messages.map(messageAdded)], {
    isLast: true,
    staged,
    write: (events) => {
      for (const [index, message] of messages.entries()) {
        const position = events[snapshots.length + index]?.seq ?? log.lastSeq;
        const body = staged?.bodies[index];
        tables.messages.put({ position, reply_id: null, message, cursor: position, staged: body });
        for (const block of message.content) {
          if (block.type === "tool_call") tables.calls.note(block, position);
        }
      }
      write();
    },
  });
}
