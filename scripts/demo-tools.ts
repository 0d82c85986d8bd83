// The shop's server of the refund desk demo: two HTTP tools, for the local platform.
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface DemoTools {
  readonly port: number;
  stop(): Promise<void>;
}

/** The part of a tool request that these tools use. */
interface ToolRequest {
  readonly tool_call_id: string;
  readonly input: { readonly order_id?: string; readonly amount?: string };
}

interface ToolAnswer {
  readonly status: number;
  readonly body: { readonly output: string; readonly state?: "success" | "error" };
}

interface Order {
  readonly id: string;
  readonly total: string;
  /** The tool's answer as text. */
  readonly report: string;
}

const ORDERS: readonly Order[] = [
  {
    id: "A-1001",
    total: "38.00 EUR",
    report:
      "four espresso cups for 38.00 EUR, delivered by ParcelPost on 12 November and handed to a neighbour on the ground floor.",
  },
  {
    id: "A-1002",
    total: "54.50 EUR",
    report:
      "a walnut serving board for 54.50 EUR, shipped with ParcelPost on 19 November and expected on 24 November.",
  },
  {
    id: "A-1003",
    total: "72.90 EUR",
    report:
      "a ceramic teapot for 72.90 EUR, lost by Northline: it was last seen in the sorting centre of Kassel on 5 November.",
  },
  {
    id: "A-1004",
    total: "46.00 EUR",
    report: "a linen tablecloth for 46.00 EUR, being packed; nothing has been sent yet.",
  },
];

/** @param port The preferred port; a free one when it is in use. */
export async function startDemoTools(port: number): Promise<DemoTools> {
  /** Answers by tool call id: a repeated call is one refund. */
  const refunds = new Map<string, ToolAnswer>();
  const server = createServer((request, response) => {
    void answer(request, response, refunds);
  });
  // Never closes idle connections: the platform reuses them, and could send a request at the moment of closing.
  server.keepAliveTimeout = 0;
  const listening = await new Promise<number>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EADDRINUSE" || port === 0) return reject(error);
      server.once("error", reject);
      server.listen(0, "127.0.0.1");
    });
    server.once("listening", () => resolve((server.address() as AddressInfo).port));
    server.listen(port, "127.0.0.1");
  });
  return {
    port: listening,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  refunds: Map<string, ToolAnswer>,
): Promise<void> {
  let result: ToolAnswer;
  try {
    const call = JSON.parse(await readText(request)) as ToolRequest;
    if (request.method !== "POST") result = fail(405, "tools are called with POST");
    else if (request.url === "/lookup_order") result = lookUp(call);
    else if (request.url === "/refund_order") result = refundOnce(call, refunds);
    else result = fail(404, `there is no tool at ${request.url}`);
  } catch {
    result = fail(400, "the body is no tool call");
  }
  response.writeHead(result.status, { "content-type": "application/json" });
  response.end(JSON.stringify(result.body));
}

function lookUp(call: ToolRequest): ToolAnswer {
  const order = findOrder(call);
  return order ? succeed(order.report) : unknownOrder(call);
}

function refundOnce(call: ToolRequest, refunds: Map<string, ToolAnswer>): ToolAnswer {
  const known = refunds.get(call.tool_call_id);
  if (known) return known;
  const order = findOrder(call);
  if (!order) return unknownOrder(call);
  const { amount = order.total } = call.input;
  const result = succeed(`${amount} for order ${order.id}, as refund R-${refunds.size + 1}.`);
  refunds.set(call.tool_call_id, result);
  return result;
}

function findOrder(call: ToolRequest): Order | undefined {
  return ORDERS.find((order) => order.id === call.input.order_id);
}

function succeed(output: string): ToolAnswer {
  return { status: 200, body: { output } };
}

function fail(status: number, output: string): ToolAnswer {
  return { status, body: { output, state: "error" } };
}

/** A regular answer rather than an HTTP error, so that the model reads it. */
function unknownOrder(call: ToolRequest): ToolAnswer {
  return fail(200, `there is no order ${call.input.order_id}.`);
}

async function readText(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += String(chunk);
  return text;
}
