// The voice connections of a room's people: accepts them, hands their frames on, and makes what drives them, also behind a sleep.
import { VOICE_START_MS } from "../../protocol/voice/limits.ts";
import { refuse } from "../../protocol/errors.ts";
import type { RoomVoice as VoiceOfRoom } from "../../protocol/rooms/voice.ts";
import { TRANSCRIPTION_RATE } from "../../model/voice/rates.ts";
import { refusalResponse } from "../api/stream-request.ts";
import type { RoomInit } from "../api/room-api.ts";
import type { VoiceOpening } from "../api/voice-request.ts";
import { acceptSocket } from "../sockets/accept-socket.ts";
import { closeIfExpired, closeSocket } from "../sockets/close-sockets.ts";
import { attachmentOf, isOpen, openSockets } from "../sockets/socket-attachment.ts";
import { findCredential } from "../streams/find-credential.ts";
import { turnsOf } from "../voice/open-provider.ts";
import { startVoice } from "../voice/start-voice.ts";
import type { StartedVoice } from "../voice/voice-attachment.ts";
import { VoiceClient } from "../voice/voice-client.ts";
import type { OpenRoom } from "./open-room.ts";
import { findSpeaker } from "./post-message.ts";
import { ROOM_RATE } from "./agent-line.ts";
import { noteOpened } from "./note-opened.ts";
import type { Person } from "./person.ts";
import { PersonCredit } from "./person-credit.ts";
import { PersonEar } from "./person-ear.ts";
import { takePersonFrame } from "./person-frames.ts";
import type { PersonAttachment } from "./room-attachment.ts";
import { SpokenRoom } from "./spoken-room.ts";

const LATE = {
  code: "connection_expired",
  detail: "the first frame, `start`, did not come",
} as const;
const OVER = {
  code: "connection_expired",
  detail: "a voice connection of this room lasts no longer",
} as const;
const REPLACED = {
  code: "voice_connected",
  detail: "a newer connection of this person has taken its place",
} as const;
const NO_VOICE = refuse(
  "voice_off",
  "the room has no voice: open one with a member `voice`, whose agents have voices",
);
const SECOND_MS = 1_000;
const RATES = { input: TRANSCRIPTION_RATE, output: ROOM_RATE };

type StartedAttachment = PersonAttachment & { readonly started: StartedVoice };

export class RoomVoice {
  readonly #ctx: DurableObjectState;
  /** Sockets whose first frame is awaited. */
  readonly #starting = new Map<WebSocket, ReturnType<typeof setTimeout>>();
  #spoken: SpokenRoom | null = null;

  constructor(ctx: DurableObjectState) {
    this.#ctx = ctx;
  }

  /** Null while nobody is connected. */
  get floor(): SpokenRoom | null {
    return this.#spoken;
  }

  /** The answer to an upgrade: 101, or a refusal. */
  accept(room: OpenRoom, opening: VoiceOpening): Response {
    const { actor, rights, reader } = opening;
    if (!room.init.voice) return refusalResponse(NO_VOICE.refusal);
    const speaker = findSpeaker(room, opening.participant);
    if (!speaker.ok) return refusalResponse(speaker.refusal);
    const { tokens, subscribers } = room;
    const { token_id: tokenId = null, key_id, key_expires_at } = reader;
    const expiresAtMs = key_expires_at === undefined ? null : Date.parse(key_expires_at);
    const key = key_id === undefined ? null : { id: key_id, expiresAtMs };
    const credential = findCredential({ tokens, subscribers }, { tokenId, key });
    if (!credential.ok) return refusalResponse(credential.refusal);
    const participant = speaker.value;
    for (const other of this.#socketsOf(participant)) {
      if (!attachmentOf<PersonAttachment>(other)?.started) closeSocket(other, REPLACED);
    }
    const attachment: PersonAttachment = {
      kind: "voice",
      credential: credential.value,
      actor,
      rights,
      participant,
      started: null,
    };
    const { socket, response } = acceptSocket(this.#ctx, attachment);
    this.#starting.set(
      socket,
      setTimeout(() => closeSocket(socket, LATE), VOICE_START_MS),
    );
    return response;
  }

  /** Goes on with the connections that an earlier incarnation of the object has left. Contract: never throws. */
  resume(room: OpenRoom): void {
    for (const socket of this.#sockets()) {
      const attachment = attachmentOf<PersonAttachment>(socket);
      try {
        if (attachment?.started) this.#join(room, socket, attachment as StartedAttachment, true);
        else closeSocket(socket, LATE);
      } catch (error) {
        console.error("a room's voice connection cannot go on", { error: String(error) });
        closeSocket(socket, { code: "unavailable", detail: "start a new one" });
      }
    }
  }

  /** A frame of a person. */
  heard(room: OpenRoom, socket: WebSocket, message: string | ArrayBuffer): void {
    const attachment = attachmentOf<PersonAttachment>(socket);
    if (!attachment || !isOpen(socket)) return;
    if (closeIfExpired(socket, Date.now())) return this.left(socket);
    if (!attachment.started) return this.#start(room, socket, attachment, message);
    const overMs = endMs(room.init, socket);
    if (overMs !== null && Date.now() >= overMs) return this.#endOver(socket);
    const person = this.#spoken?.personOf(socket);
    if (!this.#spoken || !person) return closeSocket(socket, REPLACED);
    takePersonFrame({ room, taker: this.#spoken, person }, message);
  }

  /** The socket has closed, or is being closed: its peer may never answer that. */
  left(socket: WebSocket): void {
    this.#endStarting(socket);
    const person = this.#spoken?.personOf(socket);
    if (person) this.#spoken?.leave(person);
    this.#release();
  }

  /** When the next connection has lasted for long enough; null for none. */
  dueMs(init: RoomInit): number | null {
    const ends = this.#sockets().flatMap((socket) => endMs(init, socket) ?? []);
    return ends.length === 0 ? null : Math.min(...ends);
  }

  expire(init: RoomInit): void {
    const nowMs = Date.now();
    for (const socket of this.#sockets()) {
      const overMs = endMs(init, socket);
      if (closeIfExpired(socket, nowMs)) this.left(socket);
      else if (overMs !== null && nowMs >= overMs) this.#endOver(socket);
    }
  }

  #endOver(socket: WebSocket): void {
    closeSocket(socket, OVER);
    this.left(socket);
  }

  /** The room is being removed. */
  close(): void {
    const spoken = this.#spoken;
    // Whatever goes on without it finds no floor.
    this.#spoken = null;
    spoken?.dispose();
  }

  #start(
    room: OpenRoom,
    socket: WebSocket,
    attachment: PersonAttachment,
    message: string | ArrayBuffer,
  ): void {
    this.#endStarting(socket);
    const { voice } = room.init;
    if (!voice) return closeSocket(socket, NO_VOICE.refusal);
    const started = startVoice(room, { voice, attachment, message });
    if (!started.ok) return closeSocket(socket, started.refusal);
    const begun = { ...attachment, started: started.value.voice };
    socket.serializeAttachment(begun);
    socket.send(JSON.stringify(started.value.frame));
    room.inBackground(noteOpened(room, begun));
    this.#join(room, socket, begun, false);
    room.arm();
  }

  #join(
    room: OpenRoom,
    socket: WebSocket,
    attachment: StartedAttachment,
    isRestored: boolean,
  ): void {
    const { voice } = room.init;
    if (!voice) return closeSocket(socket, NO_VOICE.refusal);
    const { participant, actor, rights, started } = attachment;
    const spoken = this.#spokenOf(room, voice, started.next_item);
    for (const other of this.#socketsOf(participant)) {
      if (other !== socket) closeSocket(other, REPLACED);
    }
    const client = new VoiceClient(socket, attachment, RATES);
    const ear = new PersonEar({
      turns: started.turns === "manual" ? null : turnsOf(voice),
      rate: TRANSCRIPTION_RATE,
      began: () => spoken.heardBegin(participant),
      ended: (audio) => spoken.heardEnd(participant, audio),
    });
    const person: Person = { participant, actor, rights, client, ear, credit: new PersonCredit() };
    spoken.join(person);
    // Behind a sleep the next turn opens its own line.
    if (!isRestored) spoken.connect();
    client.follow(room, attachment, () => this.left(socket));
  }

  #spokenOf(room: OpenRoom, voice: VoiceOfRoom, nextItem: number): SpokenRoom {
    const idleMs = voice.idle_seconds * SECOND_MS;
    this.#spoken ??= new SpokenRoom({ room, idleMs, nextItem });
    return this.#spoken;
  }

  #release(): void {
    if (this.#spoken?.isEmpty) this.close();
  }

  /** An object with a timer does not sleep. */
  #endStarting(socket: WebSocket): void {
    clearTimeout(this.#starting.get(socket));
    this.#starting.delete(socket);
  }

  #sockets(): readonly WebSocket[] {
    return openSockets(this.#ctx, "voice");
  }

  #socketsOf(participant: string): readonly WebSocket[] {
    return this.#sockets().filter(
      (socket) => attachmentOf<PersonAttachment>(socket)?.participant === participant,
    );
  }
}

function endMs({ voice }: RoomInit, socket: WebSocket): number | null {
  const started = attachmentOf<PersonAttachment>(socket)?.started;
  return started && voice ? started.since_ms + voice.max_seconds * SECOND_MS : null;
}
