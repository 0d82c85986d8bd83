// The voice connections of a session's object: accepts them, hands their frames on, and makes what drives them, also behind a
// sleep. The newest ones that have started are the session's, as many as the agent allows.
import { isSameJson } from "../../agent/json/is-same-json.ts";
import type { RealtimeConnection } from "../../protocol/dialects/realtime/server-events.ts";
import { REALTIME_FORMAT } from "../../protocol/voice/formats.ts";
import { DEFAULT_VOICE_CONNECTIONS, VOICE_START_MS } from "../../protocol/voice/limits.ts";
import type { VoiceSettings } from "../../protocol/voice/contract.ts";
import { refuseInRoom } from "../acts/rooms.ts";
import { refusalResponse } from "../api/stream-request.ts";
import type { VoiceOpening } from "../api/voice-request.ts";
import type { OpenSession } from "../sessions/open-session.ts";
import { acceptSocket } from "../sockets/accept-socket.ts";
import { closeIfExpired, closeSocket } from "../sockets/close-sockets.ts";
import { attachmentOf, isOpen, openSockets } from "../sockets/socket-attachment.ts";
import { findCredential } from "../streams/find-credential.ts";
import { describeVoice } from "./open-provider.ts";
import { OpenedNotes } from "./note-opened.ts";
import { voiceOf } from "./refuse-voice.ts";
import { startVoice } from "./start-voice.ts";
import { takeFrame } from "./take-frame.ts";
import { REALTIME_START, RealtimeLine } from "./realtime-line.ts";
import type { StartedVoice, VoiceAttachment } from "./voice-attachment.ts";
import { VoiceClient } from "./voice-client.ts";
import { VoiceDriver } from "./voice-driver.ts";

interface Driven {
  readonly session: OpenSession;
  readonly voice: VoiceSettings;
  readonly driver: VoiceDriver;
}

const LATE = {
  code: "connection_expired",
  detail: "the first frame, `start`, did not come",
} as const;
const REPLACED = {
  code: "voice_connected",
  detail: "a newer connection of this session has taken its place",
} as const;
const BROKEN = {
  code: "unavailable",
  detail: "the connection could not go on; start a new one",
} as const;

export class SessionVoice {
  readonly #ctx: DurableObjectState;
  readonly #env: Env;
  /** Sockets whose first frame is awaited. */
  readonly #starting = new Map<WebSocket, ReturnType<typeof setTimeout>>();
  readonly #opened = new OpenedNotes();
  #driven: Driven | null = null;

  constructor(ctx: DurableObjectState, env: Env) {
    this.#ctx = ctx;
    this.#env = env;
  }

  /** The answer to an upgrade: 101, or a refusal. */
  accept(session: OpenSession, opening: VoiceOpening): Response {
    const { actor, rights, reader, by_room, format } = opening;
    const refused = by_room ? null : refuseInRoom(session, "startReply");
    if (refused && !refused.ok) return refusalResponse(refused.refusal);
    const voice = voiceOf(session.init);
    if (!voice.ok) return refusalResponse(voice.refusal);
    const { tables, subscribers } = session;
    const { token_id: tokenId = null, key_id, key_expires_at } = reader;
    const expiresAtMs = key_expires_at === undefined ? null : Date.parse(key_expires_at);
    const key = key_id === undefined ? null : { id: key_id, expiresAtMs };
    const credential = findCredential({ tokens: tables.tokens, subscribers }, { tokenId, key });
    if (!credential.ok) return refusalResponse(credential.refusal);
    // Sockets that have not started yet are replaced now, not when a newer one starts.
    const { connections: most = DEFAULT_VOICE_CONNECTIONS } = voice.value;
    const waiting = this.#sockets().filter((other) => !startedOf(other));
    const surplus = Math.max(0, waiting.length + 1 - most);
    for (const other of waiting.slice(0, surplus)) closeSocket(other, REPLACED);
    const attachment: VoiceAttachment = {
      kind: "voice",
      credential: credential.value,
      actor,
      rights,
      ...(by_room && { by_room }),
      ...(format === REALTIME_FORMAT && { realtime: realtimeOf(session) }),
      started: null,
    };
    const { socket, response } = acceptSocket(this.#ctx, attachment);
    if (attachment.realtime) {
      this.#start(session, socket, { attachment, message: REALTIME_START });
      return response;
    }
    const close = () => closeSocket(socket, LATE);
    this.#starting.set(socket, setTimeout(close, VOICE_START_MS));
    return response;
  }

  /**
   * Goes on with the connection that an earlier incarnation of the object has left. Before replies are taken up. Contract:
   * never throws, as a session that cannot speak is still read and written.
   */
  resume(session: OpenSession): void {
    for (const socket of this.#sockets()) {
      try {
        this.#resume(session, socket);
      } catch (error) {
        console.error("a voice connection cannot go on", { error: String(error) });
        closeSocket(socket, BROKEN);
        this.left(socket);
      }
    }
  }

  /** A frame of a client. */
  heard(session: OpenSession, socket: WebSocket, message: string | ArrayBuffer): void {
    const attachment = attachmentOf<VoiceAttachment>(socket);
    if (!attachment || !isOpen(socket) || closeIfExpired(socket, Date.now())) return;
    const { started } = attachment;
    if (!started) return this.#start(session, socket, { attachment, message });
    const driver = this.#driven?.driver;
    const client = driver?.clients.clientOf(socket);
    // The socket was replaced, and has not been told yet.
    if (!driver || !client) return closeSocket(socket, REPLACED);
    takeFrame({ session, driver, client, attachment, inBackground: this.#inBackground }, message);
  }

  /** The socket has closed. */
  left(socket: WebSocket): void {
    this.#endStarting(socket);
    this.#driven?.driver.left(socket);
    this.#releaseIdle();
  }

  /** The session is being removed. */
  close(): void {
    this.#driven?.driver.dispose();
    this.#driven = null;
  }

  #resume(session: OpenSession, socket: WebSocket): void {
    const attachment = attachmentOf<VoiceAttachment>(socket);
    if (!attachment?.started) return closeSocket(socket, LATE);
    this.#connect(session, socket, { ...attachment, started: attachment.started }, true);
  }

  #start(
    session: OpenSession,
    socket: WebSocket,
    { attachment, message }: { attachment: VoiceAttachment; message: string | ArrayBuffer },
  ): void {
    this.#endStarting(socket);
    const voice = voiceOf(session.init);
    if (!voice.ok) return closeSocket(socket, voice.refusal);
    const started = startVoice(session, { voice: voice.value, attachment, message });
    if (!started.ok) return closeSocket(socket, started.refusal);
    const begun = { ...attachment, started: started.value.voice };
    socket.serializeAttachment(begun);
    const { realtime } = begun;
    const { turns } = begun.started;
    const line = realtime ? new RealtimeLine(socket, { realtime, turns }) : socket;
    line.send(JSON.stringify(started.value.frame));
    // The room's log has who speaks there.
    if (!begun.by_room) this.#inBackground(this.#opened.add(session, begun.actor));
    this.#connect(session, socket, begun, false);
  }

  /** An object with a timer does not sleep. */
  #endStarting(socket: WebSocket): void {
    clearTimeout(this.#starting.get(socket));
    this.#starting.delete(socket);
  }

  #connect(
    session: OpenSession,
    socket: WebSocket,
    attachment: VoiceAttachment & { readonly started: StartedVoice },
    isRestored: boolean,
  ): void {
    const voice = voiceOf(session.init);
    if (!voice.ok) return closeSocket(socket, voice.refusal);
    const driver = this.#driverOf(session, voice.value);
    if (isRestored) driver.restore(attachment.started);
    const client = new VoiceClient(socket, attachment, driver.model.rates);
    // A room that was lost opens another line, before the session knows of it.
    if (attachment.by_room) driver.disconnect(REPLACED.code, REPLACED.detail);
    driver.connect(client);
    const { openReply } = session;
    // A turn of a room that waits for an answer goes on aloud.
    if (openReply && !openReply.isRunning) driver.beginsTurn(openReply.id);
    // The room copies events by its own way.
    if (!attachment.by_room) client.follow(session, attachment, () => this.left(socket));
  }

  /** A driver that still says a reply goes on, unless the agent speaks by another voice now. */
  #driverOf(session: OpenSession, voice: VoiceSettings): VoiceDriver {
    const driven = this.#driven;
    if (driven?.session === session && isSameJson(driven.voice, voice)) return driven.driver;
    driven?.driver.disconnect(REPLACED.code, REPLACED.detail);
    this.close();
    const model = describeVoice(voice);
    const driver = new VoiceDriver({
      session,
      env: this.#env,
      inBackground: this.#inBackground,
      voice,
      model,
      over: () => this.#releaseIdle(),
    });
    this.#driven = { session, voice, driver };
    session.spoken.hold(driver);
    return driver;
  }

  #releaseIdle(): void {
    if (this.#driven?.driver.isOver) this.#forget();
  }

  #forget(): void {
    const driven = this.#driven;
    if (!driven) return;
    driven.session.spoken.release(driven.driver);
    this.close();
  }

  #sockets(): readonly WebSocket[] {
    return openSockets(this.#ctx, "voice");
  }

  readonly #inBackground = (work: Promise<unknown>): void => this.#ctx.waitUntil(work);
}

/** Facts of a connection in the dialect of realtime agents, as it begins. */
function realtimeOf({ init: { session_id, agent_id, agent } }: OpenSession): RealtimeConnection {
  return {
    session_id,
    agent_id,
    agent_name: agent.name,
    has_session: false,
    audio_event: "agent_response_audio_delta",
    is_audio_chosen: false,
    instructions: null,
    open: null,
  };
}

function startedOf(socket: WebSocket): StartedVoice | null {
  return attachmentOf<VoiceAttachment>(socket)?.started ?? null;
}
