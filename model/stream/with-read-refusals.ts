// Reads the bodies of error responses with a limit: the openai package would read a body of any length, for any time.
import { findShapeViolation } from "../../protocol/json-shape.ts";
import { MAX_MODEL_ERROR_BYTES, MAX_MODEL_EVENT_VALUES } from "../../protocol/models/limits.ts";
import { MAX_INPUT_DEPTH } from "../../protocol/requests/limits.ts";
import { readBytes } from "../../outgoing/body.ts";
import type { OutgoingFetch } from "../../outgoing/outgoing.ts";
import { parseStreamEvent } from "./stream-event.ts";

const SHAPE = { depth: MAX_INPUT_DEPTH, values: MAX_MODEL_EVENT_VALUES };

/**
 * The headers that are kept. Others that describe the body would be wrong, because it is decompressed and may be
 * truncated.
 */
const HEADERS = ["content-type", "retry-after", "retry-after-ms", "x-request-id", "request-id"];

/** A `fetch` that resolves with an error response only when its body was read, up to the limit. */
export function withReadRefusals(send: OutgoingFetch): OutgoingFetch {
  return async (input, init) => {
    const response = await send(input, init);
    if (response.ok || !response.body) return response;
    const headers = new Headers();
    for (const name of HEADERS) {
      const value = response.headers.get(name);
      if (value !== null) headers.set(name, value);
    }
    const body = asErrorBody(await readStart(response));
    return new Response(body, { status: response.status, headers });
  };
}

/**
 * The body as `{"error": …}`, the one form that the openai package reads: some servers put code and message into the
 * body itself, or the body into a list. Empty for JSON that is deeper than any, which would exhaust the stack.
 */
function asErrorBody(text: string): string {
  if (!/^\s*[{[]/.test(text)) return text;
  if (findShapeViolation(text, SHAPE)) return "";
  const fields = parseStreamEvent(text);
  if (!fields) return text;
  return JSON.stringify(fields["error"] ? fields : { error: fields });
}

async function readStart(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const piece of readBytes(response)) {
    text += decoder.decode(piece, { stream: true });
    bytes += piece.byteLength;
    if (bytes >= MAX_MODEL_ERROR_BYTES) break;
  }
  return text;
}
