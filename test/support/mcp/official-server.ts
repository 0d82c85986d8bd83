// MCP servers made with the official package, on loopback: in both eras, with and without sessions.
import { Buffer } from "node:buffer";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

import {
  createMcpHandler,
  fromJsonSchema,
  isLegacyRequest,
  McpServer,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import * as z from "zod";

/** `legacy stateful`: `initialize` and a session; `legacy stateless`: `initialize` without one; `modern`: 2026-07-28. */
export type ServerKind = "modern" | "legacy stateless" | "legacy stateful";

export interface OfficialServer {
  readonly url: string;
  /** Inputs with which the tools were called, with their names. */
  readonly calls: readonly { readonly name: string; readonly input: unknown }[];
  /** Each request: its method and the method of its message. */
  readonly requests: readonly SeenRequest[];
  /** The calls that were cancelled. */
  readonly cancelled: readonly string[];
  /** Adds a tool from now on. */
  addTool(name: string): void;
  /** Ends all sessions: their ids are unknown from now on. */
  forgetSessions(): void;
  readonly sessions: number;
  stop(): Promise<void>;
}

interface SeenRequest {
  readonly http: string;
  readonly method: string | null;
  readonly headers: Readonly<Record<string, string>>;
}

interface Message {
  readonly method?: string;
}

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** @param extend Adds to each server that is made, before it is connected. */
export async function startOfficialServer(
  kind: ServerKind,
  extend: (server: McpServer) => void = () => undefined,
): Promise<OfficialServer> {
  const calls: { name: string; input: unknown }[] = [];
  const requests: SeenRequest[] = [];
  const cancelled: string[] = [];
  const added: string[] = [];
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  /** Kept while they are answered: the signal of a request that was collected as garbage never aborts. */
  const open = new Set<Request>();
  const make = (): McpServer => {
    const made = makeServer({ calls, cancelled, added });
    extend(made);
    return made;
  };
  const handler = createMcpHandler(make, { legacy: kind === "modern" ? "reject" : "stateless" });

  const server = createServer((incoming, outgoing) => {
    outgoing.on("error", () => {});
    void serve(incoming, outgoing).catch(() => outgoing.destroy());
  });
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the server has no port");
  const url = `http://127.0.0.1:${address.port}/mcp`;

  return {
    url,
    calls,
    requests,
    cancelled,
    addTool: (name) => void added.push(name),
    forgetSessions: () => sessions.clear(),
    get sessions() {
      return sessions.size;
    },
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const controller = new AbortController();
    // From the beginning: a client may leave while its body is read.
    outgoing.on("close", () => controller.abort());
    const request = await toRequest(incoming, url, controller.signal);
    open.add(request);
    outgoing.on("close", () => open.delete(request));
    const message = await readMessage(request.clone());
    // A call that was left before it was read does not begin: `calls` has those that can be told.
    if (controller.signal.aborted) return void open.delete(request);
    requests.push({
      http: request.method,
      method: message?.method ?? null,
      headers: Object.fromEntries(request.headers),
    });
    const response = await answer(request, message);
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    for await (const piece of response.body ?? []) outgoing.write(Buffer.from(piece));
    outgoing.end();
  }

  /** @param message The parsed body. Without it the package would clone the request, and nothing would keep the clone. */
  async function answer(request: Request, message: Message | undefined): Promise<Response> {
    if (kind !== "legacy stateful") {
      if (kind === "legacy stateless" && !(await isLegacyRequest(request, message))) {
        return new Response("Bad Request: no such method", { status: 400 });
      }
      return handler.fetch(request, { parsedBody: message });
    }
    const id = request.headers.get("mcp-session-id");
    const known = id === null ? undefined : sessions.get(id);
    if (known) return known.handleRequest(request);
    if (id !== null) return new Response("Session not found", { status: 404 });
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (opened) => void sessions.set(opened, transport),
      onsessionclosed: (closed) => void sessions.delete(closed),
    });
    await make().connect(transport);
    return transport.handleRequest(request);
  }
}

/** With a keyword that the types of JSON Schema do not know. */
const ROUTED: object = {
  type: "object",
  properties: { region: { type: "string", "x-mcp-header": "Region" } },
  required: ["region"],
};

interface Notes {
  readonly calls: { name: string; input: unknown }[];
  readonly cancelled: string[];
  readonly added: readonly string[];
}

function makeServer({ calls, cancelled, added }: Notes): McpServer {
  const server = new McpServer({ name: "warehouse", version: "3" });
  let count = 0;
  const note = (name: string, input: unknown): void => void calls.push({ name, input });

  server.registerTool(
    "find_order",
    {
      description: "Finds an order.",
      inputSchema: z.object({ order_id: z.string() }),
      outputSchema: z.object({ order_id: z.string(), amount: z.number() }),
      annotations: { readOnlyHint: true, idempotentHint: true, destructiveHint: false },
    },
    (input) => {
      note("find_order", input);
      const found = { ...input, amount: 25 };
      return { content: [{ type: "text", text: JSON.stringify(found) }], structuredContent: found };
    },
  );
  server.registerTool("count", { description: "Counts its calls in a session." }, () => {
    count += 1;
    note("count", {});
    return { content: [{ type: "text", text: `call ${count}` }] };
  });
  server.registerTool("fail", { description: "Fails." }, () => {
    note("fail", {});
    return { content: [{ type: "text", text: "The printer is out of paper." }], isError: true };
  });
  server.registerTool("look", { description: "Gives content of every kind." }, () => ({
    content: [
      { type: "text", text: "A label." },
      { type: "image", data: PIXEL, mimeType: "image/png" },
      { type: "audio", data: btoa("RIFF"), mimeType: "audio/wav" },
      {
        type: "resource",
        resource: { uri: "file:///a.txt", mimeType: "text/plain", text: "in a" },
      },
      {
        type: "resource_link",
        uri: "https://warehouse.example/b",
        name: "b",
        mimeType: "text/html",
      },
    ],
  }));
  server.registerTool(
    "route",
    {
      description: "Is routed by a header.",
      inputSchema: fromJsonSchema<{ region: string }>(ROUTED),
    },
    ({ region }) => ({ content: [{ type: "text", text: `to ${region}` }] }),
  );
  server.registerTool("work", { description: "Reports its progress." }, async (context) => {
    note("work", {});
    const progressToken = context.mcpReq._meta?.progressToken;
    for (const progress of [1, 2]) {
      if (progressToken === undefined) break;
      await context.mcpReq.notify({
        method: "notifications/progress",
        params: { progressToken, progress, total: 2, message: `shelf ${progress}` },
      });
    }
    return { content: [{ type: "text", text: "done" }] };
  });
  server.registerTool("hang", { description: "Never answers." }, async (context) => {
    note("hang", {});
    const { signal } = context.mcpReq;
    await new Promise<void>((resolve) => {
      signal.addEventListener("abort", () => resolve(), { once: true });
      if (signal.aborted) resolve();
    });
    cancelled.push("hang");
    return { content: [] };
  });
  for (const name of added) {
    server.registerTool(name, { description: "Was added later." }, () => ({
      content: [{ type: "text", text: "new" }],
    }));
  }
  return server;
}

async function toRequest(
  incoming: IncomingMessage,
  url: string,
  signal: AbortSignal,
): Promise<Request> {
  const pieces: Buffer[] = [];
  for await (const piece of incoming) pieces.push(Buffer.from(piece));
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (typeof value === "string") headers.set(name, value);
  }
  const method = incoming.method ?? "GET";
  const body = method === "POST" ? Buffer.concat(pieces).toString("utf8") : undefined;
  return new Request(url, { method, headers, body, signal });
}

async function readMessage(request: Request): Promise<Message | undefined> {
  const text = await request.text();
  return text === "" ? undefined : (JSON.parse(text) as Message);
}
