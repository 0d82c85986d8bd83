// The refund desk's answer to a schema.
import { describe, expect, it } from "vitest";

import { functionTools } from "../../support/function-tools.ts";
import { MemoryLog } from "../../support/memory-log.ts";
import { runScript } from "../../support/run-script.ts";

const tools = functionTools({
  lookup_order: { concurrency_safe: true, run: ({ order_id }: { order_id: string }) => order_id },
});

async function ask(script: string, properties: object): Promise<unknown> {
  const structured_schema = {
    type: "object",
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  };
  const log = new MemoryLog("rep_1", { structured_schema });
  const { state } = await runScript({ script, tools, log });
  return state.message.structured_output;
}

describe("the refund desk", () => {
  it("works first, then fills in its answer and the orders", async () => {
    const output = await ask("Where are A-1001 and A-1002?", {
      answer: { type: "string" },
      order_ids: { type: "array", items: { type: "string" } },
    });

    expect(output).toEqual({
      answer: expect.stringContaining("Here is what I know about A-1001: A-1001"),
      order_ids: ["A-1001", "A-1002"],
    });
  });

  it("fills what it knows nothing about with the plainest value that fits", async () => {
    const output = await ask("hello", {
      answer: { type: "integer", minimum: 3 },
      kind: { enum: ["b", "a"] },
      tags: { type: "array" },
      urgent: { type: "boolean" },
      customer: {
        type: "object",
        properties: { name: { type: "string" }, id: { const: 7 }, score: { default: 1 } },
      },
    });

    expect(output).toEqual({
      answer: 3,
      kind: "b",
      tags: [],
      urgent: false,
      customer: { name: "", id: 7, score: 1 },
    });
  });
});
