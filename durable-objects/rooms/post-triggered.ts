// Messages of triggers: the room says them itself, as it does its announcement, and answers them with a discussion as it does a
// person's.
import { roomStatus } from "../../agent/rooms/next-steps.ts";
import type { FollowedMessage } from "../../agent/rooms/follow-message.ts";
import { accept, refuse, type Result } from "../../protocol/errors.ts";
import { UserMsg } from "../../protocol/messages/constructors.ts";
import { ROOM_MESSAGE_ADDED, ROOM_SPEAKER, roomEvent } from "../../protocol/rooms/events.ts";
import type { TriggeredDiscussion, TriggeredMessage } from "../api/triggered-room-api.ts";
import { storedSize } from "../sessions/admit-bytes.ts";
import { MAX_OPEN_TRIGGERED } from "./limits.ts";
import type { OpenRoom } from "./open-room.ts";

export async function postTriggered(
  room: OpenRoom,
  { trigger_id, id, content, metadata, mentions }: TriggeredMessage,
): Promise<Result<TriggeredDiscussion>> {
  const { log, messages, table, triggered } = room;
  const isKnown = (): boolean => triggered.read(id) !== null;
  if (!isKnown()) {
    const unknown = mentions.find((name) => !room.state.members.some((one) => one.name === name));
    if (unknown !== undefined) {
      return refuse("validation_failed", `no participant of this room is ${unknown}`);
    }
    if (triggered.open(MAX_OPEN_TRIGGERED).length >= MAX_OPEN_TRIGGERED) {
      const detail = `${MAX_OPEN_TRIGGERED} messages of triggers wait for the ends of their discussions`;
      return refuse("queue_full", detail);
    }
    // A trigger is nobody's share.
    const admitted = await room.admitBytes(storedSize(content), undefined);
    if (!admitted.ok) return admitted;
  }
  if (log.isClosed) return refuse("not_found", "there is no such room");
  if (!isKnown()) {
    if (messages.find(id)) {
      return refuse("message_conflict", `somebody else has said the message ${id} in this room`);
    }
    const message = UserMsg({ name: ROOM_SPEAKER, content, id, metadata });
    const place = { participant: null, mentions, turn_id: null };
    const value = { message, ...place, interrupts: false, announces: false };
    log.append([roomEvent(ROOM_MESSAGE_ADDED, value)], {
      isLast: true,
      write: ([event]) => {
        const position = event?.seq ?? log.lastSeq;
        messages.put({ position, reply_id: null, message, cursor: position });
        table.setAsker({});
        triggered.add({ message_id: id, trigger_id }, Date.now());
      },
    });
  }
  room.kick();
  return readTriggered(room, id);
}

/** Resolves when what it says is on disk. */
export async function readTriggered(
  room: OpenRoom,
  messageId: string,
): Promise<Result<TriggeredDiscussion>> {
  await room.log.settled();
  const message = room.triggered.read(messageId);
  if (!message) return refuse("conflict", `no trigger has said the message ${messageId} here`);
  return accept({ message, is_waiting: isWaiting(room, message) });
}

function isWaiting({ state }: OpenRoom, { discussion, end }: FollowedMessage): boolean {
  return discussion !== null && end === null && roomStatus(state) === "waiting";
}
