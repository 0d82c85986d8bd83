// Plays turns of a fake Messages API through the adapter.
import { onTestFinished } from "vitest";

import type { ModelChunk, ModelRequest } from "../../../../agent/ports.ts";
import { modelError } from "../../../../agent/state/model-error.ts";
import {
  createAnthropicModel,
  type AnthropicModelSettings,
} from "../../../../model/anthropic/anthropic-model.ts";
import { createOutgoing } from "../../../../outgoing/outgoing.ts";
import { MsgSchema, type ErrorType } from "../../../../protocol/messages/messages.ts";
import { collect } from "../../../support/collect.ts";
import { startFakeAnthropic, type AnthropicTurn } from "../../../support/fake-anthropic.ts";
import type { FakeEndpoint } from "../../../support/fake-endpoint.ts";
import { joinChunks } from "../../../support/join-chunks.ts";

export const outgoing = createOutgoing({ environment: "local", fetch });

export const question: ModelRequest = {
  system_prompt: "You are the refund desk.",
  messages: [
    MsgSchema.parse({
      name: "user",
      role: "user",
      content: [{ type: "text", text: "Where is my order?" }],
    }),
  ],
  tools: [],
};

export const lookUp = {
  name: "look_up",
  description: "Looks an order up.",
  input_schema: { type: "object", properties: { id: { type: "string" } } },
  read_only: true,
  concurrency_safe: true,
  idempotent: true,
};

type Settings = Partial<AnthropicModelSettings["definition"]> & { readonly apiKey?: string };

export function modelAt(base_url: string, { apiKey, ...definition }: Settings = {}) {
  return createAnthropicModel({
    definition: {
      provider: "anthropic",
      name: "claude-fake",
      base_url,
      parameters: {},
      ...definition,
    },
    outgoing,
    ...(apiKey !== undefined && { apiKey }),
  });
}

export async function start(...turns: readonly AnthropicTurn[]): Promise<FakeEndpoint> {
  const server = await startFakeAnthropic(...turns);
  onTestFinished(() => server.stop());
  return server;
}

export const running = () => new AbortController().signal;

/** The chunks of the model in one turn. */
export async function play(turn: AnthropicTurn, settings: Settings = {}): Promise<ModelChunk[]> {
  const server = await start(turn);
  return joinChunks(await collect(modelAt(server.url, settings).stream(question, running())));
}

/** The body of the request for these messages. */
export async function bodyOf(
  turn: AnthropicTurn,
  request: ModelRequest,
  settings: Settings = {},
): Promise<Record<string, unknown>> {
  const server = await start(turn);
  await collect(modelAt(server.url, settings).stream(request, running()));
  return server.requests[0]?.body as Record<string, unknown>;
}

export function failed(type: ErrorType): ModelChunk {
  return { error: modelError(type) };
}
