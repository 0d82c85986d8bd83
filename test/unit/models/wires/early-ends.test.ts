// Answers that providers end before the model has finished, or that have nothing but a thought: what the loop makes of
// them, on all wires, against a real server.
import { describe, expect, it } from "vitest";

import type { Diagnostics, DiagnosticFact } from "../../../../agent/ports.ts";
import type { MemoryLog } from "../../../support/memory-log.ts";
import { functionTools } from "../../../support/function-tools.ts";
import { runScript } from "../../../support/run-script.ts";
import { eventText, startWire, WIRES, type Wire } from "./wires.ts";

/** The events of an answer by its parts, and the end that a provider gives. */
interface Answers {
  thought(text: string): readonly object[];
  /** With a signature that goes back to its provider. */
  signed(text: string): readonly object[];
  call(index: number, input: string): readonly object[];
  end(reason: string | null): readonly object[];
}

const choice = (delta: object, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason }],
});
const block = (index: number, content_block: object, ...deltas: readonly object[]) => [
  { type: "content_block_start", index, content_block },
  ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
];
const signature = { type: "reasoning.text", index: 0, signature: "c2ln" };

const CHAT: Answers = {
  thought: (reasoning_content) => [choice({ reasoning_content })],
  signed: (reasoning) => [choice({ reasoning }), choice({ reasoning_details: [signature] })],
  call: (index, input) => [
    choice({
      tool_calls: [
        { index, id: `call_${index}`, type: "function", function: { name: "pay", arguments: "" } },
      ],
    }),
    choice({ tool_calls: [{ index, function: { arguments: input } }] }),
  ],
  end: (reason) => (reason === null ? [] : [choice({}, reason)]),
};

const RESPONSES: Answers = {
  thought: (delta) => [{ type: "response.reasoning_summary_text.delta", output_index: 0, delta }],
  signed: (text) => [
    { type: "response.reasoning_summary_text.delta", output_index: 0, delta: text },
    {
      type: "response.output_item.done",
      output_index: 0,
      item: { id: "rs_1", type: "reasoning", summary: [{ text }], encrypted_content: "Z0FB" },
    },
  ],
  call: (index, input) => [
    {
      type: "response.output_item.added",
      output_index: index + 2,
      item: { type: "function_call", call_id: `call_${index}`, name: "pay", arguments: "" },
    },
    {
      type: "response.function_call_arguments.delta",
      output_index: index + 2,
      delta: input,
    },
  ],
  end: (reason) => [
    reason === "completed"
      ? { type: "response.completed", response: { status: "completed", output: [] } }
      : {
          type: "response.incomplete",
          response: { status: "incomplete", output: [], incomplete_details: { reason } },
        },
  ],
};

const ANTHROPIC: Answers = {
  thought: (thinking) =>
    block(0, { type: "thinking", thinking: "" }, { type: "thinking_delta", thinking }),
  signed: (thinking) => [
    ...block(
      0,
      { type: "thinking", thinking: "" },
      { type: "thinking_delta", thinking },
      { type: "signature_delta", signature: "c2ln" },
    ),
    { type: "content_block_stop", index: 0 },
  ],
  call: (index, partial_json) =>
    block(
      index + 2,
      { type: "tool_use", id: `call_${index}`, name: "pay", input: {} },
      ...(partial_json === "" ? [] : [{ type: "input_json_delta", partial_json }]),
    ),
  end: (stop_reason) => [
    { type: "message_delta", delta: { stop_reason }, usage: { output_tokens: 4 } },
    { type: "message_stop" },
  ],
};

/** For each wire, what its answers look like and how it calls its ends. */
const ENDS = {
  "chat completions": {
    answers: CHAT,
    limit: "length",
    filter: "content_filter",
    whole: "stop",
    calls: "tool_calls",
  },
  responses: {
    answers: RESPONSES,
    limit: "max_output_tokens",
    filter: "content_filter",
    whole: "completed",
    calls: "completed",
  },
  anthropic: {
    answers: ANTHROPIC,
    limit: "max_tokens",
    filter: "sensitive",
    whole: "end_turn",
    calls: "tool_use",
  },
} as const;
type WireName = keyof typeof ENDS;
const NAMES = Object.keys(ENDS) as WireName[];

function wireOf(name: WireName): Wire {
  const wire = WIRES.find((one) => one.name === name);
  if (!wire) throw new Error(`no wire ${name}`);
  return wire;
}

/** Answers in order; the last one again and again. */
async function play(name: WireName, ...answers: readonly (readonly object[])[]) {
  const wire = wireOf(name);
  const isChat = name === "chat completions";
  const server = await startWire(
    wire,
    ...answers.map((events) => (body: { raw(text: string): void; end(): void }) => {
      body.raw(eventText(events) + (isChat ? "data: [DONE]\n\n" : ""));
      body.end();
    }),
  );
  const ran: unknown[] = [];
  const facts: DiagnosticFact[] = [];
  const diagnostics: Diagnostics = { note: (fact) => void facts.push(fact) };
  const tools = functionTools({
    pay: { run: (input) => (ran.push(input), "paid") },
  });
  const log = await runScript({
    script: "Pay the order.",
    models: [wire.model(server.url)],
    tools,
    diagnostics,
  });
  const failures = facts.flatMap((fact) =>
    fact.type === "model_failed" ? [[fact.failure.kind, fact.failure.code ?? null]] : [],
  );
  return { log, ran, failures, requests: server.requests };
}

const said = ({ state }: MemoryLog) =>
  state.message.content.map((one) => (one.type === "thinking" ? one.thinking : one.type));
const resultTexts = ({ state }: MemoryLog) =>
  state.message.content.flatMap((one) =>
    one.type === "tool_result"
      ? [typeof one.output === "string" ? one.output : JSON.stringify(one.output)]
      : [],
  );
const sentInputs = (body: unknown): readonly string[] =>
  [...JSON.stringify(body).matchAll(/call_\d/g)].map(([id]) => id);

describe.each(NAMES)("an answer of nothing but a thought: %s", (name) => {
  const { answers, limit, whole } = ENDS[name];
  const thoughts = [
    ["a thought", answers.thought("Let me think.")],
    ["a thought with a signature", answers.signed("Let me think.")],
  ] as const;

  // HKUDS/DeepTutor#1331
  it.each(thoughts)(
    "is asked for four times, and stands once in the message: %s",
    async (_, thought) => {
      const { log, failures, requests } = await play(name, [...thought, ...answers.end(whole)]);

      expect(requests).toHaveLength(4);
      expect(said(log)).toEqual(["Let me think."]);
      expect(log.state.message).toMatchObject({
        finished_reason: "error",
        error: { type: "upstream" },
      });
      expect(failures).toEqual(Array.from({ length: 4 }, () => ["empty_answer", null]));
    },
  );

  // HKUDS/DeepTutor#1331
  it.each(thoughts)(
    "at the output limit is asked for once, and says why it ended: %s",
    async (_, thought) => {
      const { log, failures, requests } = await play(name, [...thought, ...answers.end(limit)]);

      expect(requests).toHaveLength(1);
      expect(said(log)).toEqual(["Let me think."]);
      expect(log.state.message.error).toEqual({
        type: "invalid_request",
        message: "The model's output limit was spent on thinking, before it gave an answer.",
      });
      expect(failures).toEqual([["output_spent", limit]]);
    },
  );

  it("is no failure when the next one has words", async () => {
    const { log, requests } = await play(
      name,
      [...answers.thought("Let me think."), ...answers.end(whole)],
      [...wireOf(name).text("Paid."), ...answers.end(whole)],
    );

    expect(requests).toHaveLength(2);
    expect(said(log)).toEqual(["text"]);
    expect(log.state.message.finished_reason).toBe("completed");
  });

  it("beside a call is no failure", async () => {
    const { ran, requests } = await play(
      name,
      [
        ...answers.thought("I pay."),
        ...answers.call(0, '{"order_id":"A-1"}'),
        ...answers.end(ENDS[name].calls),
      ],
      [...wireOf(name).text("Paid."), ...answers.end(whole)],
    );

    expect([ran, requests.length]).toEqual([[{ order_id: "A-1" }], 2]);
  });
});

describe.each(NAMES)("an answer without a word: %s", (name) => {
  const { answers, limit, filter, whole } = ENDS[name];

  it("at the output limit is asked for once", async () => {
    const { log, failures, requests } = await play(name, answers.end(limit));

    expect(requests).toHaveLength(1);
    expect(log.state.message.error?.message).toBe(
      "The model's output limit was spent before it gave an answer.",
    );
    expect(failures).toEqual([["output_spent", limit]]);
  });

  // langroid/langroid#658, CherryHQ/cherry-studio#16079
  it.each([
    ["nothing", []],
    ["a thought", answers.thought("Hm.")],
  ] as const)("that a filter withheld is asked for once: %s", async (_, thought) => {
    const { log, failures, requests } = await play(name, [...thought, ...answers.end(filter)]);

    expect(requests).toHaveLength(1);
    expect(log.state.message.error).toEqual({
      type: "invalid_request",
      message: "The model provider's filter has withheld the answer.",
    });
    expect(failures).toEqual([["answer_withheld", filter]]);
  });

  it("that a filter cut off after its first words ends with them", async () => {
    const { log, requests } = await play(name, [...wireOf(name).text("I"), ...answers.end(filter)]);

    expect([requests.length, log.state.message.finished_reason]).toEqual([1, "completed"]);
  });

  it("is asked for four times when nothing says why", async () => {
    const { failures, requests } = await play(name, answers.end(whole));

    expect([requests.length, failures[0]]).toEqual([4, ["empty_answer", null]]);
  });
});

const CUT_INPUTS = [
  // ahwurm/localharness#77, LibreChat-AI/agents#280, jaseci-labs/jac#6766
  ["a number", '{"order_id":"A-1001","amount":12'],
  ["a text", '{"order_id":"A-10'],
  ["behind a comma", '{"order_id":"A-1001",'],
  ["behind a member", '{"order_id":"A-1001"'],
  ["before anything", ""],
] as const;

describe.each(NAMES)("a call that was cut off: %s", (name) => {
  const { answers, limit, filter, whole, calls } = ENDS[name];
  const done = [...wireOf(name).text("All done."), ...answers.end(whole)];

  it.each(CUT_INPUTS)(
    "at the output limit is not run, and the model is told: %s",
    async (_, input) => {
      const turn = [...answers.call(0, input), ...answers.end(limit)];
      const { log, ran, requests } = await play(name, turn, done);

      expect(ran).toEqual([]);
      expect(resultTexts(log)).toEqual([
        expect.stringContaining(
          `Your call of pay was cut off at your output limit, after ${input.length} characters of its input, so it was not run.`,
        ),
      ]);
      // The call goes back with valid JSON, and its result.
      expect(requests).toHaveLength(2);
      expect(sentInputs(requests[1]?.body)).toHaveLength(2);
      expect(log.state.message.finished_reason).toBe("completed");
    },
  );

  it.each(CUT_INPUTS.slice(0, -1))(
    "is not run where the reason says nothing: %s",
    async (_, input) => {
      const turn = [...answers.call(0, input), ...answers.end(calls)];
      const { log, ran } = await play(name, turn, done);

      expect(ran).toEqual([]);
      expect(resultTexts(log)).toEqual([expect.stringContaining("is cut off")]);
    },
  );

  it("does not keep the whole calls beside it from running", async () => {
    const turn = [
      ...answers.call(0, ""),
      ...answers.call(1, '{"order_id":"A-1"}'),
      ...answers.call(2, '{"order_id":"A'),
      ...answers.end(limit),
    ];
    const { log, ran } = await play(name, turn, done);

    expect(ran).toEqual([{}, { order_id: "A-1" }]);
    expect(resultTexts(log).filter((text) => text.includes("cut off"))).toHaveLength(1);
  });

  it("is run where its input is whole at the limit", async () => {
    const turn = [...answers.call(0, '{"order_id":"A-1"}'), ...answers.end(limit)];
    const { ran } = await play(name, turn, done);

    expect(ran).toEqual([{ order_id: "A-1" }]);
  });

  it("by a filter is not run, and the model is told so", async () => {
    const turn = [...answers.call(0, '{"order_id":"A'), ...answers.end(filter)];
    const { log, ran } = await play(name, turn, done);

    expect([ran, resultTexts(log)]).toEqual([
      [],
      [expect.stringContaining("by the provider's filter")],
    ]);
  });
});
