import type { A2aMessage } from "../../protocol/a2a/wire.ts";
import { MAX_A2A_HISTORY } from "../../protocol/dialects/a2a/limits.ts";
import type { A2aTaskNames } from "../../protocol/dialects/a2a/task-status.ts";
import { toHistory } from "../../protocol/dialects/a2a/to-a2a-task.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import type { OpenSession } from "../sessions/open-session.ts";

/** The messages that a task began with, oldest first. @param length The newest of them; all when left out. */
export function taskHistory(
  { tables }: Pick<OpenSession, "tables">,
  names: A2aTaskNames,
  length = MAX_A2A_HISTORY,
): readonly A2aMessage[] {
  const most = Math.min(length, MAX_A2A_HISTORY);
  if (most <= 0) return [];
  const queued = tables.queue.read(names.task_id);
  const messages = queued ? queued.messages : inputOf(tables, names.task_id, most);
  return toHistory(names, messages).slice(-most);
}

/** The newest messages of a reply's input, oldest first. */
function inputOf(
  { messages, replies }: OpenSession["tables"],
  replyId: string,
  most: number,
): readonly Msg[] {
  const row = replies.find(replyId);
  if (!row) return [];
  const input: Msg[] = [];
  for (const { item } of messages.before(row.start_cursor + 1)) {
    if (item.reply_id !== replyId || input.length >= most) break;
    input.unshift(item.message);
  }
  return input;
}
