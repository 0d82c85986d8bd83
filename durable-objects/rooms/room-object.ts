// The Durable Object of one room. It orders: its log has what all participants say, each of whom is a session of its own.
import { DurableObject } from "cloudflare:workers";

import type { WrittenEvent } from "../../agent/json/complete-answer.ts";
import { accept, refuse, type Refusal, type Result } from "../../protocol/errors.ts";
import type { Room } from "../../protocol/rooms/contract.ts";
import type {
  RoomEventReceipt,
  RoomInputReceipt,
  RoomInterrupt,
  RoomInterruptResult,
  RoomMessageReceipt,
} from "../../protocol/rooms/conversation.ts";
import type { ParticipantCreate } from "../../protocol/rooms/participants.ts";
import type { MintedRoomToken } from "../../protocol/rooms/room-tokens.ts";
import type { Page } from "../../protocol/schemas/common.ts";
import type { PageRequest } from "../api/page-requests.ts";
import { parseReadUrl } from "../api/read-request.ts";
import type {
  PostRoomInput,
  PostRoomMessage,
  PutRoomState,
  RoomApi,
  RoomCall,
  RoomInit,
  RoomNote,
  RoomPatch,
  RoomTokenRecord,
} from "../api/room-api.ts";
import type { Once } from "../api/session-api.ts";
import { refusalResponse } from "../api/stream-request.ts";
import type { TenantNotification } from "../api/tenant-api.ts";
import type { TriggeredDiscussion, TriggeredMessage } from "../api/triggered-room-api.ts";
import { MonotonicIds } from "../log/monotonic-ids.ts";
import { answerCall } from "./answer-call.ts";
import { assembleRoom, type AssembledRoom } from "./assemble-room.ts";
import { beginLog, openSessions, writeRoom } from "./create-room.ts";
import { eraseEndUser } from "./erase-person.ts";
import { interruptRoom } from "./interrupt-room.ts";
import { ROOM_WATCH_MS } from "./limits.ts";
import { notifyRoom } from "./notify-room.ts";
import { postInput, postMessage } from "./post-message.ts";
import { postTriggered, readTriggered } from "./post-triggered.ts";
import { readRoomResponse, streamRoom } from "./read-room.ts";
import { addParticipant, leaveRoom } from "./room-members.ts";
import { importRoom, removeSpares } from "./room-state.ts";
import { RoomTable } from "./room-table.ts";
import { RoomSockets } from "./room-sockets.ts";
import { addToken, listTokens, revokeToken } from "./room-tokens.ts";
import { settleRemoval } from "./settle-removal.ts";
import { updateRoom } from "./update-room.ts";
import { viewRoom } from "./view-room.ts";

const NOT_FOUND: { ok: false; refusal: Refusal } = refuse("not_found", "there is no such room");

const UNREADABLE: { ok: false; refusal: Refusal } = refuse(
  "session_unreadable",
  "what is stored of this room cannot be read; it can be deleted",
);

export class RoomObject extends DurableObject<Env> implements RoomApi {
  #table: RoomTable;
  #room: AssembledRoom | null = null;
  /** The stored room cannot be opened. */
  #isUnreadable = false;
  #creating: Promise<Result<null>> | null = null;
  #removing: Promise<void> | null = null;
  readonly #sockets: RoomSockets;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#sockets = new RoomSockets(ctx, env);
    this.#table = new RoomTable(ctx.storage.sql);
    // Work that an earlier incarnation has left under way goes on.
    this.#open()?.engine.resume();
  }

  async create(init: RoomInit): Promise<Result<Room>> {
    const { init: held, phase } = this.#table;
    if (phase === "closing" || this.#removing) return NOT_FOUND;
    if (held && held.room_id !== init.room_id) {
      return refuse("conflict", "this object holds another room");
    }
    if (!held) {
      const ids = new MonotonicIds();
      writeRoom(this.ctx.storage, this.#table, { init, newId: (prefix) => ids.next(prefix) });
    }
    if (!this.#room) {
      this.#creating ??= this.#create().finally(() => (this.#creating = null));
      const created = await this.#creating;
      if (!created.ok) return created;
    }
    return this.read();
  }

  async #create(): Promise<Result<null>> {
    const { init } = this.#table;
    if (!init) return NOT_FOUND;
    const opened = await openSessions(this.env, this.#table);
    if (!opened.ok) {
      await this.#remove();
      return opened;
    }
    if (this.#table.phase === "closing") return NOT_FOUND;
    const room = this.#assemble(init);
    beginLog(room);
    this.#room = room;
    await room.log.settled();
    room.kick();
    return accept(null);
  }

  read(): Promise<Result<Room>> {
    return this.#act(async (room) => {
      await room.log.settled();
      return accept(viewRoom(room));
    });
  }

  update(patch: RoomPatch): Promise<Result<Room>> {
    return this.#act((room) => updateRoom(room, patch));
  }

  async remove(): Promise<Result<null>> {
    if (!this.#table.init) return NOT_FOUND;
    await this.#remove();
    return accept(null);
  }

  postMessage(message: PostRoomMessage, call: RoomCall): Promise<Result<RoomMessageReceipt>> {
    return this.#act((room) => postMessage(room, message, call));
  }

  postEvent(event: WrittenEvent, call: RoomCall): Promise<Once<RoomEventReceipt>> {
    return this.#act((room) => answerCall(room, event, call));
  }

  interrupt(interrupt: RoomInterrupt): Promise<Result<RoomInterruptResult>> {
    return this.#act((room) => interruptRoom(room, interrupt));
  }

  addParticipant(added: ParticipantCreate): Promise<Result<Room>> {
    return this.#act((room) => addParticipant(room, added));
  }

  removeParticipant(name: string): Promise<Result<Room>> {
    return this.#act((room) => leaveRoom(room, name));
  }

  postInput(input: PostRoomInput, call?: RoomCall): Promise<Result<RoomInputReceipt>> {
    return this.#act((room) =>
      postInput(room, input, { share: call?.actor.share, trace: call?.trace }),
    );
  }

  postTriggered(message: TriggeredMessage): Promise<Result<TriggeredDiscussion>> {
    return this.#act((room) => postTriggered(room, message));
  }

  readTriggered(messageId: string): Promise<Result<TriggeredDiscussion>> {
    return this.#act((room) => readTriggered(room, messageId));
  }

  addToken(token: RoomTokenRecord): Promise<Result<RoomTokenRecord>> {
    return this.#act((room) => addToken(room, token));
  }

  listTokens(request: PageRequest): Promise<Result<Page<MintedRoomToken>>> {
    return this.#act((room) => listTokens(room, request));
  }

  revokeToken(tokenId: string): Promise<Result<null>> {
    return this.#act((room) => revokeToken(room, tokenId));
  }

  admitsToken(tokenId: string): Promise<boolean> {
    const expiresAt = this.#open()?.tokens.findExpiry(tokenId, Date.now()) ?? null;
    return Promise.resolve(expiresAt !== null);
  }

  putState(put: PutRoomState, call: RoomCall): Promise<Result<Room>> {
    return this.#act((room) => importRoom(room, put, call));
  }

  eraseEndUser(endUserId: string): Promise<Result<null>> {
    return this.#act((room) => eraseEndUser(room, endUserId));
  }

  notify(notification: TenantNotification): Promise<void> {
    const room = this.#open();
    if (!room) return Promise.resolve();
    notifyRoom(room, notification);
    if (notification.has_sockets) this.ctx.waitUntil(this.#sockets.settle(room));
    return Promise.resolve();
  }

  noteRoom({ session_id, seq = Infinity }: RoomNote): Promise<void> {
    const room = this.#open();
    const member = room?.table.ofSession(session_id);
    if (room && member && member.copied_seq < seq) room.note(member.name);
    return Promise.resolve();
  }

  /** Streams, and answers of any size; everything else is RPC. */
  override async fetch(request: Request): Promise<Response> {
    const { url } = request;
    const room = this.#open();
    if (!room) return refusalResponse(NOT_FOUND.refusal);
    if (request.headers.has("Upgrade")) return this.#sockets.open(room, url);
    const read = parseReadUrl(url);
    return read ? readRoomResponse(room, read) : streamRoom(room, url);
  }

  override async webSocketMessage(socket: WebSocket, message: string | ArrayBuffer): Promise<void> {
    this.#sockets.heard(socket, message, this.#open());
  }

  override async webSocketClose(socket: WebSocket): Promise<void> {
    await this.#sockets.left(socket, this.#open());
  }

  override async webSocketError(socket: WebSocket): Promise<void> {
    await this.#sockets.left(socket, this.#open());
  }

  override async alarm(): Promise<void> {
    const { init, phase } = this.#table;
    if (!init) return;
    if (phase === "open") {
      const room = this.#open();
      if (!room) return;
      if (this.#sockets.areHeld) this.ctx.waitUntil(this.#sockets.settle(room));
      room.arm();
      await removeSpares(room);
      return room.engine.resume();
    }
    // A room whose request has failed before all its sessions were there, or that is being deleted.
    await this.ctx.storage.setAlarm(Date.now() + ROOM_WATCH_MS);
    if (!this.#creating) await this.#remove();
  }

  /** Null unless it is open, and can be read. */
  #open(): AssembledRoom | null {
    const { init, phase } = this.#table;
    if (!init || phase !== "open") return null;
    try {
      if (this.#room) return this.#room;
      this.#room = this.#assemble(init);
      this.#sockets.resume(this.#room);
    } catch (error) {
      console.error("a stored room cannot be read", { error: String(error) });
      this.#isUnreadable = true;
    }
    return this.#room;
  }

  #assemble(init: RoomInit): AssembledRoom {
    return assembleRoom(this.ctx, this.env, {
      table: this.#table,
      init,
      socketsDueMs: () => this.#sockets.dueMs(init),
      floor: () => this.#sockets.floor,
    });
  }

  async #act<Value>(
    act: (room: AssembledRoom) => Result<Value> | Promise<Result<Value>>,
  ): Promise<Result<Value>> {
    const room = this.#open();
    if (room) return act(room);
    return this.#isUnreadable ? UNREADABLE : NOT_FOUND;
  }

  #remove(): Promise<void> {
    this.#removing ??= this.#removeAll().finally(() => (this.#removing = null));
    return this.#removing;
  }

  /** The sessions first: as long as one is left, the room knows of it. */
  async #removeAll(): Promise<void> {
    const { storage } = this.ctx;
    const { init } = this.#table;
    if (!init) return;
    storage.transactionSync(() => {
      this.#table.setPhase("closing");
      storage.setAlarm(Date.now() + ROOM_WATCH_MS).catch(() => undefined);
    });
    await storage.sync();
    await this.#sockets.closeAll(this.#room);
    this.#room?.subscribers.cutAll("not_found");
    this.#room?.log.close();
    const { env } = this;
    await settleRemoval({ env, sql: storage.sql, table: this.#table, init, room: this.#room });
    await storage.deleteAll();
    this.#room = null;
    this.#isUnreadable = false;
    this.#table = new RoomTable(storage.sql);
  }
}
