// A WebSocket as the answer of a `fetch`: what the platform says with a close, before the socket has begun, is the answer that
// HTTP would have given, so that the transport treats it as any other.
import type { StreamTicket } from "../../protocol/events/stream-tickets.ts";
import { END_CLOSE_CODE, TICKET_PROTOCOL_PREFIX } from "../../protocol/voice/sockets.ts";
import { LiveSocket, type SocketEnd, type SocketReader } from "./live-socket.ts";
import type { FetchFunction, WebSocketClass } from "./reprise-options.ts";
import type { Transport } from "./transport.ts";

/** Whose ticket opens the socket. */
export type SocketOwner = readonly ["sessions" | "rooms", string];

interface SocketPlan {
  readonly of: SocketOwner;
  readonly protocol: string;
  /** The first frame that the client sends, when the socket is open. */
  readonly hello: () => string;
  readonly reader: SocketReader;
  /** The answer when the socket has begun: the first frame has come. */
  readonly answer: (socket: LiveSocket) => Response;
}

/** Tickets by client and stream, which open further sockets until one is refused. */
const TICKETS = new WeakMap<Transport, Map<string, string>>();
/** Streams of a client whose tickets are kept. */
const MAX_TICKETS = 100;
/** Statuses of the errors that a close tells by a code of the standard. */
const STANDARD_STATUS: Readonly<Record<number, number>> = { 1007: 400, 1011: 500 };

/**
 * @param planOf Called for each socket.
 * @throws {TypeError} where the runtime has no WebSocket.
 */
export function socketFetch(transport: Transport, planOf: () => SocketPlan): FetchFunction {
  const WebSocket = webSocketOf(transport);
  return async (url, { headers, signal }) => {
    const plan = planOf();
    const tickets = ticketsOf(transport);
    // A ticket is for a stream, wherever that is read from.
    const stream = url.replace(/([?&])after=\d+&?/, "$1");
    const isNew = !tickets.has(stream);
    if (isNew) {
      const refusal = await mint(transport, plan.of, url, headers, signal, (ticket) =>
        tickets.set(stream, ticket),
      );
      if (refusal) return refusal;
    }
    const [oldest] = tickets.keys();
    if (tickets.size > MAX_TICKETS && oldest !== undefined) tickets.delete(oldest);
    const protocols = [plan.protocol, `${TICKET_PROTOCOL_PREFIX}${tickets.get(stream)}`];
    const { stallMs } = transport.settings.reconnect;
    const raw = new WebSocket(url.replace(/^http/, "ws"), protocols);
    const socket = new LiveSocket(raw, { ...plan, stallMs, signal: signal ?? undefined });
    void socket.ended.then(({ code }) => {
      if (isOwnClose(code)) tickets.delete(stream);
    });
    const end = await Promise.race([socket.begun, socket.ended]);
    if (!end) return plan.answer(socket);
    const answer = toAnswer(end);
    // An older ticket may be over, and the platform says with the next one whether there is another.
    if (end.code !== END_CLOSE_CODE) tickets.delete(stream);
    if (answer?.status === 401 && !isNew) throw new Error("the ticket is over");
    if (answer) return answer;
    throw new Error(`the socket was closed with ${end.code} ${end.reason}`);
  };
}

/** The answer that a close stands for; null for one that is no word of the platform's. */
export function toAnswer({ code, reason, detail }: SocketEnd): Response | null {
  if (code === END_CLOSE_CODE) return { ok: true, status: 204 } as Response;
  const status = isOwnClose(code) ? code - 4_000 : STANDARD_STATUS[code];
  // Closes of runtimes and proxies have no code of ours as their reason.
  if (status === undefined || !/^[a-z_]+$/.test(reason)) return null;
  const problem = { code: reason, detail: detail ?? "the socket was closed" };
  const answer = { ok: false, status, headers: new Headers(), json: async () => problem };
  return answer as unknown as Response;
}

/** Whether a close has a status of HTTP in its code. */
function isOwnClose(code: number): boolean {
  return code >= 4_400 && code < 4_500;
}

function webSocketOf({ settings }: Transport): WebSocketClass {
  const { WebSocket } = globalThis as { readonly WebSocket?: WebSocketClass };
  const found = settings.WebSocket ?? WebSocket;
  if (found) return found;
  throw new TypeError("this runtime has no WebSocket: give one, such as that of the package ws");
}

function ticketsOf(transport: Transport): Map<string, string> {
  const tickets = TICKETS.get(transport) ?? new Map<string, string>();
  TICKETS.set(transport, tickets);
  return tickets;
}

/** @returns the platform's refusal; null when there is a ticket. */
async function mint(
  { settings: { baseUrl, fetch } }: Transport,
  of: SocketOwner,
  url: string,
  headers: RequestInit["headers"],
  signal: RequestInit["signal"],
  keep: (ticket: string) => void,
): Promise<Response | null> {
  const response = await fetch(
    `${baseUrl}/v1/${of.map(encodeURIComponent).join("/")}/stream-tickets`,
    {
      method: "POST",
      headers: { ...headers, Accept: "application/json", "Content-Type": "application/json" },
      body: JSON.stringify({ path: url.slice(baseUrl.length) }),
      signal,
    },
  );
  if (!response.ok) return response;
  const { ticket } = (await response.json()) as StreamTicket;
  keep(ticket);
  return null;
}
