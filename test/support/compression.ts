// A compression in a test: a conversation, the model that summarises it, and what the loop would ask.
import { CONTEXT_FOLD } from "../../agent/context/context-fold.ts";
import type { CompressionContext } from "../../agent/context/compress-context.ts";
import type { CompressionRequest } from "../../agent/context/context-keeper.ts";
import type { Model, ModelChunk, ModelRequest } from "../../agent/ports.ts";
import { AssistantMsg, UserMsg } from "../../protocol/messages/constructors.ts";
import type { Msg } from "../../protocol/messages/messages.ts";

export const FIELDS = {
  task_overview: "Order a lamp.",
  current_state: "Two were found.",
  important_discoveries: "The red one is sold out.",
  next_steps: "Ask which.",
  context_to_preserve: "Speaks German.",
};
export const USAGE = {
  input_tokens: 100,
  output_tokens: 10,
  cache_input_tokens: 90,
  cache_creation_input_tokens: 0,
};

export type Answering = (request: ModelRequest, call: number) => readonly ModelChunk[];

export function modelOf(answer: Answering): Model & { readonly requests: ModelRequest[] } {
  const requests: ModelRequest[] = [];
  return {
    name: "writer",
    requests,
    async *stream(request) {
      requests.push(request);
      for (const chunk of answer(request, requests.length)) yield chunk;
    },
  };
}

export function called(input: unknown): readonly ModelChunk[] {
  const delta = typeof input === "string" ? input : JSON.stringify(input);
  return [
    { tool_calls: [{ index: 0, id: "c", name: "GenerateStructuredOutput", delta }] },
    { usage: USAGE },
  ];
}

export const said = (text: string): readonly ModelChunk[] => [{ text }, { usage: USAGE }];

export function conversation(turns: number, size = 400): readonly Msg[] {
  return Array.from({ length: turns }, (_, turn) => [
    UserMsg("user", `question ${turn} ${"x".repeat(size)}`, { id: `u${turn}` }),
    AssistantMsg(
      "agent",
      [
        { type: "tool_call", id: `c${turn}`, name: "look", input: "{}" },
        {
          type: "tool_result",
          id: `c${turn}`,
          name: "look",
          output: `found ${turn}`,
          state: "success",
        },
        { type: "text", text: `answer ${turn} ${"y".repeat(size)}`, id: `t${turn}` },
      ],
      { id: `a${turn}` },
    ),
  ]).flat();
}

export function requestOf(given: Partial<CompressionRequest> = {}): CompressionRequest {
  return {
    trigger: "hard_threshold",
    state: CONTEXT_FOLD.initial,
    system_prompt: "Be kind.",
    messages: conversation(10),
    tools: [],
    reply_id: null,
    tokens: 2_100,
    target: 800,
    window: 2_000,
    ...given,
  };
}

const never = (): AbortSignal => new AbortController().signal;

export function contextOf(
  model: Model,
  given: Partial<CompressionContext> = {},
): CompressionContext {
  let ids = 0;
  return {
    settings: {},
    model,
    model_window: 4_000,
    is_own_model: true,
    newId: (prefix) => `${prefix}_${(ids += 1)}`,
    sleep: async () => {},
    random: () => 0,
    stop: never(),
    deadline: never(),
    ...given,
  };
}
