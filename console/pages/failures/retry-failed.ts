// Retries of failed replies: a new reply with the input of the failed one.
import type { MessageInput, Msg, Reprise } from "../../../sdk/index.ts";
import { omittedOf } from "../../../sdk/index.ts";
import type { FailedSession } from "../../components/group-failures.ts";

/** Messages that are read before a failed reply: a request may have so many. */
const READ_MESSAGES = 100;

/**
 * Starts a new reply with the failed one's input, and waits for its end. The ids of its messages follow from the failed
 * reply, so that a second click, another tab or a repeated request start no second one; each request has an idempotency key
 * of its own besides.
 * @returns The outcome in words: `gone on` where something has begun since, `too large` where the input cannot be read here.
 * @throws {ApiError} where the platform refuses it.
 */
export async function retryFailed(
  reprise: Reprise,
  { id, failure }: FailedSession,
): Promise<string> {
  const session = reprise.session(id);
  const { data } = await session.messages.list({ limit: READ_MESSAGES }).page();
  const input = inputOf(data, failure.reply_id);
  if (input === "gone on") return input;
  if (input.length === 0) return "too large";
  const { status } = await session.replies.create(input);
  return `now ${status.replaceAll("_", " ")}`;
}

/**
 * The input of a session's last reply, with new ids.
 * @param messages The newest, oldest first. @returns `gone on` where the reply is not the last one.
 */
export function inputOf(
  messages: readonly Msg[],
  replyId: string,
): readonly MessageInput[] | "gone on" {
  const end = messages.findIndex(({ id }) => id === replyId);
  if (end === -1 || end !== messages.length - 1) return "gone on";
  const start = messages.slice(0, end).findLastIndex(({ role }) => role !== "user") + 1;
  const input = messages.slice(start, end);
  if (input.some((message) => omittedOf(message) !== null)) return [];
  return input.map(({ name, content }, index) => {
    return { id: `retry-${replyId}-${index}`, name, content } as MessageInput;
  });
}
