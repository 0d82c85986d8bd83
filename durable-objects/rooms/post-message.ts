// Messages of people: in the room's log before anybody is told.
import { accept, refuse, type Result } from "../../protocol/errors.ts";
import { isId } from "../../protocol/ids.ts";
import { UserMsg } from "../../protocol/messages/constructors.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import {
  PARTICIPANT,
  ROOM_MESSAGE_ADDED,
  ROOM_TURN_ENDED,
  roomEvent,
} from "../../protocol/rooms/events.ts";
import type { RoomInputReceipt, RoomMessageReceipt } from "../../protocol/rooms/conversation.ts";
import type { PostRoomInput, PostRoomMessage, RoomCall } from "../api/room-api.ts";
import { storedSize } from "../sessions/admit-bytes.ts";
import { isSameMessage } from "../tables/reply-input.ts";
import type { OpenRoom } from "./open-room.ts";
import type { Asker } from "./room-table.ts";

const GONE = refuse("not_found", "there is no such room");
/** A message's text that stands for a form without one. */
const VALUES = "values";

export async function postMessage(
  room: OpenRoom,
  {
    id,
    content,
    mentions = [],
    metadata = {},
    on_busy = "queue",
    usage = null,
    ...posted
  }: PostRoomMessage,
  { actor: { share }, trace }: RoomCall,
): Promise<Result<RoomMessageReceipt>> {
  const speaker = findSpeaker(room, posted.participant);
  if (!speaker.ok) return speaker;
  const unknown = findUnknown(room, mentions);
  if (unknown) return unknown;
  if (id !== undefined && (isId("rep", id) || isId("trn", id))) return refuseForm();
  const { newId, messages, log } = room;
  const admitted = await room.admitBytes(storedSize(content), share);
  if (!admitted.ok) return admitted;
  if (log.isClosed) return GONE;
  const told = said(speaker.value, { id: id ?? newId("msg"), content, metadata });
  const message = { ...told, usage };
  const known = messages.find(message.id);
  if (known) {
    if (!isSameMessage(known.message, message)) return refuseConflict(message.id);
    await log.settled();
    return accept({ message: known.message, cursor: known.position - 1, added: false });
  }
  const value = { turn_id: null, interrupts: on_busy === "interrupt", announces: false };
  const cursor = append(room, message, { mentions, ...value }, { share, trace });
  await log.settled();
  room.kick();
  return accept({ message, cursor, added: true });
}

/** The answer of a person whose turn it is. */
export async function postInput(
  room: OpenRoom,
  {
    input_request_id,
    action = "accept",
    content,
    values,
    mentions = [],
    metadata = {},
    usage = null,
    ...posted
  }: PostRoomInput,
  { share, trace }: Asker,
): Promise<Result<RoomInputReceipt>> {
  const speaker = findSpeaker(room, posted.participant);
  if (!speaker.ok) return speaker;
  const admitted = await room.admitBytes(storedSize([content, values]), share);
  if (!admitted.ok) return admitted;
  if (room.log.isClosed) return GONE;
  const { state, messages, log } = room;
  const participant = speaker.value;
  const turn = state.discussion?.turns.find(
    (open) =>
      open.participant === participant &&
      open.kind === "person" &&
      (input_request_id === undefined || open.turn_id === input_request_id),
  );
  const known = input_request_id === undefined ? null : messages.find(input_request_id);
  if (known && known.message.name === participant) {
    await log.settled();
    return accept({ message: known.message, cursor: known.position - 1, applied: false });
  }
  if (!turn || turn.ended !== null || turn.stopping !== null) {
    return refuse("conflict", `the room does not wait for ${participant}`);
  }
  const unknown = findUnknown(room, mentions);
  if (unknown) return unknown;
  const { turn_id, round } = turn;
  if (action === "decline") {
    const cursor = log.lastSeq;
    const { discussion = 0 } = state.discussion ?? {};
    const ended = { reason: "interrupted", reply_id: null, mentions: [], error: null } as const;
    const value = { turn_id, participant, discussion, round, ...ended };
    log.append([roomEvent(ROOM_TURN_ENDED, value, participant)], { isLast: true });
    await log.settled();
    room.kick();
    return accept({ message: null, cursor, applied: true });
  }
  // The turn's id is the message's: the same answer again is the same message.
  const told = said(participant, {
    id: turn_id,
    content: content ?? JSON.stringify(values ?? {}),
    metadata: values ? { ...metadata, [VALUES]: values } : metadata,
  });
  const message = { ...told, usage };
  const value = { turn_id, interrupts: false, announces: false };
  const cursor = append(room, message, { mentions, ...value }, { share, trace });
  await log.settled();
  room.kick();
  return accept({ message, cursor, applied: true });
}

interface Saying {
  readonly mentions: readonly string[];
  readonly turn_id: string | null;
  readonly interrupts: boolean;
  readonly announces: boolean;
}

/** @returns the position before it. */
function append(
  { log, messages, table }: OpenRoom,
  message: Msg,
  value: Saying,
  asker: Asker,
): number {
  const { name: participant } = message;
  const cursor = log.lastSeq;
  log.append([roomEvent(ROOM_MESSAGE_ADDED, { message, participant, ...value }, participant)], {
    isLast: true,
    write: ([event]) => {
      const position = event?.seq ?? log.lastSeq;
      messages.put({ position, reply_id: null, message, cursor: position });
      table.setAsker(asker);
    },
  });
  return cursor;
}

function said(
  participant: string,
  {
    id,
    content,
    metadata,
  }: Pick<PostRoomMessage, "content" | "metadata"> & { readonly id: string },
): Msg {
  return UserMsg({
    name: participant,
    content,
    id,
    metadata: { ...metadata, [PARTICIPANT]: participant },
  });
}

/** The person who speaks: the one who is named, or the only one. */
export function findSpeaker({ state }: OpenRoom, name: string | undefined): Result<string> {
  const people = state.members.filter(({ kind }) => kind === "person");
  const [only, ...others] = people;
  if (name === undefined) {
    if (only && others.length === 0) return accept(only.name);
    const detail = `the room has ${people.length} people: say in \`participant\` who speaks`;
    return refuse("validation_failed", detail, { errors: [{ pointer: "#/participant", detail }] });
  }
  if (people.some((person) => person.name === name)) return accept(name);
  const detail = `no person of this room is ${name}`;
  return refuse("validation_failed", detail, { errors: [{ pointer: "#/participant", detail }] });
}

function findUnknown({ state }: OpenRoom, mentions: readonly string[]): Result<never> | null {
  const index = mentions.findIndex((name) => !state.members.some((member) => member.name === name));
  if (index < 0) return null;
  const detail = `no participant of this room is ${mentions[index]}`;
  return refuse("validation_failed", detail, {
    errors: [{ pointer: `#/mentions/${index}`, detail }],
  });
}

/** Messages have the ids of their replies, and of the turns that they answer: another one would take their place. */
function refuseForm(): Result<never> {
  const detail =
    "ids that begin with rep_ and trn_ are the platform's own; give the message another one";
  return refuse("validation_failed", detail, { errors: [{ pointer: "#/id", detail }] });
}

function refuseConflict(id: string): Result<never> {
  const detail = `message ${id} is in this room with other content; give a new message a new id`;
  return refuse("message_conflict", detail, { errors: [{ pointer: "#/id", detail }] });
}
