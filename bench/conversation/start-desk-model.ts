// A model that works at a desk for any number of turns, and what it was sent: it calls two tools, then one, then answers, and
// writes a summary when it is asked for one.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

export interface DeskModel {
  /** For a model's `base_url`. */
  readonly baseUrl: string;
  /** The requests since the last time, which are forgotten then. */
  takeSent(): readonly SentRequest[];
  stop(): void;
}

export interface SentRequest {
  /** Bytes of the whole body. */
  readonly bytes: number;
  /** Bytes of what the model reads: contents, names and arguments, and the declarations of tools. */
  readonly textBytes: number;
  /** Calls without a result, and results without a call. */
  readonly unpaired: number;
  readonly isSummary: boolean;
}

interface Message {
  readonly role: string;
  readonly content?: unknown;
  readonly tool_call_id?: string;
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
}

interface ChatRequest {
  readonly messages: readonly Message[];
  readonly tools?: readonly { readonly function: object }[];
}

const SUMMARY_MEMBERS = [
  "task_overview",
  "current_state",
  "important_discoveries",
  "next_steps",
  "context_to_preserve",
];
/** A part of the platform's request for a summary, by which a reader of its requests knows it. */
const SUMMARY_ASKED = "about to be replaced by a summary";

/** @param tool The name that it calls. */
export async function startDeskModel(tool: string): Promise<DeskModel> {
  let sent: SentRequest[] = [];
  let calls = 0;
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      const chat = body as ChatRequest;
      const { messages } = chat;
      const isSummary = JSON.stringify(messages.at(-1)).includes(SUMMARY_ASKED);
      sent.push({
        bytes: Buffer.byteLength(JSON.stringify(body)),
        textBytes: countText(chat),
        unpaired: countUnpaired(messages),
        isSummary,
      });
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(eventStream(isSummary ? [{ content: summary() }] : work(messages)));
    });
  });
  server.keepAliveTimeout = 600_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    takeSent() {
      const taken = sent;
      sent = [];
      return taken;
    },
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };

  function work(messages: readonly Message[]): readonly object[] {
    const results = resultsOfTurn(messages);
    if (results === 0) return [call(0), call(1)];
    if (results === 2) return [{ content: "One more." }, call(0)];
    return [{ content: `That is done. ${"It went well. ".repeat(15)}` }];
  }

  function call(index: number): object {
    calls += 1;
    const input = JSON.stringify({ order_id: `A-${calls}` });
    const id = `call_${calls}`;
    return {
      tool_calls: [{ index, id, type: "function", function: { name: tool, arguments: input } }],
    };
  }
}

/** Results of the turn that is under way. */
function resultsOfTurn(messages: readonly Message[]): number {
  let results = 0;
  for (const { role, tool_calls } of messages.toReversed()) {
    if (role === "tool") results += 1;
    else if (role !== "assistant" || !tool_calls) break;
  }
  return results;
}

function summary(): string {
  return JSON.stringify(
    Object.fromEntries(SUMMARY_MEMBERS.map((name) => [name, `${name}: ${"noted. ".repeat(20)}`])),
  );
}

function eventStream(deltas: readonly object[]): string {
  const choices = deltas.map((delta) => ({ choices: [{ index: 0, delta, finish_reason: null }] }));
  const last = { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] };
  return [...choices, last].map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
}

function countText({ messages, tools = [] }: ChatRequest): number {
  const texts = messages.flatMap(({ content, tool_calls = [] }) => [
    typeof content === "string" ? content : JSON.stringify(content ?? ""),
    ...tool_calls.flatMap((call) => [call.function.name, call.function.arguments]),
  ]);
  const declared = tools.map((tool) => JSON.stringify(tool.function));
  return [...texts, ...declared].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}

function countUnpaired(messages: readonly Message[]): number {
  const open = new Set<string>();
  let unpaired = 0;
  for (const { tool_calls = [], tool_call_id } of messages) {
    for (const { id } of tool_calls) open.add(id);
    if (tool_call_id !== undefined && !open.delete(tool_call_id)) unpaired += 1;
  }
  return unpaired + open.size;
}
