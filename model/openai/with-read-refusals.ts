// What a provider says with a refusal, read here: the openai package would read a body of any length, for any time.
import { MAX_MODEL_ERROR_BYTES } from "../../protocol/limits/models.ts";
import { readBytes } from "../../outgoing/body.ts";
import type { OutgoingFetch } from "../../outgoing/outgoing.ts";

/** What the package and we look at; the body is unpacked and may be cut, so what else describes it holds no more. */
const HEADERS = ["content-type", "retry-after", "retry-after-ms"];

/** A `fetch` that resolves with a refusal when its body has been read, as far as it is looked at. */
export function withReadRefusals(send: OutgoingFetch): OutgoingFetch {
  return async (input, init) => {
    const response = await send(input, init);
    if (response.ok || !response.body) return response;
    const headers = new Headers();
    for (const name of HEADERS) {
      const value = response.headers.get(name);
      if (value !== null) headers.set(name, value);
    }
    return new Response(await readStart(response), { status: response.status, headers });
  };
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
