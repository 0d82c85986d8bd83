// The WebSockets of a room, as a session has them; its alarm is one for all that is due.
import type { RoomInit } from "../api/room-api.ts";
import { parseVoiceUrl } from "../api/voice-request.ts";
import { answerClose, closeAllSockets } from "../sockets/close-sockets.ts";
import { EventSockets, type EventSource } from "../sockets/event-sockets.ts";
import { HeldSockets, type SocketOwner } from "../sockets/held-sockets.ts";
import { attachmentOf, openSockets } from "../sockets/socket-attachment.ts";
import { findCredential } from "../streams/find-credential.ts";
import { releaseSocketsOf } from "../tenants/socket-lease.ts";
import type { AssembledRoom } from "./assemble-room.ts";
import type { RoomFloor } from "./open-room.ts";
import { openRoomStream } from "./read-room.ts";
import { RoomVoice } from "./room-voice.ts";

export class RoomSockets {
  readonly #state: DurableObjectState;
  readonly #readers: EventSockets;
  readonly #held: HeldSockets;
  readonly #voice: RoomVoice;
  /** Gives back what they held of the tenant's object, where the room cannot be read. */
  readonly #releaseUnread: () => Promise<void>;
  #dueMs: number | null = null;

  constructor(state: DurableObjectState, env: Pick<Env, "TENANT">) {
    this.#state = state;
    this.#readers = new EventSockets(state);
    this.#held = new HeldSockets(state);
    this.#voice = new RoomVoice(state);
    this.#releaseUnread = () => releaseSocketsOf(env, state.id.name ?? "");
  }

  /** Whether there is something to settle: one that is open, or was when a credential's end was last looked for. */
  get areHeld(): boolean {
    return this.#dueMs !== null || openSockets(this.#state).length > 0;
  }

  /** When the next credential of a socket expires, or a voice connection ends, in Unix milliseconds; null for none. */
  dueMs(init: RoomInit): number | null {
    const dues = [this.#dueMs, this.#voice.dueMs(init)].filter((time) => time !== null);
    return dues.length === 0 ? null : Math.min(...dues);
  }

  /** Null while nobody is connected to be heard. */
  get floor(): RoomFloor | null {
    return this.#voice.floor;
  }

  /** The answer to an upgrade. @param url Of `StreamRequest`, or of a person's `VoiceOpening`. */
  open(room: AssembledRoom, url: string): Promise<Response> {
    const voice = parseVoiceUrl(url);
    return this.#held.open(this.#ownerOf(room), async () =>
      voice ? this.#voice.accept(room, voice) : this.#readers.open(url, sourceOf(room)),
    );
  }

  /** Goes on with the sockets that the object's last incarnation has left, in the background. */
  resume(room: AssembledRoom): void {
    if (openSockets(this.#state).length === 0) return;
    this.#voice.resume(room);
    void this.#readers.resume(sourceOf(room));
    void this.settle(room);
  }

  /** @param room Null where there is none any more. */
  heard(socket: WebSocket, message: string | ArrayBuffer, room: AssembledRoom | null): void {
    if (attachmentOf(socket)?.kind !== "voice") this.#readers.heard(socket, message);
    else if (room) this.#voice.heard(room, socket, message);
  }

  /** @param room Null where there is none any more. */
  async left(socket: WebSocket, room: AssembledRoom | null): Promise<void> {
    this.#readers.left(socket);
    this.#voice.left(socket);
    answerClose(socket);
    if (room) await this.settle(room);
  }

  /** Closes those whose credential has expired, and tells the tenant's object when none are left. */
  settle(room: AssembledRoom): Promise<void> {
    this.#voice.expire(room.init);
    return this.#held.settle(this.#ownerOf(room));
  }

  /** The room is erased. @param room Null where it cannot be read. */
  async closeAll(room: AssembledRoom | null): Promise<void> {
    this.#voice.close();
    if (!closeAllSockets(this.#state, "not_found")) return;
    await (room ? room.socketLease.release() : this.#releaseUnread());
  }

  #ownerOf(room: AssembledRoom): SocketOwner {
    return {
      lease: room.socketLease,
      arm: (dueMs) => {
        this.#dueMs = dueMs;
        room.arm();
      },
      isClosed: () => room.log.isClosed,
    };
  }
}

function sourceOf(room: AssembledRoom): EventSource {
  return {
    findCredential: (request) => findCredential(room, request),
    openStream: (request, socket) => openRoomStream(room, request, socket),
  };
}
