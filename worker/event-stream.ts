import { REFUSAL_HEADER, STREAM_URL } from "../durable-objects/session-api.ts";
import type { EventFormat } from "../protocol/api/event-format.ts";
import type { Refusal, Result } from "../protocol/errors.ts";
import { accept } from "../protocol/errors.ts";
import type { StreamPosition } from "./last-event-id.ts";
import type { SessionStub } from "./session-stub.ts";
import { streamTranslation } from "./stream-translation.ts";
import { translateStream } from "./translated-stream.ts";

const EVENT_STREAM = "text/event-stream";

export interface StreamRequest {
  /** The reader's position, or a seq that the platform gives; null for a reader that has nothing and joins. */
  readonly after: StreamPosition | number | null;
  readonly format: EventFormat;
  readonly reply_id?: string;
  readonly follow?: "session";
  /** The client token that it is opened with: the stream ends with it. */
  readonly token_id?: string;
}

/**
 * The object's stream as the answer, 204 when there is nothing more to come. In the log's own format the bytes pass
 * through untouched.
 * @param headers More headers of the answer.
 */
export async function openEventStream(
  stub: SessionStub,
  { after, format, ...range }: StreamRequest,
  headers: Readonly<Record<string, string>> = {},
): Promise<Result<Response>> {
  const isNative = format === "agentscope";
  const translation = isNative
    ? null
    : await streamTranslation(stub, { format, after, reply_id: range.reply_id });
  if (translation && !translation.ok) return translation;
  const translated = translation?.value;
  const seq = typeof after === "number" ? after : (after?.seq ?? 0);
  const url = new URL(STREAM_URL);
  for (const [name, value] of Object.entries({ after: translated?.after ?? seq, ...range })) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  const response = await stub.fetch(url.href);
  if (response.headers.has(REFUSAL_HEADER)) {
    return { ok: false, refusal: await response.json<Refusal>() };
  }
  if (response.status === 204 && !translated?.prelude) {
    return accept(new Response(null, { status: 204, headers }));
  }
  const streamHeaders = {
    ...headers,
    "Content-Type": EVENT_STREAM,
    // Tells nginx and its kin to pass every frame on at once.
    "X-Accel-Buffering": "no",
  };
  const body = translated ? translateStream(response.body, translated) : response.body;
  return accept(new Response(body, { headers: streamHeaders }));
}

/** Whether the `Accept` header names the event stream and does not weigh it 0. */
export function acceptsEventStream(accept: string | undefined): boolean {
  return (accept ?? "").split(",").some((part) => {
    const [type, ...parameters] = part.split(";").map((piece) => piece.trim().toLowerCase());
    return type === EVENT_STREAM && !parameters.some((piece) => /^q=0(?:\.0*)?$/.test(piece));
  });
}
