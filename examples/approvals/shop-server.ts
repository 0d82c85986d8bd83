import { createServer } from "node:http";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

import { WebhookVerificationError } from "@reprise/sdk";

/** Webhooks have 20 kB at most, and a refund's input is short. */
const MAX_BODY_BYTES = 100_000;

export interface Answer {
  readonly status: number;
  /** Sent as JSON. */
  readonly body?: object;
}

/** @param body The raw body, which signatures cover. */
export type Route = (body: Buffer, headers: IncomingHttpHeaders) => Promise<Answer>;

export interface ShopServer {
  /** Without a trailing slash. */
  readonly url: string;
  /** Sets the handlers of POSTs by path. */
  serve(routes: Readonly<Record<string, Route>>): void;
  close(): Promise<void>;
}

/** The shop's HTTP server. It is started before its routes are set, because their secrets are created with its URL. */
export async function startShopServer(): Promise<ShopServer> {
  const routes = new Map<string, Route>();
  const server = createServer((request, response) => {
    void answer(request, routes).then(({ status, body }) => {
      response.writeHead(status, body && { "content-type": "application/json" });
      response.end(body && JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    // Never closes idle connections: the platform reuses them, and could send a request at the moment of closing.
    server.keepAliveTimeout = 0;
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    serve(added) {
      for (const [path, route] of Object.entries(added)) routes.set(path, route);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  request: IncomingMessage,
  routes: ReadonlyMap<string, Route>,
): Promise<Answer> {
  const route = request.method === "POST" && routes.get(request.url ?? "");
  if (!route) return { status: 404 };
  try {
    const body = await readBody(request);
    return body ? await route(body, request.headers) : { status: 413 };
  } catch (error) {
    if (WebhookVerificationError.isInstance(error)) return { status: 401 };
    console.error(error);
    // The platform retries webhooks and idempotent tool calls after this answer.
    return { status: 500 };
  }
}

/** Null when it is too large: the sender is not authenticated yet. */
async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of request.iterator({ destroyOnReturn: false })) {
    const bytes = Buffer.from(piece as Uint8Array);
    size += bytes.length;
    if (size > MAX_BODY_BYTES) return null;
    pieces.push(bytes);
  }
  return Buffer.concat(pieces);
}
