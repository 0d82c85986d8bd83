// Reads a body as it arrives through XMLHttpRequest, for React Native, whose `fetch` gives an answer when it is whole.
import type { FetchFunction } from "../transport/reprise-options.ts";
import type { Transport } from "../transport/transport.ts";

/**
 * Milliseconds until the first text. A stream of the platform begins at once; a runtime that gives nothing for so long
 * collects the body, and is then read by pages.
 */
const FIRST_TEXT_MS = 5_000;
/** Characters after which the connection is renewed: the runtime keeps the text of the whole body. */
const MAX_TEXT_CHARACTERS = 4_000_000;

/**
 * A `fetch` for event streams: its answers have a `body` with a reader, which gives text instead of bytes. When the
 * runtime shows no progress, `transport.canProgress` becomes false and the reading fails like a lost connection.
 */
export function progressFetch(transport: Transport): FetchFunction {
  return (url, { method = "GET", headers, signal }) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      let position = 0;
      let isEnded = false;
      let failure: Error | null = null;
      let wake: () => void = () => undefined;

      const fail = (message: string) => {
        failure ??= new TypeError(message);
        reject(failure);
        wake();
      };
      const timer = setTimeout(() => {
        transport.canProgress = false;
        fail("the runtime shows no progress");
        request.abort();
      }, FIRST_TEXT_MS);
      const stop = () => {
        clearTimeout(timer);
        request.abort();
      };

      const reader = {
        async read(): Promise<{ done: boolean; value?: string }> {
          for (;;) {
            if (failure) throw failure;
            const text = request.responseText;
            if (text.length > position) {
              // Between two events, since the event that a cut drops would be asked for again for ever.
              if (position > MAX_TEXT_CHARACTERS && text.endsWith("\n\n")) isEnded = true;
              const value = text.slice(position);
              position = text.length;
              return { done: false, value };
            }
            if (isEnded) return { done: true };
            await new Promise<void>((resume) => (wake = resume));
          }
        },
        async cancel(): Promise<void> {
          stop();
        },
      };
      const advance = () => {
        if (request.readyState < HEADERS_RECEIVED || request.status === 0) return;
        if (request.responseText !== "") clearTimeout(timer);
        resolve(toResponse(request, reader));
        wake();
      };

      // React Native gives the text as it arrives only to listeners that were added before the request is sent.
      request.addEventListener("readystatechange", advance);
      request.addEventListener("progress", advance);
      request.addEventListener("load", () => {
        isEnded = true;
        clearTimeout(timer);
        advance();
      });
      for (const event of ["error", "abort", "timeout"] as const) {
        request.addEventListener(event, () => {
          clearTimeout(timer);
          fail(`the request ended with "${event}"`);
        });
      }
      signal?.addEventListener("abort", stop);
      request.open(method, url);
      request.responseType = "text";
      for (const [name, value] of Object.entries({ ...headers })) {
        request.setRequestHeader(name, String(value));
      }
      request.send();
    });
}

/** The members of XMLHttpRequest that are used here; not all of the SDK's runtimes have its type. */
interface ProgressRequest {
  readonly readyState: number;
  readonly status: number;
  readonly responseText: string;
  responseType: "text";
  open(method: string, url: string): void;
  setRequestHeader(name: string, value: string): void;
  addEventListener(type: string, listener: () => void): void;
  getAllResponseHeaders(): string;
  send(): void;
  abort(): void;
}

declare const XMLHttpRequest: new () => ProgressRequest;

const HEADERS_RECEIVED = 2;

/** The answer as far as the transport reads one. */
function toResponse(
  request: ProgressRequest,
  reader: { read(): Promise<{ done: boolean; value?: string }> },
): Response {
  const headers = new Headers();
  for (const line of request.getAllResponseHeaders().split("\r\n")) {
    const colon = line.indexOf(":");
    if (colon > 0) headers.append(line.slice(0, colon).trim(), line.slice(colon + 1).trim());
  }
  const { status } = request;
  const answer = {
    ok: status >= 200 && status < 300,
    status,
    headers,
    body: { getReader: () => reader },
    async json(): Promise<unknown> {
      let text = "";
      for (;;) {
        const chunk = await reader.read();
        if (chunk.done) return JSON.parse(text);
        text += chunk.value;
      }
    },
  };
  return answer as unknown as Response;
}
