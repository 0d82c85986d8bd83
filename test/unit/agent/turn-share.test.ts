// A model may call many tools in one turn, and nobody is heard until all of them are checked: they share what one may
// cost.
import { describe, expect, it } from "vitest";

import { readCallInput } from "../../../agent/tool-call/call-input.ts";
import { parseRepaired } from "../../../agent/json/parse-repaired.ts";
import { checkCall } from "../../../agent/permission/check-call.ts";
import type { ToolDeclaration } from "../../../agent/ports.ts";
import type { ToolCallBlock } from "../../../protocol/messages/blocks.ts";
import { MAX_CHECK_STEPS } from "../../../protocol/schemas/limits.ts";
import { functionTools } from "../../support/function-tools.ts";
import { runScript } from "../../support/run-script.ts";

const MANY = {
  properties: {
    items: {
      items: {
        anyOf: Array.from({ length: 500 }, (_, kind) => ({
          properties: { kind: { const: kind } },
        })),
      },
    },
  },
};
const items = Array.from({ length: 40 }, () => ({ kind: 499 }));

const TOOL: ToolDeclaration = {
  name: "take",
  description: "",
  input_schema: MANY,
  read_only: true,
  concurrency_safe: true,
  idempotent: true,
  rule_argument: "/text",
  rule_syntax: "glob",
};

function told(calls: number): string | null {
  const call = { name: "take", input: JSON.stringify({ items }) } as ToolCallBlock;
  const read = readCallInput(call, TOOL, { calls });
  return read.ok ? null : read.text;
}

describe("the calls of one turn", () => {
  it("share the steps of their checks", () => {
    expect(told(1)).toBeNull();
    expect(told(128)).toBe(
      `The input of take cannot be checked against its schema within ${MAX_CHECK_STEPS / 128} steps. Call it again with a smaller input, or with fewer calls beside it.`,
    );
  });

  it("share what is repaired, which takes the square of their length", () => {
    const broken = `{'text': '${"x".repeat(1_000)}'}`;

    expect(parseRepaired(broken, 4)).toEqual({ ok: true, input: { text: "x".repeat(1_000) } });
    expect(parseRepaired(broken, 128)).toEqual({
      ok: false,
      isCutOff: false,
      problem: "is not JSON, and with more than 362 characters too long to be repaired",
    });
  });

  it("share the steps of their rules, the strictest way", () => {
    const rules = Array.from({ length: 500 }, (_, number) => ({
      tool_name: "take",
      rule_content: `*b*a*${number}*`,
      behavior: "deny" as const,
      source: "test",
    }));
    const context = { mode: "default" as const, rules, working_directories: [] };
    const input = { text: `${"a".repeat(2_000)}${"0123456789".repeat(50)}` };

    const behaviors = [1, 128].map(
      (calls) => checkCall({ ...context, calls }, TOOL, input).behavior,
    );
    expect(behaviors).toEqual(["allow", "deny"]);
  });

  it("are counted by the loop", async () => {
    const call = `/call take ${JSON.stringify({ items })}`;
    const tools = functionTools({ take: { input_schema: MANY, run: () => "taken" } });
    const log = await runScript({ script: `${`${call}\n`.repeat(64)}/say done`, tools });

    const outputs = log.state.message.content.flatMap((block) =>
      block.type === "tool_result" ? [JSON.stringify(block.output)] : [],
    );
    expect(outputs).toHaveLength(64);
    expect(new Set(outputs.map((text) => text.includes("within 62500 steps")))).toEqual(
      new Set([true]),
    );
  });
});
