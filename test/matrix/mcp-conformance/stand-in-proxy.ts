// In front of an agent's endpoint, for the conformance suite: adds the key, which the suite cannot send, and lets messages
// to the scripted agent stand in for the tools of the suite's own test server. Answers pass as they are.
import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import { ASKING } from "../../support/mcp-desk.ts";

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const SILENCE = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";
const NOTE = btoa("This is an embedded resource.");

/** By the tool that a scenario calls: what the agent is asked. */
const STAND_INS: Readonly<Record<string, object>> = {
  test_simple_text: { message: "/say This is a simple text response for testing." },
  test_image_content: { message: `/data image/png ${PIXEL}` },
  test_audio_content: { message: `/data audio/wav ${SILENCE}` },
  test_embedded_resource: { message: `/data application/octet-stream ${NOTE}` },
  test_multiple_content_types: {
    message: `/say Several kinds:\n/data image/png ${PIXEL}\n/data application/octet-stream ${NOTE}`,
  },
  test_error_handling: { message: "/say Hello.", session_id: "ses_00000000000000000000000000" },
  test_tool_with_progress: {
    message: "/rate 50\n/words 60",
  },
  // Of its stream the scenario wants to see no request and no log message.
  test_streaming_elicitation: { message: ASKING },
  test_logging_tool: { message: "/say Hello." },
  test_input_required_result_elicitation: { message: ASKING },
  test_input_required_result_tampered_state: { message: ASKING },
};

export interface StandInProxy {
  readonly url: string;
  stop(): Promise<void>;
}

/** @param ask The name of the agent's tool. */
export async function startStandInProxy(
  target: URL,
  key: string,
  ask: string,
): Promise<StandInProxy> {
  const server = createServer((incoming, answer) => {
    pass(incoming, answer, { target, key, ask }).catch(() => answer.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    stop() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

interface Passing {
  readonly target: URL;
  readonly key: string;
  readonly ask: string;
}

async function pass(
  incoming: IncomingMessage,
  answer: ServerResponse,
  { target, key, ask }: Passing,
): Promise<void> {
  const pieces: Buffer[] = [];
  for await (const piece of incoming) pieces.push(piece as Buffer);
  const { body, isRewritten } = standIn(Buffer.concat(pieces).toString(), ask);
  const { "content-length": _length, "transfer-encoding": _encoding, ...kept } = incoming.headers;
  const headers = {
    ...kept,
    authorization: `Bearer ${key}`,
    ...(isRewritten && kept["mcp-name"] !== undefined && { "mcp-name": ask }),
    ...(body !== "" && { "content-length": Buffer.byteLength(body) }),
  };
  const outgoing = request(target, { method: incoming.method, headers }, (response) => {
    answer.writeHead(response.statusCode ?? 502, response.headers);
    response.pipe(answer);
  });
  outgoing.on("error", () => answer.destroy());
  answer.on("close", () => outgoing.destroy());
  outgoing.end(body);
}

interface Call {
  readonly method?: string;
  readonly params?: { readonly name?: string };
}

function standIn(text: string, ask: string): { body: string; isRewritten: boolean } {
  const message = readCall(text);
  const name = message?.method === "tools/call" ? message.params?.name : undefined;
  const input = name === undefined ? undefined : STAND_INS[name];
  if (!message || !input) return { body: text, isRewritten: false };
  const params = { ...message.params, name: ask, arguments: input };
  return { body: JSON.stringify({ ...message, params }), isRewritten: true };
}

function readCall(text: string): Call | null {
  try {
    return JSON.parse(text) as Call | null;
  } catch {
    return null;
  }
}
