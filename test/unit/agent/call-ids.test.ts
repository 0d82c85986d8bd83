import { describe, expect, it } from "vitest";

import { functionTools } from "../../support/function-tools.ts";
import { playedModel } from "../../support/played-model.ts";
import { runScript } from "../../support/run-script.ts";

const tools = functionTools({ look: { run: () => "seen" } });

async function callIds(given: readonly string[], usedCallIds: readonly string[] = []) {
  const tool_calls = given.map((id, index) => ({ index, id, name: "look", delta: "{}" }));
  const model = playedModel("played", [{ tool_calls }], [{ text: "Done" }]);
  const log = await runScript({ script: "Hello", models: [model], tools, usedCallIds });
  const { content } = log.state.message;
  return {
    calls: content.flatMap((block) => (block.type === "tool_call" ? [block.id] : [])),
    results: content.flatMap((block) => (block.type === "tool_result" ? [block.id] : [])),
  };
}

describe("the id of a tool call", () => {
  it("is the model's own when it tells calls apart", async () => {
    const ids = ["call_a", "b".repeat(256)];

    expect(await callIds(ids)).toEqual({ calls: ids, results: ids });
  });

  it.each([
    ["empty", "", []],
    ["used before", "call_a", ["call_a"]],
    ["too long for a header", "b".repeat(257), []],
    ["no key of an object", "__proto__", []],
  ])("is a fresh one when the model's is %s", async (_case, id, used) => {
    expect(await callIds([id], used)).toEqual({ calls: ["call_1"], results: ["call_1"] });
  });
});
