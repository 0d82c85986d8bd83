// State that a client's socket keeps while the object sleeps, of which all that is in memory can be made again.
import type { RealtimeConnection } from "../../protocol/dialects/realtime/server-events.ts";
import type { Actor } from "../api/session-api.ts";
import type { VoiceRights } from "../api/voice-request.ts";
import type { SocketAttachment } from "../sockets/socket-attachment.ts";

/** Spoken replies that are remembered: one waits at most, behind it some have been queued. */
const MAX_SPOKEN = 8;

/** Settings that the client has asked for in `start`, and how far it is. */
export interface StartedVoice {
  readonly input_rate: number;
  readonly output_rate: number;
  readonly turns: "server" | "manual";
  readonly audio: "binary" | "base64";
  /** Unix time in milliseconds at which the connection began. */
  readonly since_ms: number;
  /** The client has all events up to this seq. */
  readonly cursor: number;
  /** Items with lower numbers have been. */
  readonly next_item: number;
  /** Replies that were begun here. */
  readonly spoken: readonly string[];
}

export interface VoiceAttachment extends SocketAttachment {
  readonly kind: "voice";
  readonly actor: Actor;
  readonly rights: VoiceRights;
  /** The client is the session's room. */
  readonly by_room?: true;
  /** Null before `start`. */
  readonly started: StartedVoice | null;
}

/** Notes how far a client of the dialect of realtime agents is. */
export function noteRealtime(socket: WebSocket, realtime: RealtimeConnection): void {
  const attachment = socket.deserializeAttachment() as VoiceAttachment;
  socket.serializeAttachment({ ...attachment, realtime });
}

/** Notes how far the client is. */
export function noteStarted(socket: WebSocket, change: Partial<StartedVoice>): void {
  const attachment = socket.deserializeAttachment() as VoiceAttachment;
  const { started } = attachment;
  if (!started) return;
  const { spoken, ...changed } = { ...started, ...change };
  const kept = { ...changed, spoken: spoken.slice(-MAX_SPOKEN) };
  socket.serializeAttachment({ ...attachment, started: kept });
}
