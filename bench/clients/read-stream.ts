// Load client for event streams: Node's HTTP client, without the overhead of `fetch` per chunk.
import { request } from "node:http";

import { CONNECTIONS } from "./connections.ts";
import { TokenReader } from "./token-reader.ts";

export interface StreamOptions {
  readonly url: string;
  readonly method?: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends one request and reads the complete response. */
export function readStream(stream: StreamOptions): Promise<TokenReader> {
  const { url, method = "POST", headers = {}, body = "" } = stream;
  return new Promise((resolve, reject) => {
    const reader = new TokenReader();
    const sent = request(
      url,
      {
        agent: CONNECTIONS,
        method,
        headers: { "content-type": "application/json", ...headers },
      },
      (response) => {
        let refusal = "";
        response.on("data", (bytes: Buffer) => {
          const text = bytes.toString("latin1");
          if (response.statusCode === 200) reader.read(text);
          else refusal += text;
        });
        response.once("error", reject);
        response.once("end", () => {
          if (response.statusCode === 200) resolve(reader);
          else reject(new Error(`${method} ${url}: ${response.statusCode} ${refusal}`));
        });
      },
    );
    sent.once("error", reject);
    sent.end(body);
  });
}
