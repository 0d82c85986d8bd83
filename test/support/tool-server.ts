// A tenant's tool server: each path answers in one of the ways that tools answer, good and bad.
import type { ServerResponse } from "node:http";

import {
  startLoopbackServer,
  type LoopbackServer,
  type RecordedRequest,
} from "./loopback-server.ts";

export type ToolRoute = (response: ServerResponse, request: RecordedRequest) => unknown;

export interface ToolServer extends LoopbackServer {
  /** All requests so far, oldest first. */
  readonly requests: readonly RecordedRequest[];
  /** The number of calls that a path got. */
  calls(path: string): number;
  /** Resolves when a connection of this path was closed by its client. */
  abandoned(path: string): Promise<void>;
}

/** Answers with a body in one piece. */
export function answer(
  body: string | Buffer,
  contentType = "application/json",
  status = 200,
): ToolRoute {
  return (response) => {
    response.writeHead(status, { "content-type": contentType });
    response.end(body);
  };
}

/** Writes the pieces with a turn of the event loop between them, then ends, or cuts the socket. */
export function pieces(
  parts: readonly (string | Buffer)[],
  { contentType = "text/plain", ending = "end" as "end" | "cut" | "hang" } = {},
): ToolRoute {
  return async (response) => {
    response.writeHead(200, { "content-type": contentType });
    for (const part of parts) {
      response.write(part);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    if (ending === "end") response.end();
    else if (ending === "cut") response.destroy();
  };
}

/** Takes the request and never answers. */
export const silence: ToolRoute = () => {};

/** Answers with the input that it was given. */
export const echo: ToolRoute = (response, request) => {
  response.writeHead(200, { "content-type": "application/json" });
  const { input } = request.body as { input: unknown };
  response.end(JSON.stringify({ output: JSON.stringify(input) }));
};

/** @param routes By path, with the leading slash. Any other path is 404. */
export async function startToolServer(
  routes: Readonly<Record<string, ToolRoute>>,
): Promise<ToolServer> {
  const requests: RecordedRequest[] = [];
  const abandonments = new Map<string, PromiseWithResolvers<void>>();
  const server = await startLoopbackServer(async (request, response) => {
    requests.push(request);
    response.on("close", () => {
      if (!response.writableEnded) abandonment(request.path).resolve();
    });
    const route = routes[request.path] ?? answer("no such tool", "text/plain", 404);
    await route(response, request);
  });
  return {
    ...server,
    requests,
    calls: (path) => requests.filter((request) => request.path === path).length,
    abandoned: (path) => abandonment(path).promise,
  };

  function abandonment(path: string): PromiseWithResolvers<void> {
    const known = abandonments.get(path) ?? Promise.withResolvers<void>();
    abandonments.set(path, known);
    return known;
  }
}
