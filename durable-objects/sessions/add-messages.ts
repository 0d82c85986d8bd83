// Adds messages to the conversation without a reply: observed, copied or imported ones.
import type { EventDraft, LoggedEvent } from "../../protocol/events.ts";
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
  readonly staged?: StagedMessages | undefined;
  /** The replies of messages that have some, by the message's id. */
  readonly owners?: ReadonlyMap<string, string> | undefined;
  /** Part of the same transaction, ahead of the messages' rows. */
  readonly before?: (events: readonly LoggedEvent[]) => void;
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
  { snapshots = [], staged, owners, before, write = () => undefined }: AddOptions = {},
): void {
  log.append([...snapshots, ...messages.map(messageAdded)], {
    isLast: true,
    staged,
    write: (events) => {
      before?.(events);
      for (const [index, message] of messages.entries()) {
        const position = events[snapshots.length + index]?.seq ?? log.lastSeq;
        const body = staged?.bodies[index];
        const reply_id = owners?.get(message.id) ?? null;
        tables.messages.put({ position, reply_id, message, cursor: position, staged: body });
        for (const block of message.content) {
          if (block.type === "tool_call") tables.calls.note(block, position);
        }
      }
      write();
    },
  });
}
