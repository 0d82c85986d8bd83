// An MCP server for the pictures of the console: a warehouse with three tools.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface Warehouse {
  readonly url: string;
  stop(): Promise<void>;
}

interface Message {
  readonly id?: string | number;
  readonly method?: string;
}

const order = {
  type: "object",
  properties: { order_id: { type: "string", description: "Such as A-1003." } },
  required: ["order_id"],
};
const TOOLS = [
  {
    name: "find_order",
    title: "Find an order",
    description: "Finds an order, and says on which shelf it is.",
    inputSchema: order,
    annotations: { readOnlyHint: true, idempotentHint: true },
    _meta: { ui: { resourceUri: "ui://warehouse/order" } },
  },
  { name: "move_order", description: "Moves an order to another shelf.", inputSchema: order },
  {
    name: "refresh_order",
    description: "Reads the order of the page anew.",
    inputSchema: order,
    _meta: { ui: { visibility: ["app"] } },
  },
];
const RESULTS: Readonly<Record<string, object>> = {
  initialize: {
    protocolVersion: "2025-11-25",
    capabilities: { tools: {} },
    serverInfo: { name: "warehouse", version: "1" },
  },
  "tools/list": { tools: TOOLS },
  "tools/call": {
    content: [{ type: "text", text: "Order A-1003 is on shelf 7." }],
    structuredContent: { order_id: "A-1003", shelf: 7 },
  },
};

/** On a free port of this machine. */
export async function startWarehouse(): Promise<Warehouse> {
  const server = createServer((request, response) => {
    void answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = "";
  for await (const piece of request) body += String(piece);
  if (request.method !== "POST") {
    response.writeHead(405).end();
    return;
  }
  const { id, method = "" } = JSON.parse(body) as Message;
  if (id === undefined) {
    response.writeHead(202).end();
    return;
  }
  const result = RESULTS[method];
  const outcome = result ? { result } : { error: { code: -32_601, message: "Method not found" } };
  response.writeHead(200, { "Content-Type": "application/json" });
  response.end(JSON.stringify({ jsonrpc: "2.0", id, ...outcome }));
}
