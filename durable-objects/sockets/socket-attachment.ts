import type { RealtimeConnection } from "../../protocol/dialects/realtime/server-events.ts";
import type { StreamCredential } from "../streams/stream-credentials.ts";

/**
 * The state of a WebSocket that outlives its object's memory, 16,384 bytes at most. Every kind has its credential in it:
 * the socket is closed when that is revoked or expires, by whatever wakes the object.
 */
export interface SocketAttachment {
  readonly kind: "events" | "voice";
  /** Null where the Worker did not say. */
  readonly credential: StreamCredential | null;
  /** The client speaks the dialect of AgentScope's realtime agents: frames are events of that. */
  readonly realtime?: RealtimeConnection;
}

/** Null for a socket without one, whose object was lost while it was accepted. */
export function attachmentOf<Attachment extends SocketAttachment = SocketAttachment>(
  socket: WebSocket,
): Attachment | null {
  return socket.deserializeAttachment() as Attachment | null;
}

/** The open sockets of an object, or those of one kind: also of one that has just woken. */
export function openSockets(
  holder: Pick<DurableObjectState, "getWebSockets">,
  kind?: SocketAttachment["kind"],
): readonly WebSocket[] {
  return holder.getWebSockets(kind).filter(isOpen);
}

export function isOpen({ readyState }: WebSocket): boolean {
  return readyState === WebSocket.OPEN;
}
