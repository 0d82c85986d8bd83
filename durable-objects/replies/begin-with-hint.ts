// Begins a reply that no request has asked for: something that the agent waits for has happened. Its input is a message of
// the platform's own, with a hint. Behind a reply that runs or waits it is queued, as one that a client asks to queue.
import { refuse, type Result } from "../../protocol/errors.ts";
import type { EndUserShareChange } from "../../protocol/quotas/end-user-share.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import type { Reply } from "../../protocol/replies/contract.ts";
import type { InputMessage } from "../../protocol/replies/contract.ts";
import type { SessionLog } from "../log/session-log.ts";
import type { RecordResult } from "../tables/once.ts";
import type { ReplyQueue } from "./reply-queue.ts";

interface WokenSession {
  readonly log: Pick<SessionLog, "isClosed">;
  readonly queue: Pick<ReplyQueue, "start">;
}

export interface Waking {
  /** An assistant's message of hints, with an id of its own: the same one begins one reply, however often it is given. */
  readonly message: Msg;
  /** The id of the task that has ended. In the metadata of the reply, and of the message. */
  readonly woken_by: string;
  /** As that of the reply in which the wait began. */
  readonly share?: EndUserShareChange | undefined;
  /** Agents that have called each other over A2A above that reply. */
  readonly a2a_depth?: number | undefined;
}

/**
 * Resolves when the reply has begun or is queued.
 * @param recordResult Part of that transaction; gets the reply's id. @returns a refusal when it cannot begin now: the queue
 *   is full, a quota is used up, the tenant is stopped. The caller tries again.
 */
export async function beginWithHint(
  { log, queue }: WokenSession,
  { message, woken_by, share, a2a_depth }: Waking,
  recordResult: RecordResult<string>,
): Promise<Result<Reply>> {
  if (log.isClosed) return refuse("not_found", "there is no such session");
  const input = [message as InputMessage];
  return queue.start({ input, on_busy: "queue", woken_by, share, a2a_depth }, recordResult);
}
