import { PING_TEXT, PONG_TEXT } from "../../protocol/voice/sockets.ts";
import type { SocketAttachment } from "./socket-attachment.ts";

/** The part of an object's state that its sockets are in. */
export type SocketState = Pick<
  DurableObjectState,
  "acceptWebSocket" | "getWebSockets" | "setWebSocketAutoResponse"
>;

/**
 * Accepts a socket that hibernates, with the kind as its tag, and the answer that gives its client the other end. For one
 * whose credential its object watches: `HeldSockets.open`.
 */
export function acceptSocket(
  state: SocketState,
  attachment: SocketAttachment,
): { readonly socket: WebSocket; readonly response: Response } {
  const { 0: client, 1: socket } = new WebSocketPair();
  state.acceptWebSocket(socket, [attachment.kind]);
  socket.serializeAttachment(attachment);
  state.setWebSocketAutoResponse(new WebSocketRequestResponsePair(PING_TEXT, PONG_TEXT));
  return { socket, response: new Response(null, { status: 101, webSocket: client }) };
}
