// A desk whose threads are read and run by AG-UI's own client: looking up just runs, a refund asks, a label is printed
// outside, and what a thread holds is read in three ways that have to agree.
import type { HttpAgent } from "@ag-ui/client";
import { expect, inject } from "vitest";

import type { ToolResultBlock } from "../../../protocol/messages/blocks.ts";
import type { Msg } from "../../../protocol/messages/messages.ts";
import { createAgent, createTenant, openRequest, request } from "../../support/platform-client.ts";
import { releasedClient } from "./released-clients.ts";
import {
  readFrames,
  watchAgent,
  type ClientMessage,
  type WatchedAgent,
  type WatchOptions,
  type WireFrame,
} from "./watched-agent.ts";

const ORDER = {
  type: "object",
  properties: { order_id: { type: "string" }, amount: { type: "string" } },
  required: ["order_id"],
};

/** The state of a client. */
export interface Held {
  readonly messages: readonly ClientMessage[];
  readonly state: unknown;
  readonly pendingInterrupts: HttpAgent["pendingInterrupts"];
}

export interface ThreadDesk {
  readonly key: string;
  readonly agentId: string;
  client(options?: Partial<WatchOptions>): WatchedAgent;
  /** A client that comes to the thread with nothing, or with what it has, and reads until nothing runs. */
  readonly join: (
    threadId: string,
    options?: JoinOptions,
  ) => Promise<Held & { readonly frames: WireFrame[] }>;
  /** All runs of a thread's session in one stream, from the first one on. */
  replay(sessionId: string): Promise<string>;
  /** One POST of a run, as it is. */
  post(body: object, headers?: Readonly<Record<string, string>>): Promise<Response>;
  /** An answer from elsewhere, by the platform's own route, read until the reply ends or waits again. */
  answerElsewhere(sessionId: string, event: object): Promise<void>;
}

interface JoinOptions {
  readonly before?: Partial<Held>;
  /** Behind the thread's id. */
  readonly query?: string;
}

/** @param overrides Of the agent. */
export async function openThreadDesk(overrides: object = {}): Promise<ThreadDesk> {
  const { key } = await createTenant();
  const tool = (name: string, more: object = {}) => {
    const url = `${inject("toolsUrl")}/${name}`;
    return { type: "http", name, input_schema: ORDER, url, ...more };
  };
  const quick = { read_only: true, concurrency_safe: true, idempotent: true };
  // Questions and awaited results of one turn wait together.
  const outside = { type: "external", read_only: true, concurrency_safe: true };
  const tools = [
    tool("lookup_order", quick),
    tool("refund_order", { concurrency_safe: true }),
    { ...outside, name: "print_label", input_schema: { type: "object" } },
  ];
  const agentId = await createAgent(key, { tools, ...overrides });
  const path = `/v1/agents/${agentId}/ag-ui`;
  const { profile, sent } = releasedClient();

  return {
    key,
    agentId,
    client: (options = {}) => watchAgent({ key, agentId, ...options }),
    async join(threadId, { before = {}, query = "" } = {}) {
      const thread = encodeURIComponent(threadId);
      const url = `${path}?thread_id=${thread}&profile=${profile}${query}`;
      const response = await openRequest("GET", url, { key });
      const text = await response.text();
      const held = await play(text, before);
      return { ...held, frames: text === "" ? [] : readFrames(text) };
    },
    async replay(sessionId) {
      const url = `/v1/sessions/${sessionId}/events?format=ag-ui&profile=${profile}&after=0`;
      const headers = { accept: "text/event-stream" };
      return (await openRequest("GET", url, { key, headers })).text();
    },
    post: (body, headers = {}) =>
      openRequest("POST", path, { key, body: { ...sent, ...body }, headers }),
    async answerElsewhere(sessionId, event) {
      const { body } = await request<{ reply_id: string }>("GET", `/v1/sessions/${sessionId}`, {
        key,
      });
      const answered = await openRequest("POST", `/v1/sessions/${sessionId}/events?stream=true`, {
        key,
        body: { ...event, reply_id: body.reply_id },
      });
      expect(answered.status).toBe(200);
      await answered.text();
    },
  };
}

/** The client's state when it has read a stream's text. Rejects where the protocol is violated. */
export async function play(text: string, before: Partial<Held> = {}): Promise<Held> {
  const agent = new (releasedClient().HttpAgent)({
    url: "http://client.invalid/",
    initialMessages: structuredClone([...(before.messages ?? [])]),
    initialState: structuredClone(before.state ?? {}),
    fetch: async () => new Response(text),
  });
  const failures: unknown[] = [];
  await agent.runAgent({}, { onRunFailed: ({ error }) => void failures.push(error) });
  expect(failures).toEqual([]);
  return heldBy(agent);
}

export function heldBy({ messages, state, pendingInterrupts }: HttpAgent): Held {
  return structuredClone({ messages, state: state as unknown, pendingInterrupts });
}

/** Kind, id, and what is said. Results in a row stand in the order of their calls' ids. */
type Said = readonly string[];

/** The platform's stored messages, read by its own words and without its translation. */
export async function storedSayings(key: string, sessionId: string): Promise<readonly Said[]> {
  const path = `/v1/sessions/${sessionId}/messages?limit=100`;
  const { body } = await request<{ data: Msg[] }>("GET", path, { key });
  return sorted(
    body.data.flatMap((message) =>
      message.content.map((block): Said => {
        switch (block.type) {
          case "text":
            return [message.role, message.role === "user" ? message.id : block.id, block.text];
          case "thinking":
            return ["reasoning", block.id, block.thinking];
          case "tool_call":
            return ["call", block.id, block.name, block.input];
          case "tool_result":
            return ["tool", block.id, outputText(block.output)];
          default:
            return [block.type, block.id];
        }
      }),
    ),
  );
}

function outputText(output: ToolResultBlock["output"]): string {
  if (typeof output === "string") return output;
  return output.map((block) => (block.type === "text" ? block.text : block.type)).join("");
}

/** Parts that are no plain text stand as they are. */
function textOf(content: unknown): string {
  return typeof content === "string" ? content : JSON.stringify(content);
}

/** The same of what a client holds. */
export function clientSayings(messages: readonly ClientMessage[]): readonly Said[] {
  return sorted(
    messages.flatMap((message): Said[] => {
      if (message.role === "tool") return [["tool", message.toolCallId, textOf(message.content)]];
      if (message.role !== "assistant")
        return [[message.role, message.id, textOf(message.content)]];
      const { content, toolCalls = [] } = message;
      return [
        ...(content ? [["assistant", message.id, content]] : []),
        ...toolCalls.map((call) => ["call", call.id, call.function.name, call.function.arguments]),
      ];
    }),
  );
}

function sorted(sayings: readonly Said[]): readonly Said[] {
  const rounds: Said[][] = [];
  for (const said of sayings) {
    const round = rounds.at(-1);
    if (said[0] === "tool" && round?.[0]?.[0] === "tool") round.push(said);
    else rounds.push([said]);
  }
  return rounds.flatMap((round) =>
    round.toSorted(([, one = ""], [, other = ""]) => (one < other ? -1 : 1)),
  );
}
