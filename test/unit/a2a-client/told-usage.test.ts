// The usage that agents of other systems tell, by whatever name, and what of it is new.
import { describe, expect, it } from "vitest";

import { toldUsageOf, usageSince } from "../../../agent/a2a/told-usage.ts";
import { A2A_EXTENSION } from "../../../protocol/a2a/extension.ts";

const STATUS = { state: "TASK_STATE_COMPLETED" } as const;

function told(metadata: Record<string, unknown>) {
  const statusUpdate = { taskId: "t", contextId: "c", status: STATUS, metadata };
  return toldUsageOf({ statusUpdate });
}

describe("what an agent tells of its usage", () => {
  it.each([
    [{ [A2A_EXTENSION]: { usage: { input_tokens: 7, output_tokens: 2 } } }, null],
    [{ usage: { prompt_tokens: 7, completion_tokens: 2, total_tokens: 9 } }, null],
    [{ token_usage: { inputTokens: 7, outputTokens: 2 } }, null],
    [{ adk_usage_metadata: { promptTokenCount: 7, candidatesTokenCount: 2 } }, null],
    [{ usage: { input_tokens: 7, output_tokens: 2, cost_usd: 0.5 } }, 0.5],
    [{ usage: { input_tokens: 7, output_tokens: 2 }, costUsd: 0.5 }, 0.5],
  ])("is read from %j", (metadata, cost_usd) => {
    expect(told(metadata)).toEqual({ input_tokens: 7, output_tokens: 2, cost_usd });
  });

  it.each([
    {},
    { usage: null },
    { usage: 7 },
    { usage: { input_tokens: 7 } },
    { usage: { input_tokens: "7", output_tokens: 2 } },
    { usage: { input_tokens: -7, output_tokens: 2 } },
    { usage: { input_tokens: 7.5, output_tokens: 2 } },
    { usage: { input_tokens: 1e15, output_tokens: 2 } },
  ])("is nothing in %j", (metadata) => {
    expect(told(metadata)).toBeNull();
  });

  it.each([-1, 1e9, "1", null, Number.NaN])("has no cost in %j", (cost_usd) => {
    const usage = { input_tokens: 7, output_tokens: 2, cost_usd };

    expect(told({ usage })).toEqual({ ...usage, cost_usd: null });
  });

  it("may be in the metadata of a task, of a message, and of the message of a status", () => {
    const metadata = { usage: { input_tokens: 7, output_tokens: 2 } };
    const message = { messageId: "m", role: "ROLE_AGENT", parts: [], metadata } as const;
    const task = { id: "t", contextId: "c", status: STATUS };
    const found = [
      toldUsageOf({ task: { ...task, metadata } }),
      toldUsageOf({ task: { ...task, status: { ...STATUS, message } } }),
      toldUsageOf({ message }),
    ];

    expect(found).toEqual(found.map(() => ({ input_tokens: 7, output_tokens: 2, cost_usd: null })));
  });
});

it("what was counted of a task before is not counted again, unless the agent counts anew", () => {
  const before = { input_tokens: 7, output_tokens: 2, cost_usd: 0.25 };
  const grown = { input_tokens: 10, output_tokens: 2, cost_usd: 0.75 };
  const anew = { input_tokens: 3, output_tokens: 1, cost_usd: null };

  expect(usageSince(grown, before)).toEqual({ input_tokens: 3, output_tokens: 0, cost_usd: 0.5 });
  expect(usageSince({ ...grown, cost_usd: null }, before).cost_usd).toBeNull();
  expect(usageSince(anew, before)).toEqual(anew);
  expect(usageSince(grown, undefined)).toEqual(grown);
});
