// WebSockets of routes: what an upgrade asks for, and how it is answered. A browser shows a page nothing of an answer that is
// no WebSocket, so an upgrade that cannot be is opened as well, and closed with the code of the error.
import { REFUSAL_HEADER } from "../../durable-objects/api/session-api.ts";
import { accept, refuse, type Refusal, type Result } from "../../protocol/errors.ts";
import type { Route } from "../../protocol/routes.ts";
import { refusedUpgrade } from "../../protocol/dialects/realtime/server-events.ts";
import { REALTIME_FORMAT } from "../../protocol/voice/formats.ts";
import {
  closeCodeOf,
  END_CLOSE_CODE,
  TICKET_PROTOCOL_PREFIX,
} from "../../protocol/voice/sockets.ts";
import type { AppContext } from "../app-env.ts";
import { HttpError } from "../http-error.ts";
import type { SessionStub } from "../objects/session-stub.ts";

const UPGRADE = { Upgrade: "websocket" };
const NO_SOCKET = refuse(
  "unavailable",
  "the session opens no WebSocket for some time now; try again",
);

/** Whether the request asks for the WebSocket of its route. */
export function asksForSocket(context: AppContext): boolean {
  const isUpgrade = context.req.header("Upgrade")?.toLowerCase() === "websocket";
  return isUpgrade && subprotocolOf(context) !== undefined;
}

/** Whether a WebSocket is among what the request would go on with; other protocols are passed over, as HTTP has it. */
export function wantsWebSocket(context: AppContext): boolean {
  const asked = context.req.header("Upgrade") ?? "";
  return asked.split(",").some((name) => /^websocket(\/|$)/i.test(name.trim()));
}

/** @throws HttpError for an upgrade that does not name the subprotocol of its route. */
export function requireSubprotocol(context: AppContext): void {
  if (speaksSocket(context) || speaksEvents(context)) return;
  const subprotocol = subprotocolOf(context);
  const detail = `a WebSocket of this path speaks ${subprotocol}: name it in \`Sec-WebSocket-Protocol\``;
  throw new HttpError("validation_failed", detail);
}

/** The stream ticket among the subprotocols of an upgrade; undefined without one. */
export function ticketOfUpgrade(context: AppContext): string | undefined {
  if (!asksForSocket(context)) return undefined;
  const one = offered(context).find((name) => name.startsWith(TICKET_PROTOCOL_PREFIX));
  return one?.slice(TICKET_PROTOCOL_PREFIX.length);
}

/**
 * The object's WebSocket as the answer to the client.
 * @param url Of the object's request, whose answer is 101, a 204 where nothing is left to be said, or a refusal.
 */
export async function fetchSocket(
  context: AppContext,
  stub: Pick<SessionStub, "fetch">,
  url: string,
): Promise<Result<Response>> {
  const response = await stub.fetch(url, { headers: UPGRADE });
  if (response.headers.has(REFUSAL_HEADER)) {
    return { ok: false, refusal: await response.json<Refusal>() };
  }
  if (response.status === 204) return accept(closedSocket(context, END_CLOSE_CODE, ""));
  if (response.webSocket) return accept(socketResponse(context, response.webSocket));
  // An object of the version before answers with a stream.
  await response.body?.cancel();
  return NO_SOCKET;
}

/** The WebSocket of an upgrade that was refused, which is closed at once; null for a request that speaks none. */
export function refusedSocket(context: AppContext, { code, detail }: Refusal): Response | null {
  if (!asksForSocket(context)) return null;
  const isOfEvents = speaksEvents(context);
  if (!isOfEvents && !speaksSocket(context)) return null;
  const frame = isOfEvents ? refusedUpgrade({ code, detail }) : { type: "error", code, detail };
  return closedSocket(context, closeCodeOf(code), code, frame);
}

function closedSocket(context: AppContext, code: number, reason: string, frame?: object): Response {
  const { 0: client, 1: socket } = new WebSocketPair();
  socket.accept();
  if (frame) socket.send(JSON.stringify(frame));
  socket.close(code, reason);
  return socketResponse(context, client);
}

/** Of the subprotocols that the client has named the route's own is answered alone. */
function socketResponse(context: AppContext, webSocket: WebSocket): Response {
  const isNamed = speaksSocket(context);
  const headers = isNamed ? { "Sec-WebSocket-Protocol": subprotocolOf(context) ?? "" } : undefined;
  return new Response(null, { status: 101, webSocket, headers });
}

function speaksSocket(context: AppContext): boolean {
  const subprotocol = subprotocolOf(context);
  return subprotocol !== undefined && offered(context).includes(subprotocol);
}

/** Whether the client speaks the dialect of AgentScope's realtime agents, whose clients name no subprotocol. */
function speaksEvents(context: AppContext): boolean {
  const route: Route | undefined = context.get("route");
  return route?.name === "openVoice" && context.req.query("format") === REALTIME_FORMAT;
}

/** Undefined also for a path without a route. */
function subprotocolOf(context: AppContext): string | undefined {
  const route: Route | undefined = context.get("route");
  return route?.subprotocol;
}

function offered(context: AppContext): readonly string[] {
  const header = context.req.header("Sec-WebSocket-Protocol") ?? "";
  return header.split(",").map((name) => name.trim());
}
