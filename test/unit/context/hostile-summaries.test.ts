// A compression by models that answer badly, too much, or not at all.
import { describe, expect, it } from "vitest";

import { compressContext } from "../../../agent/context/compress-context.ts";
import type { Model, ModelChunk } from "../../../agent/ports.ts";
import { modelError } from "../../../agent/state/model-error.ts";
import {
  type Answering,
  modelOf,
  called,
  said,
  requestOf,
  contextOf,
} from "../../support/compression.ts";

describe("a model that does not write a summary", () => {
  const failing: readonly (readonly [string, Answering])[] = [
    ["refuses", () => [{ error: modelError("authentication") }]],
    ["says nothing", () => []],
    ["tells stories", () => said("Once upon a time")],
    ["fills in something else", () => called({ task_overview: ["a"] })],
    ["writes no JSON", () => called("{{{{")],
    ["nests without end", () => called(`${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}`)],
    ["floods with text", () => Array.from({ length: 3_000 }, () => ({ text: "x".repeat(1_000) }))],
    [
      "floods with empty chunks",
      () => Array.from({ length: 300_000 }, () => ({ thinking: "" })) as readonly ModelChunk[],
    ],
    [
      "is too small for anything",
      () => [{ error: modelError("invalid_request"), context_too_long: true }],
    ],
  ];

  it.each(failing)(
    "%s: the compression fails, and says what would be left out",
    async (_, answer) => {
      const outcome = await compressContext(requestOf(), contextOf(modelOf(answer)));

      expect(outcome).toMatchObject({
        type: "failed",
        truncation: {
          first_message_id: "u0",
          last_message_id: "u8",
          last_block_id: null,
          tokens_before: 2_100,
          reason: "compression_failed",
        },
      });
    },
  );

  it("throws: the compression fails", async () => {
    const model: Model = {
      name: "broken",
      // oxlint-disable-next-line require-yield
      async *stream() {
        throw new Error("broken");
      },
    };

    expect(await compressContext(requestOf(), contextOf(model))).toMatchObject({ type: "failed" });
  });

  it("hangs and heeds no signal: the compression fails when its time is over", async () => {
    const late = new AbortController();
    const model: Model = {
      name: "hanging",
      // oxlint-disable-next-line require-yield
      async *stream() {
        late.abort();
        await new Promise(() => {});
      },
    };

    expect(
      await compressContext(requestOf(), contextOf(model, { deadline: late.signal })),
    ).toMatchObject({
      type: "failed",
      error: { message: "The model took too long to summarise the conversation." },
    });
  });

  it("hangs while the reply is stopped: the compression ends without an outcome", async () => {
    const stopping = new AbortController();
    const model: Model = {
      name: "hanging",
      // oxlint-disable-next-line require-yield
      async *stream() {
        stopping.abort();
        await new Promise(() => {});
      },
    };

    expect(await compressContext(requestOf(), contextOf(model, { stop: stopping.signal }))).toEqual(
      { type: "stopped" },
    );
  });

  it("counts what was used all the same", async () => {
    const outcome = await compressContext(requestOf(), contextOf(modelOf(() => said("no"))));

    expect(outcome).toMatchObject({
      truncation: { usage: { input_tokens: 300, output_tokens: 30 } },
    });
  });
});
