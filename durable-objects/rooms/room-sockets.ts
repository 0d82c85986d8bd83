// The WebSockets of a room, as a session has them; its alarm is one for all that is due.
import type { SocketState } from "../sockets/accept-socket.ts";
import { answerClose, closeAllSockets } from "../sockets/close-sockets.ts";
import { EventSockets, type EventSource } from "../sockets/event-sockets.ts";
import { HeldSockets, type SocketOwner } from "../sockets/held-sockets.ts";
import { openSockets } from "../sockets/socket-attachment.ts";
import { findCredential } from "../streams/find-credential.ts";
import { releaseSocketsOf } from "../tenants/socket-lease.ts";
import type { AssembledRoom } from "./assemble-room.ts";
import { openRoomStream } from "./read-room.ts";

export class RoomSockets {
  readonly #state: SocketState;
  readonly #readers: EventSockets;
  readonly #held: HeldSockets;
  /** Gives back what they held of the tenant's object, where the room cannot be read. */
  readonly #releaseUnread: () => Promise<void>;
  #dueMs: number | null = null;

  constructor(state: SocketState & Pick<DurableObjectState, "id">, env: Pick<Env, "TENANT">) {
    this.#state = state;
    this.#readers = new EventSockets(state);
    this.#held = new HeldSockets(state);
    this.#releaseUnread = () => releaseSocketsOf(env, state.id.name ?? "");
  }

  /** Whether there is something to settle: one that is open, or was when a credential's end was last looked for. */
  get areHeld(): boolean {
    return this.#dueMs !== null || openSockets(this.#state).length > 0;
  }

  /** When the next credential of a socket expires, in Unix milliseconds; null for none. */
  get dueMs(): number | null {
    return this.#dueMs;
  }

  /** The answer to an upgrade. @param url Of `StreamRequest`. */
  open(room: AssembledRoom, url: string): Promise<Response> {
    return this.#held.open(this.#ownerOf(room), () => this.#readers.open(url, sourceOf(room)));
  }

  /** Goes on with the sockets that the object's last incarnation has left, in the background. */
  resume(room: AssembledRoom): void {
    if (openSockets(this.#state).length === 0) return;
    void this.#readers.resume(sourceOf(room));
    void this.settle(room);
  }

  heard(socket: WebSocket, message: string | ArrayBuffer): void {
    this.#readers.heard(socket, message);
  }

  /** @param room Null where there is none any more. */
  async left(socket: WebSocket, room: AssembledRoom | null): Promise<void> {
    this.#readers.left(socket);
    answerClose(socket);
    if (room) await this.settle(room);
  }

  /** Closes those whose credential has expired, and tells the tenant's object when none are left. */
  settle(room: AssembledRoom): Promise<void> {
    return this.#held.settle(this.#ownerOf(room));
  }

  /** The room is erased. @param room Null where it cannot be read. */
  async closeAll(room: AssembledRoom | null): Promise<void> {
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
