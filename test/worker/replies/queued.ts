// Shared parts of the tests of double-texting: replies that are queued, and the session's look then.
import type { ReplyStart, SessionInit } from "../../../durable-objects/api/session-api.ts";
import type { Reply } from "../../../protocol/replies/contract.ts";
import type { Result } from "../../../protocol/errors.ts";
import type { LoggedEvent } from "../../../protocol/events.ts";
import type { Msg } from "../../../protocol/messages/messages.ts";
import { allEvents, stubOf, valueOf } from "../sessions/session.ts";

export function queueResult(init: SessionInit, input: ReplyStart["input"]): Promise<Result<Reply>> {
  return stubOf(init).act("startReply", { input, on_busy: "queue" });
}

export async function queueReply(init: SessionInit, input: ReplyStart["input"]): Promise<Reply> {
  return valueOf(await queueResult(init, input));
}

/**
 * The replies in the order of the log, each with how it ended.
 * @throws when one begins before the one before it has ended, or ends twice.
 */
export async function repliesOf(init: SessionInit): Promise<[string, string][]> {
  return repliesIn(await allEvents(init));
}

export function repliesIn(events: readonly LoggedEvent[]): [string, string][] {
  const ended: [string, string][] = [];
  let open: string | null = null;
  for (const event of events) {
    if (event.type === "REPLY_START") {
      if (open !== null) throw new Error(`${event.reply_id} begins while ${open} is open`);
      open = event.reply_id;
    }
    if (event.type === "REPLY_END") {
      if (open !== event.reply_id) throw new Error(`${event.reply_id} ends and is not open`);
      ended.push([event.reply_id, event.finished_reason]);
      open = null;
    }
  }
  return ended;
}

/** Texts of people, in the order of the log. */
export async function userTexts(init: SessionInit): Promise<string[]> {
  return (await allEvents(init)).flatMap((event) => {
    if (event.type !== "CUSTOM" || event.name !== "message_added") return [];
    const { message } = event.value as { message: Msg };
    return message.content.map((block) => (block.type === "text" ? block.text : ""));
  });
}
