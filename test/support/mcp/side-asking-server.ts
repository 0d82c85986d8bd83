// MCP servers of both released packages in the older era whose tools ask a person without naming the call: the question is
// sent on the session's own stream (GET), and nowhere while there is none.
import { Buffer } from "node:buffer";

import { McpServer as OlderServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { WebStandardStreamableHTTPServerTransport as OlderTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import { McpServer, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";

import { startLoopbackServer } from "../loopback-server.ts";

/** The package that the server is made with. */
export type SidePackage = "sdk 1.32.2" | "server 2.4.0";

export interface SideAskingServer {
  readonly url: string;
  /** Answers of people. */
  readonly heard: readonly object[];
  /** Numbers of GET streams that are open, and that were opened. */
  readonly streams: { readonly open: number; readonly opened: number };
}

const SEAT = {
  message: "Which seat?",
  requestedSchema: {
    type: "object" as const,
    properties: { seat: { type: "string" as const } },
    required: ["seat"],
  },
};

interface Transport {
  handleRequest(request: Request): Promise<Response>;
}

/** Its tools: `book` asks once, `twice` one after the other. */
export async function startSideAskingServer(
  of: SidePackage,
): Promise<SideAskingServer & { stop(): Promise<void> }> {
  const heard: object[] = [];
  const streams = { open: 0, opened: 0 };
  const sessions = new Map<string, Transport>();
  const server = await startLoopbackServer(async ({ method, headers, body }, response) => {
    const controller = new AbortController();
    response.on("close", () => controller.abort());
    const { signal } = controller;
    const text = method === "POST" ? JSON.stringify(body) : undefined;
    const named = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
      typeof value === "string" ? [[name, value]] : [],
    );
    const request = new Request("http://127.0.0.1/mcp", {
      method,
      headers: named,
      body: text,
      signal,
    });
    const known = sessions.get(request.headers.get("mcp-session-id") ?? "");
    const isBegun = known !== undefined || (text ?? "").includes('"initialize"');
    const answer = isBegun
      ? await (known ?? (await begin())).handleRequest(request)
      : new Response("no such method", { status: 400 });
    if (method === "GET" && answer.ok) {
      streams.open += 1;
      streams.opened += 1;
      response.on("close", () => {
        streams.open -= 1;
        void reader?.cancel().catch(() => undefined);
      });
    }
    const reader = answer.body?.getReader();
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.flushHeaders();
    for (;;) {
      const piece = await reader?.read();
      if (!piece || piece.done) break;
      response.write(Buffer.from(piece.value));
    }
    response.end();
  });
  return {
    url: `${server.url}/mcp`,
    heard,
    streams,
    stop: () => server.stop(),
  };

  async function begin(): Promise<Transport> {
    const settings = {
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id: string) => void sessions.set(id, transport),
    };
    let transport: Transport;
    if (of === "sdk 1.32.2") {
      const made = new OlderTransport(settings);
      transport = made;
      const older = new OlderServer({ name: "travel", version: "1" });
      older.registerTool("book", {}, () => ask(() => older.server.elicitInput(SEAT), 1));
      older.registerTool("twice", {}, () => ask(() => older.server.elicitInput(SEAT), 2));
      await older.connect(made);
    } else {
      const made = new WebStandardStreamableHTTPServerTransport(settings);
      transport = made;
      const newer = new McpServer({ name: "travel", version: "1" });
      newer.registerTool("book", {}, () => ask(() => newer.server.elicitInput(SEAT), 1));
      newer.registerTool("twice", {}, () => ask(() => newer.server.elicitInput(SEAT), 2));
      await newer.connect(made);
    }
    return transport;
  }

  async function ask(elicit: () => Promise<object>, times: number) {
    const answers: object[] = [];
    for (let at = 0; at < times; at += 1) {
      answers.push(await elicit());
    }
    heard.push(...answers);
    return { content: [{ type: "text" as const, text: JSON.stringify(answers) }] };
  }
}
