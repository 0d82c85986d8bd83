// An MCP server that does what delays others: a way of it is a path.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

const TOOLS = 10_000;
const NOTICES = 200_000;
const ANSWER_BYTES = 100_000_000;
const CHUNK = "x".repeat(64_000);

/** Pages of a catalogue, tools of each, and characters of each description: 2 MB a page. */
const PAGES = 16;
const PAGE_TOOLS = 40;
const PAGE_DESCRIPTION = "x".repeat(50_000);
const LARGE_ANSWER = "x".repeat(7_500_000);

export type McpWay = "catalogue" | "progress" | "answer" | "pages" | "large";

export interface HostileMcpServer {
  readonly urlOf: (way: McpWay) => string;
  stop(): void;
}

export async function startHostileMcpServer(): Promise<HostileMcpServer> {
  const server = createServer((request, response) => {
    response.on("error", () => undefined);
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    urlOf: (way) => `http://127.0.0.1:${port}/${way}`,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

interface Message {
  readonly id?: string | number;
  readonly method: string;
  readonly params?: {
    readonly cursor?: string;
    readonly _meta?: { readonly progressToken?: string };
  };
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = "";
  for await (const piece of request) body += String(piece);
  if (request.method !== "POST") return end(response, 405);
  const { id, method, params } = JSON.parse(body) as Message;
  if (id === undefined) return end(response, 202);
  const way = (request.url ?? "").slice(1) as McpWay;
  switch (method) {
    case "initialize":
      return send(response, id, {
        protocolVersion: "2025-11-25",
        capabilities: { tools: {} },
        serverInfo: { name: "hostile", version: "1" },
      });
    case "tools/list":
      if (way === "pages") return send(response, id, pageOf(Number(params?.cursor ?? 0)));
      return send(response, id, { tools: way === "catalogue" ? LARGE_CATALOGUE : [ACT] });
    case "tools/call":
      if (way === "answer") return flood(response, id);
      if (way === "large")
        return send(response, id, { content: [{ type: "text", text: LARGE_ANSWER }] });
      return notify(response, id, params?._meta?.progressToken);
    default:
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32_601, message: "no" } }));
  }
}

const ACT = { name: "act", inputSchema: { type: "object" } };

/** Each schema wants its own compilation, with a pattern that takes exponential time where it is matched step by step. */
const LARGE_CATALOGUE = [
  ACT,
  ...Array.from({ length: TOOLS }, (_, index) => ({
    name: `tool_${index}`,
    description: "x".repeat(100),
    inputSchema: {
      type: "object",
      properties: { [`text_${index}`]: { type: "string", pattern: "^(a+)+$" } },
    },
  })),
];

function pageOf(page: number): object {
  const tools = Array.from({ length: PAGE_TOOLS }, (_, index) => ({
    name: `tool_${page}_${index}`,
    description: PAGE_DESCRIPTION,
    inputSchema: { type: "object" },
  }));
  return { tools, ...(page + 1 < PAGES && { nextCursor: String(page + 1) }) };
}

function end(response: ServerResponse, status: number): void {
  response.writeHead(status).end();
}

function send(response: ServerResponse, id: string | number, result: object): void {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify({ jsonrpc: "2.0", id, result }));
}

async function flood(response: ServerResponse, id: string | number): Promise<void> {
  response.writeHead(200, { "content-type": "application/json" });
  response.write(
    `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[{"type":"text","text":"`,
  );
  for (let sent = 0; sent < ANSWER_BYTES && !response.destroyed; sent += CHUNK.length) {
    // Sequential: a server sends no faster than it is read.
    if (!response.write(CHUNK)) await drained(response);
  }
  response.end('"}]}}');
}

async function notify(
  response: ServerResponse,
  id: string | number,
  progressToken: string | undefined,
): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (let progress = 1; progress <= NOTICES && !response.destroyed; progress += 1) {
    const params = { progressToken, progress, message: "still at it" };
    const notice = { jsonrpc: "2.0", method: "notifications/progress", params };
    if (!response.write(`data: ${JSON.stringify(notice)}\n\n`)) await drained(response);
  }
  const result = { content: [{ type: "text", text: "done" }] };
  response.end(`data: ${JSON.stringify({ jsonrpc: "2.0", id, result })}\n\n`);
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off("drain", done);
      response.off("close", done);
      resolve();
    };
    response.on("drain", done);
    response.on("close", done);
  });
}
