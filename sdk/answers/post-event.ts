import type { EventReceipt, PostedEventInput } from "../../protocol/events/contract.ts";
import type { Reply } from "../../protocol/replies/contract.ts";
import type { RequestOptions } from "../transport/api-request.ts";
import { postAnswer } from "./post-answer.ts";
import type { Transport } from "../transport/transport.ts";

/**
 * Posts an answer, and retries when the outcome is unknown: the platform recognises a repeated answer.
 *
 * @throws {ApiError} when the platform refuses it, such as `confirmation_used` when another answer came first.
 */
export async function postEvent(
  transport: Transport,
  sessionId: string,
  event: PostedEventInput,
  options?: RequestOptions,
): Promise<EventReceipt> {
  const session = ["sessions", sessionId];
  const path = [...session, "events"];
  const receipt = await postAnswer<EventReceipt>(transport, path, event, options);
  if (receipt) return receipt;
  const reply = await transport.get<Reply>([...session, "replies", event.reply_id], options);
  return { reply, cursor: reply.cursor, applied: false };
}
