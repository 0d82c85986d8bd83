// Calls of a room's participants that wait for an answer, folded from the copied events.
import {
  SUBAGENT_REQUIRE_USER_CONFIRM,
  SUBAGENT_USER_CONFIRM_RESULT,
  subagentRequireUserConfirmOf,
  subagentUserConfirmResultOf,
} from "../../protocol/agents/events.ts";
import type { EventOf, LoggedEvent } from "../../protocol/events.ts";
import type { PendingCall } from "../../protocol/replies/contract.ts";
import { utf8Bytes } from "../../protocol/utf8-bytes.ts";
import { askedCalls, endedCalls, isQuestion, type Question } from "../agents/asked-calls.ts";
import { PENDING_INPUT_BYTES } from "./limits.ts";
import type { OpenReply, RoomPending } from "./room-state.ts";

/** @param reply The participant's reply, of which the event is. @returns the same list when the event changes nothing. */
export function advancePending(
  before: readonly RoomPending[],
  event: LoggedEvent,
  reply: OpenReply,
): readonly RoomPending[] {
  if (event.type === "CUSTOM") {
    const called = advanceCalled(before, event, reply);
    if (called) return called;
  }
  if (isQuestion(event)) return asked(before, event, reply, reply);
  const ended = endedCalls(event);
  if (ended === null) {
    return without(before, ({ turn_reply_id }) => turn_reply_id === reply.reply_id);
  }
  return withoutCalls(before, reply.reply_id, ended);
}

/** Questions of agents that the reply has called; null for another event. */
function advanceCalled(
  before: readonly RoomPending[],
  { name, value }: EventOf<"CUSTOM">,
  reply: OpenReply,
): readonly RoomPending[] | null {
  if (name === SUBAGENT_REQUIRE_USER_CONFIRM) {
    const told = subagentRequireUserConfirmOf(value);
    if (!told) return before;
    const { reply_id, worker_session_id: session_id, event } = told;
    return asked(before, event, { reply_id, session_id }, reply);
  }
  if (name !== SUBAGENT_USER_CONFIRM_RESULT) return null;
  const told = subagentUserConfirmResultOf(value);
  return told ? withoutCalls(before, told.reply_id, told.tool_call_ids) : before;
}

function asked(
  before: readonly RoomPending[],
  question: Question,
  { reply_id, session_id }: Pick<OpenReply, "reply_id" | "session_id">,
  { participant, reply_id: turn_reply_id }: OpenReply,
): readonly RoomPending[] {
  const calls = askedCalls(question).map((call): RoomPending => {
    return { ...boundedCall(call), participant, session_id, reply_id, turn_reply_id };
  });
  const ids = calls.map(({ tool_call }) => tool_call.id);
  return [...withoutCalls(before, reply_id, ids), ...calls];
}

/** As a session's list of its replies shows a call that is too large. */
function boundedCall(call: PendingCall): PendingCall {
  const bytes = utf8Bytes(call.tool_call.input);
  if (bytes <= PENDING_INPUT_BYTES) return call;
  return { ...call, tool_call: { ...call.tool_call, input: "" }, omitted: { bytes } };
}

function withoutCalls(
  before: readonly RoomPending[],
  replyId: string,
  ids: readonly string[],
): readonly RoomPending[] {
  return without(
    before,
    ({ reply_id, tool_call }) => reply_id === replyId && ids.includes(tool_call.id),
  );
}

function without(
  before: readonly RoomPending[],
  isGone: (call: RoomPending) => boolean,
): readonly RoomPending[] {
  return before.some(isGone) ? before.filter((call) => !isGone(call)) : before;
}
