// Reads a complete response without parsing it, to measure the sender only.
import { request } from "node:http";

import { CONNECTIONS } from "./connections.ts";

export interface BodyRequest {
  readonly url: string;
  readonly method?: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface ReadBody {
  /** Milliseconds from the request to the last byte. */
  readonly ms: number;
  readonly text: string;
}

/** @throws when the status is an error. */
export function readBody({
  url,
  method = "GET",
  headers = {},
  body = "",
}: BodyRequest): Promise<ReadBody> {
  return new Promise((resolve, reject) => {
    const startedAtMs = performance.now();
    const sent = request(url, { agent: CONNECTIONS, method, headers }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (bytes: Buffer) => parts.push(bytes));
      response.once("error", reject);
      response.once("end", () => {
        const ms = performance.now() - startedAtMs;
        const text = Buffer.concat(parts).toString("utf8");
        const { statusCode = 0 } = response;
        if (statusCode < 300) resolve({ ms, text });
        else reject(new Error(`${method} ${url}: ${statusCode} ${text}`));
      });
    });
    sent.once("error", reject);
    sent.end(body);
  });
}
