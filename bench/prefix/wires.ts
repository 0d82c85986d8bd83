// The wires of models, as far as a scripted session needs them: an answer that calls a tool, and one that says something.

/** Tokens of each answer, which say nothing of the real ones. */
const INPUT_TOKENS = 10;
const OUTPUT_TOKENS = 5;

export interface PrefixWire {
  readonly name: string;
  /** The members of a model definition besides its address. */
  readonly model: Readonly<Record<string, unknown>>;
  /** Below the server's address. */
  readonly path: string;
  /** The events of an answer that thinks and calls a tool. */
  call(id: string, name: string, input: string): readonly object[];
  /** The events of an answer of words. */
  say(text: string): readonly object[];
}

const CHAT: PrefixWire = {
  name: "chat completions",
  model: { provider: "openai" },
  path: "/v1",
  call: (id, name, input) => [
    choice({
      tool_calls: [{ index: 0, id, type: "function", function: { name, arguments: input } }],
    }),
    choice({}, "tool_calls"),
    chatUsage(),
  ],
  say: (content) => [choice({ content }), choice({}, "stop"), chatUsage()],
};

const RESPONSES: PrefixWire = {
  name: "responses",
  model: { provider: "openai", api: "responses" },
  path: "/v1",
  call: (id, name, input) => [
    {
      type: "response.output_item.done",
      output_index: 0,
      item: {
        type: "reasoning",
        id: `rs_${id}`,
        summary: [],
        encrypted_content: "Z0FBQUFB".repeat(40),
      },
    },
    {
      type: "response.output_item.added",
      output_index: 1,
      item: { type: "function_call", call_id: id, name, arguments: "" },
    },
    { type: "response.function_call_arguments.delta", output_index: 1, delta: input },
    completed(),
  ],
  say: (text) => [
    { type: "response.output_text.delta", output_index: 0, delta: text },
    completed(),
  ],
};

const ANTHROPIC: PrefixWire = {
  name: "anthropic",
  model: { provider: "anthropic" },
  path: "",
  call: (id, name, input) => [
    start(),
    block(0, { type: "thinking", thinking: "" }),
    delta(0, { type: "thinking_delta", thinking: "I look that up first." }),
    delta(0, { type: "signature_delta", signature: "c2lnbmVk".repeat(40) }),
    block(1, { type: "tool_use", id, name, input: {} }),
    delta(1, { type: "input_json_delta", partial_json: input }),
    ...stop("tool_use"),
  ],
  say: (text) => [
    start(),
    block(0, { type: "text", text: "" }),
    delta(0, { type: "text_delta", text }),
    ...stop("end_turn"),
  ],
};

export const PREFIX_WIRES: readonly PrefixWire[] = [CHAT, RESPONSES, ANTHROPIC];

function choice(value: object, finish_reason: string | null = null): object {
  return { choices: [{ index: 0, delta: value, finish_reason }] };
}

function chatUsage(): object {
  return { choices: [], usage: { prompt_tokens: INPUT_TOKENS, completion_tokens: OUTPUT_TOKENS } };
}

function completed(): object {
  const usage = { input_tokens: INPUT_TOKENS, output_tokens: OUTPUT_TOKENS };
  return { type: "response.completed", response: { status: "completed", output: [], usage } };
}

function start(): object {
  return { type: "message_start", message: { usage: { input_tokens: INPUT_TOKENS } } };
}

function block(index: number, content_block: object): object {
  return { type: "content_block_start", index, content_block };
}

function delta(index: number, value: object): object {
  return { type: "content_block_delta", index, delta: value };
}

function stop(stop_reason: string): readonly object[] {
  const usage = { output_tokens: OUTPUT_TOKENS };
  return [{ type: "message_delta", delta: { stop_reason }, usage }, { type: "message_stop" }];
}
