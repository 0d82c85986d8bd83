// One message to an MCP server over streamable HTTP, and what comes back: a JSON body, or a stream of events that ends
// with the response. Everything is bounded before it is parsed.
import {
  BodyTooBig,
  readBytes,
  readEvents,
  type EventMarks,
  type ReceivedEvent,
} from "../../outgoing/body.ts";
import { failureKindOfError, mayHaveArrived } from "../../outgoing/failure-kind.ts";
import { OutgoingRefused } from "../../outgoing/outgoing.ts";
import { MAX_MCP_STRAY_MESSAGES } from "../../protocol/mcp/limits.ts";
import { wholeJson } from "../../outgoing/whole-letters.ts";
import { NoRoom } from "../../outgoing/with-room.ts";
import type { McpMessageOut } from "../../protocol/mcp/requests.ts";
import type { McpMessageIn } from "../../protocol/mcp/read-messages.ts";
import { GrowingText } from "../../runtime/growing-text.ts";
import { ByteBudget } from "./byte-budget.ts";
import type { CallDeadline } from "./call-deadline.ts";
import { exactMessages } from "./exact-messages.ts";
import type { McpEndpoint } from "./mcp-endpoint.ts";
import type { McpBroken, McpNotice, McpOutcome } from "./mcp-outcome.ts";
import { GrantProblem } from "./oauth/grant-problem.ts";
import { ResumedStream } from "./resumed-stream.ts";

/** Bytes of an error's body that are read: a JSON-RPC error fits. */
const MAX_ERROR_BYTES = 16_384;
/** Characters that are kept of what is no message of the protocol. */
const MAX_SAID_CHARACTERS = 500;

/**
 * Posts a message. Yields what the server sends before its response, and returns the response. Contract: never throws;
 * ends soon after the deadline's signal.
 * @param budget Shared with other exchanges; when left out, each answer and each stream may have the endpoint's bytes.
 */
export async function* exchange(
  endpoint: McpEndpoint,
  message: McpMessageOut,
  deadline: CallDeadline,
  budget?: ByteBudget,
): AsyncGenerator<McpNotice, McpOutcome> {
  let isAnswered = false;
  try {
    const response = await endpoint.outgoing(endpoint.url, {
      method: "POST",
      headers: headersOf(endpoint, message),
      body: wholeJson(message.body),
      signal: deadline.signal,
    });
    isAnswered = true;
    if (!response.ok) return await readRefusal(response, message.id);
    if (message.id === null) {
      void response.body?.cancel().catch(() => undefined);
      return { type: "accepted" };
    }
    const sessionId = response.headers.get("mcp-session-id");
    const reading = { endpoint, message, deadline, id: message.id, budget };
    const outcome = yield* readResponse(response, reading);
    return outcome.type === "result" ? { ...outcome, sessionId } : outcome;
  } catch (error) {
    const { maxBytes } = budget ?? endpoint;
    return describeError(error, { isAnswered, deadline, maxBytes });
  }
}

/** Posts a message whose answer is not read; a failure is ignored. */
export async function post(
  endpoint: McpEndpoint,
  message: McpMessageOut,
  signal: AbortSignal,
): Promise<void> {
  try {
    const headers = headersOf(endpoint, message);
    const body = wholeJson(message.body);
    const response = await endpoint.outgoing(endpoint.url, {
      method: "POST",
      headers,
      body,
      signal,
    });
    await response.body?.cancel();
  } catch {
    // The server learns it by the closed connection, or not at all.
  }
}

interface Reading {
  readonly endpoint: McpEndpoint;
  readonly message: McpMessageOut;
  readonly deadline: CallDeadline;
  readonly id: string;
  readonly budget: ByteBudget | undefined;
}

async function* readResponse(
  response: Response,
  reading: Reading,
): AsyncGenerator<McpNotice, McpOutcome> {
  const type = (response.headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase();
  if (type === "text/event-stream") return yield* readStream(response, reading);
  // A server's type of content is not believed: some give none, and frameworks have a type of their own.
  const budget = reading.budget ?? new ByteBudget(reading.endpoint.maxBytes);
  const text = (await readText(response, budget)) ?? "";
  if (EVENTS.test(text)) {
    // The text's bytes are counted already.
    return yield* readStream(new Response(text), { ...reading, budget: undefined });
  }
  const messages = exactMessages(text);
  if (!messages) {
    const reason = isJsonType(type)
      ? "answered with JSON that cannot be read"
      : `answered with ${type || "no media type"}, which is no MCP`;
    return { ...broken("malformed_answer", reason), said: text.slice(0, MAX_SAID_CHARACTERS) };
  }
  let outcome: McpOutcome | null = null;
  for (const message of messages) {
    const found = outcomeOf(message, reading.id);
    if (found) outcome ??= found;
    else if (isNotice(message)) yield message;
  }
  if (outcome) return outcome;
  const reason = "answered another request than that of the platform";
  return { ...broken("malformed_answer", reason), said: text.slice(0, MAX_SAID_CHARACTERS) };
}

/** The beginning of a stream of events, which JSON does not have. */
const EVENTS = /^\s*(?:data|event|id|retry)?:/;

function isJsonType(type: string | undefined): boolean {
  return type === "application/json" || type?.endsWith("+json") === true;
}

/** A stream that breaks before the response is resumed where the server can say from where. */
async function* readStream(
  first: Response,
  { endpoint, message, deadline, id, budget }: Reading,
): AsyncGenerator<McpNotice, McpOutcome> {
  const stream = new ResumedStream(endpoint, message, deadline);
  const { maxBytes } = budget ?? endpoint;
  let strays = 0;
  let said = "";
  for (let response: Response | null = first; response; response = await stream.next()) {
    const { take: onPiece } = budget ?? new ByteBudget(maxBytes);
    const options = { maxEventCharacters: maxBytes, onPiece, onRetry: stream.noteRetry };
    try {
      for await (const events of readEvents(response, options, takeEvent)) {
        for (const { data, id: eventId, isOpen } of events) {
          const messages = data === "" ? [] : exactMessages(data);
          // An event that was cut off is sent again, when the stream is resumed behind the one before it.
          if (eventId !== undefined && !(isOpen && messages === null)) stream.noteId(eventId);
          if (!messages?.length) said = `${said}${data}\n`.slice(0, MAX_SAID_CHARACTERS);
          for (const received of messages ?? []) {
            const outcome = outcomeOf(received, id);
            if (outcome) return outcome;
            if (isNotice(received)) yield received;
            if (isProgressOf(received, message)) continue;
            strays += 1;
            if (strays > MAX_MCP_STRAY_MESSAGES) {
              return broken("malformed_answer", "sends messages without end, and no answer");
            }
          }
        }
      }
    } catch (error) {
      const isFull = error instanceof BodyTooBig || NoRoom.isInstance(error);
      if (!stream.canResume || isFull) throw error;
    }
  }
  return { ...broken("connection_lost", "closed its stream before it had answered"), said };
}

function takeEvent({ data, id }: ReceivedEvent, { isOpen }: EventMarks) {
  return { data, id, isOpen };
}

/** The outcome, when the message is the response to our request: another one's decides nothing. */
function outcomeOf(message: McpMessageIn, id: string): McpOutcome | null {
  if (message.kind === "result" && message.id === id) {
    return { type: "result", result: message.result, sessionId: null };
  }
  // Without an id it is an error about a request that the server could not read.
  if (message.kind !== "error" || (message.id !== id && message.id !== null)) return null;
  const { code, message: said, data } = message;
  return { type: "refused", status: 200, error: { code, message: said, data } };
}

function isNotice(message: McpMessageIn): message is McpNotice {
  return message.kind === "notification" || message.kind === "request";
}

/**
 * Whether the notification is progress of this request. A long call reports without end: it is bounded by its time, and
 * by the bytes of a stream.
 */
function isProgressOf(received: McpMessageIn, { progressToken }: McpMessageOut): boolean {
  return (
    progressToken !== undefined &&
    received.kind === "notification" &&
    received.method === "notifications/progress" &&
    received.params["progressToken"] === progressToken
  );
}

async function readRefusal(response: Response, id: string | null): Promise<McpOutcome> {
  const { status } = response;
  const text = await readStart(response);
  for (const message of exactMessages(text) ?? []) {
    if (message.kind !== "error" || (message.id !== id && message.id !== null)) continue;
    const { code, message: said, data } = message;
    // Of these the status alone decides: a session that is gone, a credential that is missing.
    if (status !== 401 && status !== 403 && status !== 429 && status < 500) {
      return { type: "refused", status, error: { code, message: said, data } };
    }
  }
  return { type: "http", status, text, challenge: response.headers.get("www-authenticate") };
}

function describeError(
  error: unknown,
  circumstances: { isAnswered: boolean; deadline: CallDeadline; maxBytes: number },
): McpBroken {
  const { passedMs } = circumstances.deadline;
  if (passedMs !== null) return broken("timeout", `did not answer within ${passedMs} ms`);
  // Behind an answer the request was taken, and only its broken stream could not be resumed.
  if (GrantProblem.isInstance(error) && !circumstances.isAnswered) {
    return { ...broken("setup", error.message), needsSignIn: error.needsSignIn };
  }
  if (OutgoingRefused.isInstance(error)) {
    return broken("egress_refused", `has an address that is refused: ${error.message}`);
  }
  if (error instanceof BodyTooBig) {
    return broken("too_large", `answered with more than ${circumstances.maxBytes} bytes`);
  }
  if (NoRoom.isInstance(error)) {
    return broken("rate_limited", `has answered, and the answer was not read: ${error.message}`);
  }
  const kind = failureKindOfError(error, circumstances.isAnswered);
  if (circumstances.isAnswered) return broken(kind, "closed the connection before it had answered");
  if (!mayHaveArrived(error)) return broken(kind, "could not be reached");
  const reason = "could not be reached, or closed the connection before any answer";
  return { ...broken(kind, reason), isClosedUnanswered: true };
}

function broken(kind: McpBroken["kind"], reason: string): McpBroken {
  return { type: "broken", kind, reason };
}

function headersOf(endpoint: McpEndpoint, message: McpMessageOut): Headers {
  const headers = new Headers(endpoint.headers);
  for (const [name, value] of Object.entries(message.headers)) headers.set(name, value);
  headers.set("content-type", "application/json");
  headers.set("accept", "application/json, text/event-stream");
  return headers;
}

/** Null when the body is not UTF-8. */
async function readText(response: Response, budget: ByteBudget): Promise<string | null> {
  try {
    budget.announce(Number(response.headers.get("content-length") ?? 0));
  } catch (error) {
    void response.body?.cancel().catch(() => undefined);
    throw error;
  }
  const growing = new GrowingText();
  for await (const piece of readBytes(response, { onPiece: budget.take })) growing.add(piece);
  return growing.finish();
}

/** Never throws: the status counts, whatever becomes of the body. */
async function readStart(response: Response): Promise<string> {
  const growing = new GrowingText();
  try {
    for await (const piece of readBytes(response, { maxBytes: MAX_ERROR_BYTES }))
      growing.add(piece);
  } catch {
    return "";
  }
  return growing.finish() ?? "";
}
