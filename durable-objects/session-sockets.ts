// The WebSockets of a session: what they need of it, and how they go on in an object that was woken.
import { answerClose, closeAllSockets, type SocketHolder } from "./sockets/close-sockets.ts";
import type { VoiceOpening } from "./api/voice-request.ts";
import { EventSockets, type EventSource } from "./sockets/event-sockets.ts";
import { HeldSockets, type SocketOwner } from "./sockets/held-sockets.ts";
import { attachmentOf, openSockets } from "./sockets/socket-attachment.ts";
import { findCredential } from "./streams/find-credential.ts";
import { openSocketStream } from "./open-stream.ts";
import type { OpenSession } from "./sessions/open-session.ts";
import { releaseSocketsOf } from "./tenants/socket-lease.ts";
import { SOCKETS } from "./tables/timers.ts";
import { SessionVoice } from "./voice/session-voice.ts";

export class SessionSockets {
  readonly #holder: SocketHolder;
  /** Gives back what they held of the tenant's object, where the session cannot be read. */
  readonly #releaseUnread: () => Promise<void>;
  readonly #readers: EventSockets;
  readonly #held: HeldSockets;
  readonly #voice: SessionVoice;

  constructor(state: DurableObjectState, env: Env) {
    this.#holder = state;
    this.#releaseUnread = () => releaseSocketsOf(env, state.id.name ?? "");
    this.#readers = new EventSockets(state);
    this.#held = new HeldSockets(state);
    this.#voice = new SessionVoice(state, env);
  }

  /** The answer to the upgrade of a reader of events. @param url Of `StreamRequest`. */
  openReader(session: OpenSession, url: string): Promise<Response> {
    const open = () => this.#readers.open(url, sourceOf(session));
    return this.#held.open(ownerOf(session), open);
  }

  /** The answer to the upgrade of a voice connection. */
  openVoice(session: OpenSession, opening: VoiceOpening): Promise<Response> {
    const open = async () => this.#voice.accept(session, opening);
    return this.#held.open(ownerOf(session), open);
  }

  /** Goes on with the sockets that the object's last incarnation has left, in the background. */
  resume(session: OpenSession): void {
    if (openSockets(this.#holder).length === 0) return;
    this.#voice.resume(session);
    void this.#readers.resume(sourceOf(session));
  }

  /** @param session Null where there is none any more. */
  heard(socket: WebSocket, message: string | ArrayBuffer, session: OpenSession | null): void {
    if (attachmentOf(socket)?.kind !== "voice") this.#readers.heard(socket, message);
    else if (session) this.#voice.heard(session, socket, message);
  }

  /** @param session Null where there is none any more. */
  async left(socket: WebSocket, session: OpenSession | null): Promise<void> {
    this.#readers.left(socket);
    this.#voice.left(socket);
    answerClose(socket);
    if (session) await this.settle(session);
  }

  /** Closes those whose credential has expired, and tells the tenant's object when none are left. */
  settle(session: OpenSession): Promise<void> {
    return this.#held.settle(ownerOf(session));
  }

  get areOpen(): boolean {
    return openSockets(this.#holder).length > 0;
  }

  /**
   * The session is erased. @param session Null where it cannot be read. @param wereOpen Before its log was closed, with which
   * readers close theirs.
   */
  async closeAll(session: OpenSession | null, wereOpen: boolean): Promise<void> {
    this.#voice.close();
    closeAllSockets(this.#holder, "not_found");
    if (!wereOpen) return;
    await (session ? session.tenant.sockets.release() : this.#releaseUnread());
  }
}

function ownerOf({ tenant, tables: { timers }, log }: OpenSession): SocketOwner {
  return {
    lease: tenant.sockets,
    arm(dueMs) {
      if (dueMs === null) timers.clear(SOCKETS);
      // One that is due has rung; one that is due sooner rings in vain.
      else if (timers.isDue(SOCKETS, Date.now())) timers.set(SOCKETS, dueMs);
      else timers.setBy(SOCKETS, dueMs);
    },
    isClosed: () => log.isClosed,
  };
}

function sourceOf(session: OpenSession): EventSource {
  const { tables, subscribers } = session;
  return {
    findCredential: (request) => findCredential({ tokens: tables.tokens, subscribers }, request),
    openStream: (request, socket) => openSocketStream(session, request, socket),
  };
}
