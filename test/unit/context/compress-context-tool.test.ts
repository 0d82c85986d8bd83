// The tool by which a model has its context compressed.
import { describe, expect, it } from "vitest";

import type { ModelChunk, ModelRequest } from "../../../agent/ports.ts";
import { modelError } from "../../../agent/state/model-error.ts";
import { LOOK, SAY, SUMMARY_USAGE, history, play, textOf } from "../../support/fitted-reply.ts";

describe("the tool that compresses the context", () => {
  const COMPRESS: readonly ModelChunk[] = [
    {
      tool_calls: [
        { index: 0, name: "compress_context", delta: '{"instructions":"Keep the colours."}' },
      ],
    },
  ];
  const settings = { compression_tool_enabled: true };

  it("is offered only where the agent has it", async () => {
    const with_tool = await play({ calls: [SAY], settings });
    const without = await play({ calls: [SAY] });
    const names = ({ tools }: ModelRequest) => tools.map(({ name }) => name);

    expect(names(with_tool.model.requests[0]!)).toEqual(["look", "compress_context"]);
    expect(names(without.model.requests[0]!)).toEqual(["look"]);
  });

  it("summarises everything before the message that the reply answers, with its instructions", async () => {
    const { model, writer, custom } = await play({
      calls: [COMPRESS, SAY],
      settings,
      history: history(6, 100),
    });

    expect(textOf(writer.requests[0]!)).toContain("Heed this, too: Keep the colours.");
    expect(custom).toMatchObject([
      { name: "context_compressed", value: { trigger: "tool", last_message_id: "a5" } },
    ]);
    expect(model.requests[1]!.messages.map(({ id }) => id).slice(0, 1)).toEqual(["sum_1"]);
    expect(model.requests[1]!.messages).toHaveLength(3);
  });

  it("that fails loses nothing, and says so once", async () => {
    const { model, writer, custom, log } = await play({
      calls: [COMPRESS, SAY],
      summaries: [[{ error: modelError("permission") }]],
      settings,
      history: history(6, 100),
    });

    expect([writer.requests.length, custom]).toEqual([1, []]);
    expect(model.requests[1]!.messages).toHaveLength(8);
    expect(log.state.message.content.filter(({ type }) => type === "hint")).toMatchObject([
      {
        source: "context-compression",
        hint: expect.stringContaining("could not be made") as string,
      },
    ]);
  });

  it("that fails has what it has used in the reply's usage", async () => {
    const { custom, log } = await play({
      calls: [COMPRESS, SAY],
      summaries: [[{ text: "No." }, { usage: SUMMARY_USAGE }]],
      settings,
      history: history(6, 100),
    });

    const usage = custom[0]?.value["usage"] as typeof SUMMARY_USAGE;
    expect(custom).toMatchObject([
      {
        name: "context_compression_failed",
        reply_id: "rep_1",
        value: {
          trigger: "tool",
          reason: "no_summary",
          model: "writer",
          reply_id: "rep_1",
          error: { type: "upstream" },
        },
      },
    ]);
    expect(usage.input_tokens).toBeGreaterThanOrEqual(SUMMARY_USAGE.input_tokens);
    expect(log.state.message.usage?.input_tokens).toBeGreaterThanOrEqual(usage.input_tokens + 10);
  });

  it("is proposed once when the window fills up", async () => {
    const { log, model } = await play({
      calls: [LOOK, LOOK, SAY],
      settings,
      window: 20_000,
      history: history(50, 1_000),
    });

    expect(log.state.message.content.filter(({ type }) => type === "hint")).toMatchObject([
      { hint: expect.stringContaining("call compress_context") as string },
    ]);
    expect(textOf(model.requests[0]!)).toContain("<context-compression>");
  });
});
