// Closes sockets of an object, in memory or not: what they were opened with is in their attachments.
import { lastEvents } from "../../protocol/dialects/realtime/server-events.ts";
import type { Refusal } from "../../protocol/errors.ts";
import { closeCodeOf, END_CLOSE_CODE } from "../../protocol/voice/sockets.ts";
import type { SocketCuts } from "../streams/subscribers.ts";
import { attachmentOf, isOpen, openSockets } from "./socket-attachment.ts";

export type SocketHolder = Pick<DurableObjectState, "getWebSockets">;

const CUT = "the credential that opened it was revoked";
const EXPIRED = "the credential that opened it has expired";

/** Closes it with the code of an error; a frame with its words goes before. Contract: never throws. */
export function closeSocket(
  socket: WebSocket,
  { code, detail }: Pick<Refusal, "code" | "detail">,
): void {
  if (!isOpen(socket)) return;
  try {
    for (const frame of lastFrames(socket, { code, detail })) socket.send(JSON.stringify(frame));
    socket.close(closeCodeOf(code), code);
  } catch (error) {
    // Its client has left meanwhile.
    console.warn("a socket could not be closed", { code, error: String(error) });
  }
}

function lastFrames(
  socket: WebSocket,
  refusal: Pick<Refusal, "code" | "detail">,
): readonly object[] {
  const realtime = attachmentOf(socket)?.realtime;
  return realtime ? lastEvents(realtime, refusal) : [{ type: "error", ...refusal }];
}

/** The sockets that a revocation, or a stop of the tenant, closes beside streams. */
export function socketCuts(holder: SocketHolder): SocketCuts {
  return {
    cut: (credentialId) => cutSockets(holder, credentialId),
    cutAll: (code) => void closeAllSockets(holder, code),
  };
}

/** Answers the close of a client, which waits for that. Contract: never throws. */
export function answerClose(socket: WebSocket): void {
  try {
    socket.close(END_CLOSE_CODE, "");
  } catch {
    // Answered already, or its client has gone without a word.
  }
}

/** Closes those that were opened with this credential: a client token, or an API key. */
function cutSockets(holder: SocketHolder, credentialId: string): void {
  for (const socket of openSockets(holder)) {
    if (attachmentOf(socket)?.credential?.id === credentialId) {
      closeSocket(socket, { code: "unauthenticated", detail: CUT });
    }
  }
}

/** Closes all of them. @returns Whether there were any. */
export function closeAllSockets(
  holder: SocketHolder,
  code: Parameters<SocketCuts["cutAll"]>[0],
): boolean {
  const sockets = openSockets(holder);
  const detail = code === "not_found" ? "it was deleted" : "the tenant was stopped";
  for (const socket of sockets) closeSocket(socket, { code, detail });
  return sockets.length > 0;
}

/**
 * Closes those whose credential has expired. @returns when the next one does, in Unix milliseconds; null for none. For
 * the object's alarm: no timer of an object that sleeps would ring.
 */
export function closeExpiredSockets(holder: SocketHolder, nowMs: number): number | null {
  let nextMs = Infinity;
  for (const socket of openSockets(holder)) {
    if (isExpired(socket, nowMs)) closeSocket(socket, { code: "unauthenticated", detail: EXPIRED });
    else nextMs = Math.min(nextMs, expiryOf(socket));
  }
  return nextMs === Infinity ? null : nextMs;
}

/** Closes it when its credential has expired, though the alarm may be late. @returns Whether it has. */
export function closeIfExpired(socket: WebSocket, nowMs: number): boolean {
  if (!isExpired(socket, nowMs)) return false;
  closeSocket(socket, { code: "unauthenticated", detail: EXPIRED });
  return true;
}

function isExpired(socket: WebSocket, nowMs: number): boolean {
  return expiryOf(socket) <= nowMs;
}

function expiryOf(socket: WebSocket): number {
  return attachmentOf(socket)?.credential?.expiresAtMs ?? Infinity;
}
