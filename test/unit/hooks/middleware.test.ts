// Functions around the loop: they are called from the outermost to the innermost, and none loosens a permission.
import { describe, expect, it } from "vitest";

import type { CompressionOutcome, ContextKeeper } from "../../../agent/context/context-keeper.ts";
import {
  changeSystemPrompt,
  tightenPermission,
  type HookMiddleware,
} from "../../../agent/hooks/middleware.ts";
import { wrapContextKeeper, wrapModel, wrapToolRunner } from "../../../agent/hooks/wrap-run.ts";
import type { CallPermission } from "../../../agent/permission/check-call.ts";
import type { Model, ModelRequest, ToolCallRequest, ToolRunner } from "../../../agent/ports.ts";
import { collect } from "../../support/collect.ts";

const STOP = new AbortController().signal;
const TOOL = {
  name: "pay",
  description: "",
  input_schema: {},
  read_only: false,
  concurrency_safe: false,
  idempotent: false,
};
const CALL = { tool: TOOL, input: { to: "A" } };
const RULE = {
  tool_name: "pay",
  rule_content: null,
  behavior: "allow",
  source: "session",
} as never;

function decision(
  behavior: CallPermission["behavior"],
  more: Partial<CallPermission> = {},
): CallPermission {
  return {
    behavior,
    reason: null,
    rule: RULE,
    suggestedRules: [RULE],
    isSafetyAsk: false,
    ...more,
  };
}

/** A layer that gives this decision whatever the others do. */
function gives(given: CallPermission): HookMiddleware {
  return { on_check_permission: () => given };
}

describe("the decision about a call", () => {
  const BEHAVIOURS = ["allow", "ask", "deny"] as const;

  it("is the rules' own, the same object, unless a layer's is stricter", () => {
    for (const [index, own] of BEHAVIOURS.entries()) {
      const decided = decision(own);
      for (const looser of BEHAVIOURS.slice(0, index + 1)) {
        expect(tightenPermission([gives(decision(looser))], CALL, decided)).toBe(decided);
      }
    }
  });

  it("is the layer's where that is stricter, and has no rule that could be offered", () => {
    for (const [index, own] of BEHAVIOURS.entries()) {
      for (const stricter of BEHAVIOURS.slice(index + 1)) {
        const given = decision(stricter, { reason: "not today" });

        expect(tightenPermission([gives(given)], CALL, decision(own))).toStrictEqual({
          ...given,
          rule: null,
          suggestedRules: [],
        });
      }
    }
  });

  it("keeps what a person is to be shown of the rules' own", () => {
    const shown = {
      person: { question: "Pay A?" },
      untrusted: [{ tool_name: "mail" }],
    } as never as Partial<CallPermission>;
    const given = decision("deny", { person: { question: "?" } } as never);

    expect(tightenPermission([gives(given)], CALL, decision("ask", shown))).toStrictEqual({
      ...given,
      ...shown,
      rule: null,
      suggestedRules: [],
    });
  });

  it("is asked for from the outermost layer on, each with the call, and a layer without a word passes it on", () => {
    const seen: unknown[] = [];
    const passing = (name: string): HookMiddleware => ({
      on_check_permission: (call, next) => {
        seen.push([name, call]);
        const given = next();
        seen.push([name, given.behavior]);
        return given;
      },
    });
    const middleware = [passing("outer"), {}, passing("inner"), gives(decision("deny"))];

    expect(tightenPermission(middleware, CALL, decision("allow")).behavior).toBe("deny");
    expect(seen).toEqual([
      ["outer", CALL],
      ["inner", CALL],
      ["inner", "deny"],
      ["outer", "deny"],
    ]);
    expect(tightenPermission([], CALL, decision("allow")).behavior).toBe("allow");
  });
});

it("the system prompt goes through the layers in their order", () => {
  const adds = (text: string): HookMiddleware => ({
    on_system_prompt: (prompt) => `${prompt}${text}`,
  });

  expect(changeSystemPrompt([adds("1"), {}, adds("2")], "0")).toBe("012");
});

describe("around a model call", () => {
  const model: Model = {
    name: "m",
    costOf: () => 7,
    async *stream({ system_prompt }, stop, report) {
      yield { text: `${system_prompt} ${stop === STOP} ${report === REPORT}` };
    },
  };
  const REPORT = {} as never;
  const request = { system_prompt: "p" } as ModelRequest;

  it("each layer gives the next one its request, and is given its chunks", async () => {
    const adds = (text: string): HookMiddleware => ({
      async *on_model_call(given, next) {
        for await (const chunk of next({
          ...given,
          system_prompt: `${given.system_prompt}${text}`,
        })) {
          yield { text: `${text}(${chunk.text})` };
        }
      },
    });
    const wrapped = wrapModel(model, [adds("1"), {}, adds("2")]);

    expect(await collect(wrapped.stream(request, STOP, REPORT))).toEqual([
      { text: "1(2(p12 true true))" },
    ]);
    expect([wrapped.name, wrapped.costOf?.({} as never)]).toEqual(["m", 7]);
  });

  it("nothing is put where no layer wants it", () => {
    expect(wrapModel(model, [])).toBe(model);
    expect(wrapModel(model, [{ on_system_prompt: String }])).toBe(model);
  });
});

describe("around a call of a tool", () => {
  const run: ToolRunner["run"] = async function* ({ input }, stop, report) {
    yield { type: "text", delta: JSON.stringify([input, stop === STOP, report === undefined]) };
  };
  const request = {
    tool_call_id: "c1",
    name: "pay",
    input: { to: "A" },
  } as unknown as ToolCallRequest;

  it("each layer sees a copy of the call, and changes nothing of what runs", async () => {
    const seen: ToolCallRequest[] = [];
    const layer = (text: string): HookMiddleware => ({
      async *on_acting(call, next) {
        seen.push(structuredClone(call));
        (call.input as { to: string }).to = "evil";
        yield { type: "text", delta: text };
        yield* next();
      },
    });
    const wrapped = wrapToolRunner({ tools: [TOOL], run }, [layer("1"), {}, layer("2")]);

    expect(await collect(wrapped.run(request, STOP))).toEqual([
      { type: "text", delta: "1" },
      { type: "text", delta: "2" },
      { type: "text", delta: '[{"to":"A"},true,true]' },
    ]);
    expect(seen).toEqual([request, request]);
  });

  it("an input of nothing is null, and the tools are those of the moment", () => {
    const runner = { tools: [TOOL], run };
    const seen: unknown[] = [];
    const layer: HookMiddleware = {
      on_acting: (call, next) => {
        seen.push(call.input);
        return next();
      },
    };
    const wrapped = wrapToolRunner(runner, [layer]);
    wrapped.run({ ...request, input: undefined }, STOP);
    runner.tools = [];

    expect([seen, wrapped.tools]).toEqual([[null], []]);
  });

  it("nothing is put where no layer wants it", () => {
    const runner = { tools: [], run };

    expect(wrapToolRunner(runner, [{ on_system_prompt: String }])).toBe(runner);
  });
});

describe("around a compression", () => {
  const NOTHING: CompressionOutcome = { type: "nothing" };
  const EARLIER = { message_id: "m1", block_id: "b1", tokens: 5 };
  const asked: unknown[] = [];
  const keeper: ContextKeeper = {
    settings: {} as never,
    state: () => ({}) as never,
    windowOf: (index) => index + 100,
    earlierCall: () => EARLIER,
    compress: async (request, stop) => {
      asked.push([request.target, stop === STOP]);
      return NOTHING;
    },
  };

  it("each layer gives the next one its request, and everything else is the keeper's", async () => {
    const adds: HookMiddleware = {
      on_compress_context: (given, next) => next({ ...given, target: given.target + 1 }),
    };
    const wrapped = wrapContextKeeper(keeper, [adds, {}, adds]);

    expect(await wrapped.compress({ target: 1 } as never, STOP)).toBe(NOTHING);
    expect(asked).toEqual([[3, true]]);
    expect([wrapped.windowOf(3), wrapped.earlierCall?.(), wrapped.settings]).toEqual([
      103,
      EARLIER,
      keeper.settings,
    ]);
  });

  it("a keeper that knows no earlier call has none, and nothing is put where no layer wants it", () => {
    const forgetful: ContextKeeper = { ...keeper, earlierCall: undefined };
    const layer: HookMiddleware = { on_compress_context: (given, next) => next(given) };

    expect(wrapContextKeeper(forgetful, [layer]).earlierCall?.()).toBeNull();
    expect(wrapContextKeeper(keeper, [{ on_system_prompt: String }])).toBe(keeper);
  });
});
