// A tenant's server for an agent in code: it keeps the questions, and answers each as the test says.
import type { ServerResponse } from "node:http";

import type { Msg } from "../../protocol/messages/messages.ts";
import { startLoopbackServer, type RecordedRequest } from "./loopback-server.ts";

/** A question as it comes over the wire. */
export interface AskedTurn {
  readonly id: string;
  readonly method: "reply" | "handle_interrupt";
  readonly turn: number;
  readonly session_id: string;
  readonly reply_id: string;
  readonly end_user_id: string | null;
  readonly agent: {
    readonly id: string;
    readonly version: number;
    readonly name: string;
    readonly metadata: Readonly<Record<string, unknown>>;
    readonly system_prompt: string;
  };
  readonly input: readonly Msg[];
  readonly history: readonly Msg[];
  readonly message: Msg | null;
  readonly tools: readonly { readonly name: string }[];
  readonly tool_choice: unknown;
  readonly structured_schema: unknown;
  readonly note?: string;
}

export interface AgentServer {
  readonly url: string;
  /** Oldest first. */
  readonly asked: readonly AskedTurn[];
  readonly requests: readonly RecordedRequest[];
  stop(): Promise<void>;
}

/** The JSON of an answer, or a function that writes the response itself. */
export type TurnAnswer = object | ((response: ServerResponse) => void | Promise<void>);

export async function startAgentServer(
  answer: (asked: AskedTurn, count: number) => TurnAnswer | Promise<TurnAnswer>,
): Promise<AgentServer> {
  const asked: AskedTurn[] = [];
  const requests: RecordedRequest[] = [];
  const server = await startLoopbackServer(async (request, response) => {
    requests.push(request);
    if (request.method !== "POST") {
      response.writeHead(405).end();
      return;
    }
    const question = request.body as AskedTurn;
    asked.push(question);
    const answered = await answer(question, asked.length);
    if (typeof answered === "function") {
      await answered(response);
      return;
    }
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(answered));
  });
  return { url: server.url, asked, requests, stop: () => server.stop() };
}

/** The events of a text. */
export function says(text: string, block_id = "b1"): readonly object[] {
  return [
    { type: "TEXT_BLOCK_START", block_id },
    { type: "TEXT_BLOCK_DELTA", block_id, delta: text },
    { type: "TEXT_BLOCK_END", block_id },
  ];
}

/** The events of a call. */
export function calls(
  tool_call_name: string,
  input: object,
  tool_call_id = "c1",
): readonly object[] {
  return [
    { type: "TOOL_CALL_START", tool_call_id, tool_call_name },
    { type: "TOOL_CALL_DELTA", tool_call_id, delta: JSON.stringify(input) },
    { type: "TOOL_CALL_END", tool_call_id },
  ];
}

/** The frames of a stream, each as a piece of the body; a text is sent as it is. */
export function streams(
  frames: readonly (object | string)[],
  { isCut = false } = {},
): (response: ServerResponse) => void {
  return (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const frame of frames) {
      response.write(typeof frame === "string" ? frame : `data: ${JSON.stringify(frame)}\n\n`);
    }
    if (isCut) setImmediate(() => response.destroy());
    else response.end();
  };
}
