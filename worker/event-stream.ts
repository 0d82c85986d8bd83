import { REFUSAL_HEADER, STREAM_URL } from "../durable-objects/session-api.ts";
import type { Refusal, Result } from "../protocol/errors.ts";
import { accept } from "../protocol/errors.ts";
import type { SessionStub } from "./session-stub.ts";

const EVENT_STREAM = "text/event-stream";

export interface StreamRequest {
  readonly after: number;
  readonly reply_id?: string;
  readonly follow?: "session";
  /** The client token that it is opened with: the stream ends with it. */
  readonly token_id?: string;
}

/**
 * The object's stream as the answer, 204 when there is nothing more to come. The bytes pass through untouched.
 * @param headers More headers of the answer.
 */
export async function openEventStream(
  stub: SessionStub,
  request: StreamRequest,
  headers: Readonly<Record<string, string>> = {},
): Promise<Result<Response>> {
  const url = new URL(STREAM_URL);
  for (const [name, value] of Object.entries(request)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  const response = await stub.fetch(url.href);
  if (response.headers.has(REFUSAL_HEADER)) {
    return { ok: false, refusal: await response.json<Refusal>() };
  }
  if (response.status === 204) return accept(new Response(null, { status: 204, headers }));
  const streamHeaders = {
    ...headers,
    "Content-Type": EVENT_STREAM,
    // Tells nginx and its kin to pass every frame on at once.
    "X-Accel-Buffering": "no",
  };
  return accept(new Response(response.body, { headers: streamHeaders }));
}

/** Whether the `Accept` header names the event stream and does not weigh it 0. */
export function acceptsEventStream(accept: string | undefined): boolean {
  return (accept ?? "").split(",").some((part) => {
    const [type, ...parameters] = part.split(";").map((piece) => piece.trim().toLowerCase());
    return type === EVENT_STREAM && !parameters.some((piece) => /^q=0(?:\.0*)?$/.test(piece));
  });
}
