// The three wires of models, each with the raw events that its providers send.
import { onTestFinished } from "vitest";

import type { Model } from "../../../../agent/ports.ts";
import { createAnthropicModel } from "../../../../model/anthropic/anthropic-model.ts";
import { createOpenAiModel } from "../../../../model/openai/openai-model.ts";
import { createOutgoing, type OutgoingFetch } from "../../../../outgoing/outgoing.ts";
import {
  FakeBody,
  startFakeEndpoint,
  type EndpointTurn,
  type FakeEndpoint,
} from "../../../support/fake-endpoint.ts";

const requests = createOutgoing({ environment: "local", fetch });

interface ModelAt {
  readonly stall_ms?: number;
  /** In place of real requests. */
  readonly outgoing?: OutgoingFetch;
}

export interface Wire {
  readonly name: string;
  readonly path: string;
  /** @param url Of the server, without a path. */
  model(url: string, settings?: ModelAt): Model;
  /** The events of a whole answer: thinking with its proof, words, two calls, usage, end. */
  readonly answer: readonly object[];
  /** The events of one piece of text. */
  text(text: string, padding?: string): readonly object[];
  /** The events of a call without an end. */
  call(index: number): readonly object[];
  /** The events with which an answer ends, with these counts in it. */
  end(input: unknown, output: unknown): readonly object[];
  /** Events that show that the stream lives, and nothing else. */
  readonly alive: readonly object[];
}

const completed = (usage: object) => ({
  type: "response.completed",
  response: { id: "resp_1", status: "completed", output: [], usage },
});
const item = (output_index: number, value: object) => [
  { type: "response.output_item.added", output_index, item: value },
];
const delta = (index: number, value: object) => ({
  type: "content_block_delta",
  index,
  delta: value,
});
const choice = (value: object, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta: value, finish_reason }],
});
const chatCall = (index: number) => ({
  tool_calls: [
    { index, id: `call_${index}`, type: "function", function: { name: "look_up", arguments: "" } },
  ],
});

const CHAT: Wire = {
  name: "chat completions",
  path: "/v1/chat/completions",
  model: (url, { outgoing = requests, ...settings } = {}) =>
    createOpenAiModel({
      definition: {
        provider: "openai",
        name: "m",
        base_url: `${url}/v1`,
        parameters: {},
        ...settings,
      },
      outgoing,
    }),
  answer: [
    choice({ reasoning: "Hm." }),
    choice({ reasoning_details: [{ type: "reasoning.text", index: 0, signature: "c2ln" }] }),
    choice({ content: "Grüße, " }),
    choice({ content: "I look." }),
    choice(chatCall(0)),
    choice({ tool_calls: [{ index: 0, function: { arguments: '{"id":1}' } }] }),
    choice(chatCall(1)),
    choice({ tool_calls: [{ index: 1, function: { arguments: "{}" } }] }),
    choice({}, "tool_calls"),
    { choices: [], usage: { prompt_tokens: 3, completion_tokens: 4 } },
  ],
  text: (content, padding) => [{ ...choice({ content }), padding }],
  call: (index) => [choice(chatCall(index))],
  end: (prompt_tokens, completion_tokens) => [
    choice({}, "stop"),
    { choices: [], usage: { prompt_tokens, completion_tokens } },
  ],
  alive: [choice({})],
};

const RESPONSES: Wire = {
  name: "responses",
  path: "/v1/responses",
  model: (url, { outgoing = requests, ...settings } = {}) =>
    createOpenAiModel({
      definition: {
        provider: "openai",
        api: "responses",
        name: "m",
        base_url: `${url}/v1`,
        parameters: {},
        ...settings,
      },
      outgoing,
    }),
  answer: [
    { type: "response.created", response: { id: "resp_1" } },
    { type: "response.reasoning_summary_text.delta", output_index: 0, delta: "Hm." },
    {
      type: "response.output_item.done",
      output_index: 0,
      item: {
        id: "rs_1",
        type: "reasoning",
        summary: [{ text: "Hm." }],
        encrypted_content: "Z0FB",
      },
    },
    { type: "response.output_text.delta", output_index: 1, delta: "Grüße, " },
    { type: "response.output_text.delta", output_index: 1, delta: "I look." },
    ...item(2, { type: "function_call", call_id: "call_0", name: "look_up", arguments: "" }),
    { type: "response.function_call_arguments.delta", output_index: 2, delta: '{"id":1}' },
    ...item(3, { type: "function_call", call_id: "call_1", name: "look_up", arguments: "" }),
    { type: "response.function_call_arguments.delta", output_index: 3, delta: "{}" },
    completed({ input_tokens: 3, output_tokens: 4 }),
  ],
  text: (text, padding) => [
    { type: "response.output_text.delta", output_index: 0, delta: text, padding },
  ],
  call: (index) =>
    item(index, { type: "function_call", call_id: `call_${index}`, name: "look_up" }),
  end: (input_tokens, output_tokens) => [completed({ input_tokens, output_tokens })],
  alive: [{ type: "response.in_progress", response: { id: "resp_1" } }],
};

const ANTHROPIC: Wire = {
  name: "anthropic",
  path: "/v1/messages",
  model: (url, { outgoing = requests, ...settings } = {}) =>
    createAnthropicModel({
      definition: { provider: "anthropic", name: "m", base_url: url, parameters: {}, ...settings },
      outgoing,
    }),
  answer: [
    { type: "message_start", message: { usage: { input_tokens: 3 } } },
    { type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "" } },
    delta(0, { type: "thinking_delta", thinking: "Hm." }),
    delta(0, { type: "signature_delta", signature: "c2ln" }),
    { type: "content_block_stop", index: 0 },
    delta(1, { type: "text_delta", text: "Grüße, " }),
    delta(1, { type: "text_delta", text: "I look." }),
    ...[2, 3].flatMap((index) => [
      {
        type: "content_block_start",
        index,
        content_block: { type: "tool_use", id: `call_${index - 2}`, name: "look_up", input: {} },
      },
      delta(index, { type: "input_json_delta", partial_json: index === 2 ? '{"id":1}' : "{}" }),
      { type: "content_block_stop", index },
    ]),
    { type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 4 } },
    { type: "message_stop" },
  ],
  text: (text, padding) => [{ ...delta(0, { type: "text_delta", text }), padding }],
  call: (index) => [
    {
      type: "content_block_start",
      index,
      content_block: { type: "tool_use", id: `call_${index}`, name: "look_up", input: {} },
    },
  ],
  end: (input_tokens, output_tokens) => [
    {
      type: "message_delta",
      delta: { stop_reason: "end_turn" },
      usage: { input_tokens, output_tokens },
    },
    { type: "message_stop" },
  ],
  alive: [{ type: "ping" }],
};

export const WIRES: readonly Wire[] = [CHAT, RESPONSES, ANTHROPIC];
/** The wires that have no suite of their own for what holds for every wire. */
export const NEW_WIRES: readonly Wire[] = [RESPONSES, ANTHROPIC];

/** As they are in a body. */
export function eventText(events: readonly object[]): string {
  return events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
}

export async function startWire(
  { path }: Wire,
  ...turns: readonly EndpointTurn<FakeBody>[]
): Promise<FakeEndpoint> {
  const server = await startFakeEndpoint(path, (response) => new FakeBody(response), turns);
  onTestFinished(() => server.stop());
  return server;
}
