// Requests to authorization servers: through the egress guard, without redirects, bounded in time and bytes.
import { readBytes } from "../body.ts";
import type { OutgoingFetch } from "../outgoing.ts";
import { MAX_OAUTH_ANSWER_BYTES, OAUTH_REQUEST_MS } from "../../protocol/mcp/limits.ts";

/** A `fetch` whose answer is here as a whole. @throws as the connection does, and for an answer that is too large. */
export function oauthFetch(outgoing: OutgoingFetch): OutgoingFetch {
  return async (input, init) => {
    const signal = AbortSignal.timeout(OAUTH_REQUEST_MS);
    const response = await outgoing(input, { ...init, signal });
    const pieces: Uint8Array<ArrayBuffer>[] = [];
    for await (const piece of readBytes(response, { maxBytes: MAX_OAUTH_ANSWER_BYTES })) {
      pieces.push(new Uint8Array(piece));
    }
    const { status, headers } = response;
    const hasBody = status !== 204 && status !== 205 && status !== 304;
    return new Response(hasBody ? new Blob(pieces) : null, { status, headers });
  };
}
