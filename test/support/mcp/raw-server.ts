// An MCP server of the older era that answers as the test says, byte by byte where it wants.
import type { ServerResponse } from "node:http";

import { startLoopbackServer, type RecordedRequest } from "../loopback-server.ts";

interface RpcMessage {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: { readonly cursor?: string; readonly _meta?: { progressToken?: string } };
}

/** Answers one method. What it returns is the result; undefined when it has answered by itself. */
export type RawMethod = (
  message: RpcMessage,
  response: ServerResponse,
  request: RecordedRequest,
) => object | undefined | Promise<object | undefined>;

export interface RawServer {
  readonly url: string;
  readonly methods: readonly string[];
  readonly posts: readonly RpcMessage[];
  readonly gets: readonly RecordedRequest[];
  /** Replaces the answer to a method from now on. */
  on(method: string, answer: RawMethod): void;
  stop(): Promise<void>;
}

export const TOOL = { name: "act", inputSchema: { type: "object" } };

/** @param methods In place of the usual answers: one tool `act`, which gives `done`. */
export async function startRawServer(
  methods: Readonly<Record<string, RawMethod>> = {},
): Promise<RawServer> {
  const answers = new Map<string, RawMethod>([
    [
      "initialize",
      () => ({
        protocolVersion: "2025-11-25",
        capabilities: { tools: {} },
        serverInfo: { name: "raw", version: "1" },
      }),
    ],
    ["tools/list", () => ({ tools: [TOOL] })],
    ["tools/call", () => ({ content: [{ type: "text", text: "done" }] })],
    ...Object.entries(methods),
  ]);
  const posts: RpcMessage[] = [];
  const gets: RecordedRequest[] = [];
  const server = await startLoopbackServer(async (request, response) => {
    if (request.method === "GET") {
      gets.push(request);
      const get = answers.get("GET");
      if (get) await get({}, response, request);
      else response.writeHead(405).end();
      return;
    }
    const message = (request.body ?? {}) as RpcMessage;
    posts.push(message);
    const method = answers.get(message.method ?? "");
    if (message.id === undefined || message.method === undefined) {
      if (method) await method(message, response, request);
      else response.writeHead(202).end();
      return;
    }
    if (!method) {
      writeJson(response, {
        id: message.id,
        error: { code: -32_601, message: "Method not found" },
      });
      return;
    }
    const result = await method(message, response, request);
    if (result) writeJson(response, { id: message.id, result });
  });
  return {
    url: `${server.url}/mcp`,
    stop: () => server.stop(),
    posts,
    gets,
    get methods() {
      return posts.flatMap(({ method }) => method ?? []);
    },
    on: (method, answer) => void answers.set(method, answer),
  };
}

export function writeJson(response: ServerResponse, message: object): void {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify({ jsonrpc: "2.0", ...message }));
}

/** Begins a stream of events. @returns what writes a message to it. */
export function openStream(response: ServerResponse): (message: object, id?: string) => void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  return (message, id) => {
    const data = JSON.stringify({ jsonrpc: "2.0", ...message });
    response.write(`${id === undefined ? "" : `id: ${id}\n`}data: ${data}\n\n`);
  };
}
