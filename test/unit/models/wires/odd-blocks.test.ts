// Streams whose blocks do not fit together, and conversations with calls that were never written to their end.
import { describe, expect, it } from "vitest";

import type { ModelChunk } from "../../../../agent/ports.ts";
import { CallIndexes } from "../../../../model/stream/call-indexes.ts";
import { MsgSchema } from "../../../../protocol/messages/messages.ts";
import { collect } from "../../../support/collect.ts";
import { eventText, NEW_WIRES, startWire, WIRES, type Wire } from "./wires.ts";
import { BROAD } from "../../../support/breadth.ts";

const request = { system_prompt: "", messages: [], tools: [] };

/** The chunks that the adapter makes of these events. */
async function play(wire: Wire, events: readonly object[]): Promise<ModelChunk[]> {
  const server = await startWire(wire, (body) => {
    body.raw(eventText(events));
    body.end();
  });
  return collect(wire.model(server.url).stream(request, new AbortController().signal));
}

function wireOf(name: string): Wire {
  const wire = WIRES.find((one) => one.name === name);
  if (!wire) throw new Error(`no wire ${name}`);
  return wire;
}

describe("a conversation with a call whose input is no JSON object", () => {
  const inputs = ["", '{"id":', "no JSON", "[1]", "7", "null"];

  it.each(WIRES.flatMap((wire) => inputs.map((input) => [wire.name, input] as const)))(
    "is sent by %s: %j",
    async (name, input) => {
      const wire = wireOf(name);
      const server = await startWire(wire, (body) => {
        body.raw(eventText([...wire.text("Hi"), ...wire.end(1, 1)]));
        body.end();
      });
      const message = MsgSchema.parse({
        name: "Agent",
        role: "assistant",
        content: [
          { type: "tool_call", id: "call_1", name: "look_up", input },
          { type: "tool_result", id: "call_1", name: "look_up", output: "bad", state: "error" },
        ],
      });

      const stop = new AbortController().signal;
      const chunks = await collect(
        wire.model(server.url).stream({ ...request, messages: [message] }, stop),
      );

      expect(chunks[0]).toEqual({ text: "Hi" });
      expect(JSON.stringify(server.requests[0]?.body)).toContain("call_1");
    },
  );
});

describe("pieces of input of a block that is no call of the platform's tools", () => {
  it("are no call: anthropic", async () => {
    const wire = wireOf("anthropic");
    const delta = { type: "input_json_delta", partial_json: '{"q":1}' };

    const chunks = await play(wire, [
      {
        type: "content_block_start",
        index: 0,
        content_block: { type: "mcp_tool_use", id: "x", name: "search", input: {} },
      },
      { type: "content_block_delta", index: 0, delta },
      { type: "content_block_stop", index: 0 },
      { type: "content_block_delta", index: 9_007_199_254_740_991, delta },
      ...wire.text("Hi"),
      ...wire.end(1, 1),
    ]);

    expect(chunks.filter(({ tool_calls }) => tool_calls)).toEqual([]);
    expect(chunks[0]).toEqual({ text: "Hi" });
  });

  it("are no call: responses", async () => {
    const wire = wireOf("responses");

    const chunks = await play(wire, [
      { type: "response.function_call_arguments.delta", output_index: 9, delta: '{"q":1}' },
      ...wire.text("Hi"),
      ...wire.end(1, 1),
    ]);

    expect(chunks.filter(({ tool_calls }) => tool_calls)).toEqual([]);
    expect(chunks[0]).toEqual({ text: "Hi" });
  });
});

describe("an index that is used again", () => {
  it.each(NEW_WIRES)("is a new call where the id is another: $name", async (wire) => {
    const [first, second] = [wire.call(0), wire.call(1)].map((events) =>
      events.map((event) => ({ ...event, index: 0, output_index: 0 })),
    );

    const chunks = await play(wire, [...(first ?? []), ...(second ?? []), ...wire.end(1, 1)]);

    const calls = chunks.flatMap(({ tool_calls = [] }) => tool_calls);
    expect(calls.map(({ index, id }) => [index, id])).toEqual([
      [0, "call_0"],
      [1, "call_1"],
    ]);
  });

  it("is told by ids of any length", () => {
    const calls = new CallIndexes();
    const long = "x".repeat(1_000);

    const indexes = [`${long}1`, `${long}1`, `${long}2`].map((id) =>
      calls.resolve(0, { id, name: "look_up" }),
    );

    expect(indexes).toEqual([0, 0, 1]);
  });
});

describe("usage of the Messages API", () => {
  it("costs the same however many other members were told before", BROAD, async () => {
    const wire = wireOf("anthropic");
    const told = Array.from({ length: 60_000 }, (_, index) => ({
      type: "message_delta",
      delta: {},
      usage: { input_tokens: 3, [`member_${index}`]: index },
    }));

    const chunks = await play(wire, [...told, ...wire.text("Hi"), ...wire.end(undefined, 4)]);

    expect(chunks.at(-1)?.usage).toMatchObject({ input_tokens: 3, output_tokens: 4 });
  });
});
