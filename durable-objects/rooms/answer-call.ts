// Hands an answer to the session of the participant whose reply waits, which decides about it.
import type { WrittenEvent } from "../../agent/json/complete-answer.ts";
import { accept, refuse } from "../../protocol/errors.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import type { RoomEventReceipt } from "../../protocol/rooms/conversation.ts";
import type { RoomCall } from "../api/room-api.ts";
import type { Once } from "../api/session-api.ts";
import type { OpenRoom } from "./open-room.ts";
import { participantStub } from "./participant-stub.ts";
import { shareFiles } from "./share-files.ts";

export async function answerCall(
  room: OpenRoom,
  event: WrittenEvent,
  call: RoomCall,
): Promise<Once<RoomEventReceipt>> {
  const { env, init, log } = room;
  const { reply_id } = event;
  const found = findParticipant(room, reply_id);
  if (!found) return refuse("not_found", `there is no reply ${reply_id} in this room`);
  const { name, session_id } = found;
  // Large parts of a result have become a file of the room's.
  if (event.type === "EXTERNAL_EXECUTION_RESULT") {
    await shareFiles(room, session_id, [{ content: event.execution_results as Msg["content"] }]);
  }
  // The agent goes on aloud where people are there to hear it.
  await room.floor?.prepare(name);
  const cursor = log.visibleSeq;
  const stub = participantStub(env, init.tenant_id, session_id);
  const posted = await stub.act("postEvent", event, call);
  room.note(name);
  if (!posted.ok) return posted;
  const { reply, applied } = posted.value;
  const receipt = { participant: name, reply, cursor, applied };
  return { ...accept(receipt), ...(posted.is_replayed && { is_replayed: true }) };
}

/** The participant whose reply it is, or under whose reply a called agent waits. */
function findParticipant(
  { state, messages, table }: OpenRoom,
  replyId: string,
): { readonly name: string; readonly session_id: string } | null {
  const waiting = state.pending.find(({ reply_id }) => reply_id === replyId);
  const open = state.replies.find(({ reply_id }) => reply_id === replyId);
  const name =
    waiting?.participant ?? open?.participant ?? messages.find(replyId)?.message.name ?? null;
  const session_id = name === null ? null : (table.member(name)?.session_id ?? null);
  return name !== null && session_id !== null ? { name, session_id } : null;
}
