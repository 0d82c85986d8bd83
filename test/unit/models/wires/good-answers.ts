// Good answers of the three wires, with every member and event that their providers send.

/** One event: the name of its line `event:`, and its data. */
export interface GoodEvent {
  readonly name: string | null;
  readonly data: Readonly<Record<string, unknown>> | "[DONE]";
  /** The group of events that tell the same; undefined for one that only it can tell. */
  readonly group?: string;
}

export const ORDERS = [{ order_id: "A-1001" }, { order_id: "B-2002", amount: 1250 }] as const;

/** The content of an answer. Each call has the order of its index as input. */
export interface Said {
  readonly thinking: string;
  readonly texts: readonly string[];
  readonly calls: number;
}

/** In pieces of which none can be left out unseen. */
function piecesOf(index: number): readonly string[] {
  const input = JSON.stringify(ORDERS[index]);
  return [input.slice(0, -2), input.slice(-2)];
}

function chatAnswer({ thinking, texts, calls }: Said): GoodEvent[] {
  const chunk = (delta: object, finish_reason: string | null = null, usage: unknown = null) => ({
    name: null,
    data: {
      id: "chatcmpl-1",
      object: "chat.completion.chunk",
      created: 1_790_000_000,
      model: "m",
      system_fingerprint: "fp",
      choices: usage ? [] : [{ index: 0, delta, logprobs: null, finish_reason }],
      usage,
    },
  });
  const numbers = Array.from({ length: calls }, (_, index) => index);
  return [
    chunk({ role: "assistant", content: "" }),
    ...(thinking === "" ? [] : [chunk({ reasoning_content: thinking })]),
    ...texts.map((content) => chunk({ content })),
    ...numbers.flatMap((index) => [
      chunk({
        tool_calls: [
          {
            index,
            id: `call_${index}`,
            type: "function",
            function: { name: "look_up", arguments: "" },
          },
        ],
      }),
      ...piecesOf(index).map((piece) =>
        chunk({ tool_calls: [{ index, function: { arguments: piece } }] }),
      ),
    ]),
    chunk({}, calls > 0 ? "tool_calls" : "stop"),
    chunk({}, null, { prompt_tokens: 11, completion_tokens: 7 }),
    { name: null, data: "[DONE]" },
  ];
}

function responsesAnswer({ thinking, texts, calls }: Said): GoodEvent[] {
  let sequence_number = 0;
  const event = (type: string, members: object, group?: string): GoodEvent => {
    const name = `response.${type}`;
    sequence_number += 1;
    return { name, data: { type: name, sequence_number, ...members }, ...(group && { group }) };
  };
  const output: object[] = [];
  const events = [event("created", { response: { id: "resp_1", status: "in_progress" } }, "start")];
  const item = (whole: object, begun: object, between: (place: object) => GoodEvent[]) => {
    const output_index = output.length;
    const { id } = whole as { id: string };
    output.push(whole);
    events.push(
      event("output_item.added", { output_index, item: { ...whole, ...begun } }, "added"),
      ...between({ output_index, item_id: id }),
      event("output_item.done", { output_index, item: whole }, "item"),
    );
  };
  if (thinking !== "") {
    const summary = [{ type: "summary_text", text: thinking }];
    item({ id: "rs_1", type: "reasoning", summary }, { summary: [] }, (place) => {
      const part = { ...place, summary_index: 0 };
      return [
        event("reasoning_summary_part.added", { ...part, part: { text: "" } }, "part"),
        event("reasoning_summary_text.delta", { ...part, delta: thinking }, "delta"),
        event("reasoning_summary_text.done", { ...part, text: thinking }, "part"),
      ];
    });
  }
  if (texts.length > 0) {
    const text = texts.join("");
    const whole = { type: "output_text", text, annotations: [], logprobs: [] };
    const message = { id: "msg_1", type: "message", role: "assistant", status: "completed" };
    item({ ...message, content: [whole] }, { status: "in_progress", content: [] }, (place) => {
      const part = { ...place, content_index: 0 };
      return [
        event("content_part.added", { ...part, part: { ...whole, text: "" } }, "part"),
        ...texts.map((delta) => event("output_text.delta", { ...part, delta }, "delta")),
        event("output_text.done", { ...part, text }, "part"),
        event("content_part.done", { ...part, part: whole }, "part"),
      ];
    });
  }
  for (let index = 0; index < calls; index += 1) {
    const input = JSON.stringify(ORDERS[index]);
    const call = { id: `fc_${index}`, type: "function_call", call_id: `call_${index}` };
    const whole = { ...call, name: "look_up", arguments: input, status: "completed" };
    item(whole, { arguments: "", status: "in_progress" }, (place) => [
      ...piecesOf(index).map((delta) =>
        event("function_call_arguments.delta", { ...place, delta }, "delta"),
      ),
      event("function_call_arguments.done", { ...place, arguments: input }, "part"),
    ]);
  }
  const usage = { input_tokens: 11, output_tokens: 7, input_tokens_details: { cached_tokens: 0 } };
  const response = { id: "resp_1", object: "response", status: "completed", error: null };
  return [...events, event("completed", { response: { ...response, output, usage } })];
}

function messagesAnswer({ thinking, texts, calls }: Said): GoodEvent[] {
  let next = 0;
  const event = (name: string, members: object, group?: string): GoodEvent => ({
    name,
    data: { type: name, ...members },
    ...(group && { group }),
  });
  const block = (content_block: object, group: string, ...deltas: readonly object[]) => {
    const index = next;
    next += 1;
    return [
      event("content_block_start", { index, content_block }, group),
      ...deltas.map((delta) => event("content_block_delta", { index, delta })),
      event("content_block_stop", { index }, "stop"),
    ];
  };
  const usage = { input_tokens: 11, output_tokens: 1, cache_read_input_tokens: 0 };
  const message = { id: "msg_1", type: "message", role: "assistant", model: "m", content: [] };
  return [
    event("message_start", { message: { ...message, stop_reason: null, usage } }, "start"),
    event("ping", {}, "start"),
    ...(thinking === ""
      ? []
      : block(
          { type: "thinking", thinking: "", signature: "" },
          "text",
          { type: "thinking_delta", thinking },
          { type: "signature_delta", signature: "c2ln" },
        )),
    ...(texts.length === 0
      ? []
      : block(
          { type: "text", text: "" },
          "text",
          ...texts.map((text) => ({ type: "text_delta", text })),
        )),
    ...Array.from({ length: calls }, (_, index) =>
      block(
        { type: "tool_use", id: `call_${index}`, name: "look_up", input: {} },
        "",
        ...piecesOf(index).map((partial_json) => ({ type: "input_json_delta", partial_json })),
      ),
    ).flat(),
    event("message_delta", {
      delta: { stop_reason: calls > 0 ? "tool_use" : "end_turn", stop_sequence: null },
      usage: { output_tokens: 7 },
    }),
    event("message_stop", {}, "stop"),
  ];
}

export interface GoodWire {
  readonly answer: (said: Said) => readonly GoodEvent[];
  /** Members that an answer is read without, from all of its events. */
  readonly idle: readonly string[];
  /** Groups of events that an answer is read without, each by itself. */
  readonly idleGroups: readonly (readonly string[])[];
}

export const GOOD_WIRES: Readonly<Record<string, GoodWire>> = {
  "chat completions": {
    answer: chatAnswer,
    idle: ["id", "object", "created", "model", "system_fingerprint", "role", "logprobs", "type"],
    idleGroups: [[]],
  },
  responses: {
    answer: responsesAnswer,
    idle: [
      "id",
      "item_id",
      "call_id",
      "output_index",
      "content_index",
      "summary_index",
      "sequence_number",
      "status",
      "role",
      "annotations",
      "logprobs",
      "object",
    ],
    idleGroups: [
      [],
      ["start"],
      ["delta"],
      ["part"],
      ["item"],
      ["delta", "part"],
      ["added", "part", "delta"],
    ],
  },
  anthropic: {
    answer: messagesAnswer,
    idle: ["index", "id", "role", "model", "stop_sequence", "content", "usage"],
    idleGroups: [[], ["start"], ["stop"], ["text"], ["start", "stop", "text"]],
  },
};
