// The log of a session in which two turns are spoken: the first answer is interrupted while it is heard, behind its end.
import type { LoggedEvent } from "../../../protocol/events.ts";
import { UserMsg } from "../../../protocol/messages/constructors.ts";
import type { Msg } from "../../../protocol/messages/messages.ts";
import { parseEvent } from "../../../protocol/parse.ts";

const AT = "2026-11-30T10:00:00.000Z";

export function spokenMessage(id: string, text = "", state = "transcribing"): Msg {
  return UserMsg({
    id,
    name: "user",
    content: [{ type: "text", text, id: `${id}_0` }],
    metadata: { speech: { state, item: "1", ms: 1_200 } },
    created_at: AT,
  });
}

export function transcribed(message_id: string, text: string): object {
  return { type: "CUSTOM", name: "speech_transcribed", value: { message_id, text } };
}

/** @param replyId Of the reply whose message it is. */
export function truncated(replyId: string, block_id: string, text: string): object {
  const value = { message_id: replyId, block_id, text, played_ms: 400 };
  return { type: "CUSTOM", name: "speech_truncated", reply_id: replyId, value };
}

function added(message: Msg): object {
  return { type: "CUSTOM", name: "message_added", value: { message } };
}

function reply(reply_id: string, block_id: string, words: readonly string[]): object[] {
  return [
    { type: "MODEL_CALL_START", reply_id, model_name: "m" },
    { type: "TEXT_BLOCK_START", reply_id, block_id },
    ...words.map((delta) => ({ type: "TEXT_BLOCK_DELTA", reply_id, block_id, delta })),
    { type: "TEXT_BLOCK_END", reply_id, block_id },
    { type: "MODEL_CALL_END", reply_id, input_tokens: 1, output_tokens: 2 },
  ];
}

export function loggedEvents(events: readonly object[]): LoggedEvent[] {
  return events.map((event, index) => ({
    ...parseEvent({ id: "e", created_at: AT, ...event }),
    seq: index + 1,
  }));
}

function started(reply_id: string): object {
  return { type: "REPLY_START", session_id: "s", reply_id, name: "Desk" };
}

function ended(reply_id: string): object {
  return { type: "REPLY_END", session_id: "s", reply_id };
}

export const SPOKEN_LOG = loggedEvents([
  added(spokenMessage("m1")),
  started("r1"),
  ...reply("r1", "b1", ["Your shoes ", "are on ", "their way."]),
  transcribed("m1", "Where are my shoes?"),
  ended("r1"),
  truncated("r1", "b1", "Your shoes"),
  added(spokenMessage("m2")),
  transcribed("m2", "Stop."),
  started("r2"),
  ...reply("r2", "b2", ["Of ", "course."]),
  truncated("r2", "b2", ""),
  ended("r2"),
]);

/** Texts of the conversation at the log's end. */
export const SPOKEN_TEXTS = [
  ["m1", "Where are my shoes?"],
  ["r1", "Your shoes"],
  ["m2", "Stop."],
  ["r2", ""],
];
