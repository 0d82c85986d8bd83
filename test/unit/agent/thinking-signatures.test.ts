// A model's proof of its thought: where it stands in the log, and what becomes of it.
import { describe, expect, it } from "vitest";

import { recover } from "../../../agent/recovery/recovery.ts";
import type { ModelChunk } from "../../../agent/ports.ts";
import { getTextContent } from "../../../protocol/messages/accessors.ts";
import { MAX_THINKING_SIGNATURE_CHARACTERS } from "../../../protocol/models/limits.ts";
import { functionTools } from "../../support/function-tools.ts";
import { MemoryLog } from "../../support/memory-log.ts";
import { playedModel } from "../../support/played-model.ts";
import { runScript } from "../../support/run-script.ts";

async function play(...chunks: ModelChunk[]): Promise<MemoryLog> {
  return runScript({ script: "hi", models: [playedModel("m", chunks)] });
}

function thoughts(log: MemoryLog) {
  return log.state.message.content.flatMap((block) =>
    block.type === "thinking" ? [[block.thinking, block["signature"]]] : [],
  );
}

describe("a thought with its proof", () => {
  it("ends with it, before what is said next", async () => {
    const log = await runScript({ script: "/think Hm.\n/sign c2ln\n/say Found." });

    expect(log.types).toEqual([
      "REPLY_START",
      "MODEL_CALL_START",
      "THINKING_BLOCK_START",
      "THINKING_BLOCK_DELTA",
      "THINKING_BLOCK_END",
      "TEXT_BLOCK_START",
      "TEXT_BLOCK_DELTA",
      "TEXT_BLOCK_END",
      "MODEL_CALL_END",
      "REPLY_END",
    ]);
    expect(log.events.find(({ type }) => type === "THINKING_BLOCK_END")).toMatchObject({
      metadata: { signature: "c2ln" },
    });
    expect(thoughts(log)).toEqual([["Hm.", "c2ln"]]);
  });

  it("is told from the next one, which may begin in the same piece", async () => {
    const log = await play(
      { thinking: "One." },
      { thinking_signature: "MQ", thinking: "Two." },
      { thinking_signature: "Mg", text: "Found." },
    );

    expect(thoughts(log)).toEqual([
      ["One.", "MQ"],
      ["Two.", "Mg"],
    ]);
  });

  it("is a block without text when its words are kept from everybody", async () => {
    const log = await play({ thinking_signature: "RW1w" }, { text: "Found." });

    expect(log.state.message.content).toMatchObject([
      { type: "thinking", thinking: "", signature: "RW1w", finished_at: expect.any(String) },
      { type: "text", text: "Found." },
    ]);
  });

  it("leaves a text whole that it comes into", async () => {
    const log = await play({ text: "Fou" }, { thinking_signature: "RW1w", text: "nd." });

    expect(log.state.message.content).toMatchObject([
      { type: "text", text: "Found." },
      { type: "thinking", thinking: "", signature: "RW1w" },
    ]);
  });

  it("stays a thought when the proof is too long to keep", async () => {
    const thinking_signature = "s".repeat(MAX_THINKING_SIGNATURE_CHARACTERS + 1);
    const log = await play({ thinking: "Hm." }, { thinking_signature, text: "Found." });

    expect(thoughts(log)).toEqual([["Hm.", undefined]]);
  });

  it("is no answer without words: the call is made again, and the proof taken back", async () => {
    const model = playedModel("m", [{ thinking_signature: "RW1w" }], [{ text: "Found." }]);
    const log = await runScript({ script: "hi", models: [model] });

    expect(model.calls).toBe(2);
    expect(log.state.message.content).toMatchObject([{ type: "text", text: "Found." }]);
  });

  it("is taken back with its block when the machine is lost", () => {
    const log = new MemoryLog();
    const block = { reply_id: "rep_1", block_id: "b1" };
    log.append([
      { type: "MODEL_CALL_START", reply_id: "rep_1", model_name: "m" },
      { type: "THINKING_BLOCK_START", ...block },
      { type: "THINKING_BLOCK_DELTA", ...block, delta: "Hm." },
      { type: "THINKING_BLOCK_END", ...block, metadata: { signature: "c2ln" } },
    ]);
    const { events } = recover(
      log.state,
      {
        attempts: 0,
        attempts_without_progress: 0,
        steps_at_recovery: 0,
        retry_at: null,
        ran_ms: 0,
        max_run_ms: 60_000,
      },
      { isRepeatable: () => false, nowMs: 1_000_000, random: 0 },
    );
    log.append(events);

    expect(log.state.message.content).toEqual([]);
  });

  it("is one block of a script, with words or without", async () => {
    const tools = functionTools({ echo: { run: () => "ok" } });
    const script = "/sign RW1w\n/call echo {}\n/think Hm.\n/sign c2ln\n/call echo {}\n/say Done";
    const log = await runScript({ script, tools });

    expect(thoughts(log)).toEqual([
      ["", "RW1w"],
      ["Hm.", "c2ln"],
    ]);
    expect(getTextContent(log.state.message)).toBe("Done");
  });
});
