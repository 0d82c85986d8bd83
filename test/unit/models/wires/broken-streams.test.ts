// Streams of the two newer wires that repeat, mix up or blow up what they send.
import { describe, expect, it } from "vitest";

import type { ModelReporter } from "../../../../agent/failure-report.ts";
import { modelError } from "../../../../agent/state/model-error.ts";
import type { ModelChunk } from "../../../../agent/ports.ts";
import { createAnthropicModel } from "../../../../model/anthropic/anthropic-model.ts";
import { createOpenAiModel } from "../../../../model/openai/openai-model.ts";
import { createOutgoing } from "../../../../outgoing/outgoing.ts";
import { collect } from "../../../support/collect.ts";
import { joinChunks } from "../../../support/join-chunks.ts";
import { eventText, NEW_WIRES, startWire, WIRES, type Wire } from "./wires.ts";

const request = { system_prompt: "", messages: [], tools: [] };
const NO_TOKENS = {
  input_tokens: 0,
  output_tokens: 0,
  cache_input_tokens: 0,
  cache_creation_input_tokens: 0,
};

async function play(wire: Wire, events: readonly object[] | string): Promise<ModelChunk[]> {
  const server = await startWire(wire, (body) => {
    body.raw(typeof events === "string" ? events : eventText(events));
    body.end();
  });
  return collect(wire.model(server.url).stream(request, new AbortController().signal));
}

const [RESPONSES, ANTHROPIC] = NEW_WIRES as readonly [Wire, Wire];
const toolUse = (index: unknown, input: unknown, id = "call_1") => ({
  type: "content_block_start",
  index,
  content_block: { type: "tool_use", id, name: "look_up", input },
});
const pieces = (index: unknown, partial_json: string) => ({
  type: "content_block_delta",
  index,
  delta: { type: "input_json_delta", partial_json },
});
const calls = (chunks: readonly ModelChunk[]) =>
  joinChunks(chunks.filter(({ tool_calls }) => tool_calls)).flatMap(
    ({ tool_calls = [] }) => tool_calls,
  );

describe("a call of the Messages API", () => {
  it("whose input is in its start, and streamed besides, has it once", async () => {
    const input = { id: 1 };

    const chunks = await play(ANTHROPIC, [
      toolUse(0, input),
      pieces(0, '{"id":'),
      pieces(0, "1}"),
      toolUse(0, input),
      { type: "content_block_stop", index: 0 },
      ...ANTHROPIC.end(1, 1),
    ]);

    expect(
      calls(chunks)
        .map(({ delta }) => delta)
        .join(""),
    ).toBe('{"id":1}');
  });

  it("whose input is deeper than any has failed, and leaves the stack alone", async () => {
    const deep = `${'{"a":'.repeat(8_000)}1${"}".repeat(8_000)}`;
    const start = JSON.stringify(toolUse(0, "?")).replace('"?"', deep);

    const chunks = await play(ANTHROPIC, `data: ${start}\n\n${eventText(ANTHROPIC.end(1, 1))}`);

    expect(chunks.at(-1)).toEqual({ error: modelError("upstream") });
  });

  it("stops getting pieces when its index becomes a call that the provider runs", async () => {
    const chunks = await play(ANTHROPIC, [
      toolUse(0, {}),
      pieces(0, '{"id":1}'),
      { type: "content_block_stop", index: 0 },
      {
        type: "content_block_start",
        index: 0,
        content_block: { type: "server_tool_use", id: "srv_1", name: "web_search", input: {} },
      },
      pieces(0, '{"query":"x"}'),
      ...ANTHROPIC.end(1, 1),
    ]);

    expect(
      calls(chunks)
        .map(({ delta }) => delta)
        .join(""),
    ).toBe('{"id":1}');
  });
});

describe("an item of the Responses API", () => {
  const done = (output_index: number, item: object) => ({
    type: "response.output_item.done",
    output_index,
    item,
  });
  const message = (text: string) => ({ type: "message", content: [{ type: "output_text", text }] });

  it("whose words were streamed says them once, also when another was streamed since", async () => {
    const chunks = await play(RESPONSES, [
      { type: "response.output_text.delta", output_index: 0, delta: "One. " },
      { type: "response.output_text.delta", output_index: 1, delta: "Two." },
      done(0, message("One. ")),
      done(1, message("Two.")),
      ...RESPONSES.end(1, 1),
    ]);

    expect(joinChunks(chunks)[0]).toEqual({ text: "One. Two." });
  });

  it("that is told again adds nothing to its call", async () => {
    const call = { type: "function_call", call_id: "call_1", name: "look_up", arguments: "{}" };
    const added = {
      type: "response.output_item.added",
      output_index: 0,
      item: { ...call, arguments: "" },
    };

    const chunks = await play(RESPONSES, [
      added,
      { type: "response.function_call_arguments.delta", output_index: 0, delta: "{}" },
      added,
      done(0, call),
      done(0, call),
      ...RESPONSES.end(1, 1),
    ]);

    expect(
      calls(chunks)
        .map(({ delta }) => delta)
        .join(""),
    ).toBe("{}");
  });

  it("that is told at its end alone is a call", async () => {
    const item = {
      type: "function_call",
      call_id: "call_1",
      name: "look_up",
      arguments: '{"id":1}',
    };

    const chunks = await play(RESPONSES, [done(0, item), ...RESPONSES.end(1, 1)]);

    expect(calls(chunks)).toEqual([{ index: 0, id: "call_1", name: "look_up", delta: '{"id":1}' }]);
  });

  it("of reasoning whose parts were announced but not streamed goes back as it was", async () => {
    const summary = [
      { type: "summary_text", text: "A" },
      { type: "summary_text", text: "B" },
    ];
    const part = (summary_index: number) => ({
      type: "response.reasoning_summary_part.added",
      output_index: 0,
      summary_index,
    });

    const chunks = await play(RESPONSES, [
      part(0),
      part(1),
      done(0, { type: "reasoning", id: "rs_1", summary, encrypted_content: "Z0FB" }),
      ...RESPONSES.end(1, 1),
    ]);

    expect(chunks[0]?.thinking).toBe("A\n\nB");
    expect(chunks[1]?.thinking_signature).toContain("Z0FB");
  });
});

describe.each(NEW_WIRES)("a stream of $name", (wire) => {
  it("with a hundred thousand events of unknown types is read in one go", async () => {
    const unknown = Array.from({ length: 100_000 }, (_, index) => ({
      type: `response.future_${index}`,
      index,
    }));

    const chunks = await play(wire, [...unknown, ...wire.text("Hi"), ...wire.end(1, 1)]);

    expect(chunks[0]).toEqual({ text: "Hi" });
    expect(chunks.at(-1)?.error).toBeUndefined();
  });

  it("with ids of a megabyte keeps none of them", async () => {
    const huge = wire
      .call(0)
      .map((event) =>
        JSON.parse(JSON.stringify(event).replaceAll("call_0", "x".repeat(1_000_000))),
      ) as object[];

    const chunks = await play(wire, [...huge, ...huge, ...wire.text("Hi"), ...wire.end(1, 1)]);

    expect(new Set(calls(chunks).map(({ index }) => index))).toEqual(new Set([0]));
  });

  it("with counts of 9e15 counts nothing", async () => {
    const chunks = await play(wire, [...wire.text("Hi"), ...wire.end(9e15, 9e15)]);

    expect(chunks.at(-1)).toEqual({ usage: NO_TOKENS });
  });

  it("that breaks off with an error after some words fails with it", async () => {
    const error = { type: "error", error: { type: "overloaded_error", message: "busy" } };

    const chunks = await play(wire, [...wire.text("Hi"), error, ...wire.text("more")]);

    expect(chunks).toEqual([{ text: "Hi" }, { error: modelError("upstream") }]);
  });
});

describe("counts of the Messages API that together are more than any", () => {
  it("are as if nothing had been told", async () => {
    const usage = { input_tokens: 6_000_000, cache_read_input_tokens: 6_000_000, output_tokens: 1 };

    const chunks = await play(ANTHROPIC, [
      ...ANTHROPIC.text("Hi"),
      { type: "message_delta", delta: { stop_reason: "end_turn" }, usage },
      { type: "message_stop" },
    ]);

    expect(chunks.at(-1)).toEqual({ usage: { ...NO_TOKENS, output_tokens: 1 } });
  });
});

describe("the secret of a model's credential", () => {
  const outgoing = createOutgoing({ environment: "local", fetch });
  const secret = "sk-of-the-tenant-4711";
  const definition = { name: "m", parameters: {} } as const;
  const models = {
    "chat completions": (url: string) =>
      createOpenAiModel({
        definition: { ...definition, provider: "openai", base_url: `${url}/v1` },
        outgoing,
        apiKey: secret,
      }),
    responses: (url: string) =>
      createOpenAiModel({
        definition: { ...definition, provider: "openai", api: "responses", base_url: `${url}/v1` },
        outgoing,
        apiKey: secret,
      }),
    anthropic: (url: string) =>
      createAnthropicModel({
        definition: { ...definition, provider: "anthropic", base_url: url },
        outgoing,
        apiKey: secret,
      }),
  };
  const told = `No: ${secret}.`;
  const error = { type: secret, code: secret, message: told };

  it.each(WIRES)("is in no report where $name repeats it", async (wire) => {
    const server = await startWire(
      wire,
      (body) => body.refuse(400, { error }, { "x-request-id": secret, "request-id": secret }),
      (body) => body.refuse(400, { ...error, error: told }),
      (body) => {
        body.raw(eventText([{ type: "error", error }]));
        body.end();
      },
    );
    const model = models[wire.name as keyof typeof models](server.url);
    const reports: Parameters<ModelReporter>[0][] = [];
    const chunks: ModelChunk[] = [];
    for (let turn = 0; turn < 3; turn += 1) {
      const stream = model.stream(request, new AbortController().signal, (found) =>
        reports.push(found),
      );
      chunks.push(...(await collect(stream)));
    }

    expect(reports).toHaveLength(3);
    expect(JSON.stringify([reports, chunks])).not.toContain(secret);
  });

  it.each(WIRES)("cannot be hidden in a body that $name answers too deeply", async (wire) => {
    const deep = `{"error":${'{"a":'.repeat(9_000)}1${"}".repeat(9_000)}}`;
    const server = await startWire(wire, (body) => {
      body.head(400, { "content-type": "application/json" });
      body.raw(deep);
      body.end();
    });

    const chunks = await collect(
      wire.model(server.url).stream(request, new AbortController().signal),
    );

    expect(chunks).toEqual([{ error: modelError("invalid_request") }]);
  });
});
