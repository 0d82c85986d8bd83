import { describe, expect, it } from "vitest";

import { functionTools } from "../../support/function-tools.ts";
import { runScript } from "../../support/run-script.ts";

/** A tool that records how many of its calls are under way at once. */
function crowd(concurrency_safe: boolean) {
  const seen = { now: 0, most: 0, order: [] as string[] };
  const tools = functionTools({
    work: {
      concurrency_safe,
      run: async ({ id, waitMs = 5 }: { id: string; waitMs?: number }) => {
        seen.now += 1;
        seen.most = Math.max(seen.most, seen.now);
        await new Promise((resolve) => setTimeout(resolve, waitMs));
        seen.now -= 1;
        seen.order.push(id);
        return id;
      },
    },
  });
  return { seen, tools };
}

function calls(...inputs: object[]): string {
  return [...inputs.map((input) => `/call work ${JSON.stringify(input)}`), "/say Done"].join("\n");
}

describe("several calls of one turn", () => {
  it("run beside each other when the tool is safe for it, four at most", async () => {
    const { seen, tools } = crowd(true);
    const inputs = ["a", "b", "c", "d", "e", "f"].map((id) => ({ id }));
    const log = await runScript({ script: calls(...inputs), tools });

    expect(seen.most).toBe(4);
    expect(seen.order.toSorted()).toEqual(["a", "b", "c", "d", "e", "f"]);
    expect(log.state.message.finished_reason).toBe("completed");
    expect(log.state.iterations).toBe(2);
  });

  it("run one after the other, in the model's order, when it is not", async () => {
    const { seen, tools } = crowd(false);
    await runScript({
      script: calls({ id: "slow", waitMs: 20 }, { id: "fast", waitMs: 1 }),
      tools,
    });

    expect(seen).toEqual({ now: 0, most: 1, order: ["slow", "fast"] });
  });

  it("give each call its own result whichever ends first", async () => {
    const { seen, tools } = crowd(true);
    const script = calls({ id: "slow", waitMs: 30 }, { id: "fast", waitMs: 1 });
    const log = await runScript({ script, tools });

    expect(seen.order).toEqual(["fast", "slow"]);
    const inputs = log.state.message.content.flatMap((block) =>
      block.type === "tool_call" ? [[block.id, JSON.parse(block.input).id]] : [],
    );
    const outputs = log.state.message.content.flatMap((block) =>
      block.type === "tool_result" && Array.isArray(block.output)
        ? [[block.id, block.output.map((part) => (part.type === "text" ? part.text : "")).join("")]]
        : [],
    );
    expect(outputs.toSorted()).toEqual(inputs.toSorted());
  });

  it("park each on its own: what may run runs, what must be asked is asked", async () => {
    const { seen, tools } = crowd(true);
    const mixed = functionTools({
      ask: { read_only: false, concurrency_safe: true, run: () => "no" },
    });
    const both = {
      tools: [...tools.tools, ...mixed.tools],
      run: (request: Parameters<typeof tools.run>[0], stop: Parameters<typeof tools.run>[1]) =>
        (request.name === "work" ? tools : mixed).run(request, stop),
    };
    const log = await runScript({
      script: '/call ask {}\n/call work {"id":"a"}\n/say Done',
      tools: both,
    });

    expect(log.parked).toBe("awaiting_permission");
    expect(seen.order).toEqual(["a"]);
    expect(log.state.iterations).toBe(0);
    expect(
      log.state.message.content.map((block) => [block.type, "state" in block && block.state]),
    ).toEqual([
      ["tool_call", "asking"],
      ["tool_call", "finished"],
      ["tool_result", "success"],
    ]);
  });
});
