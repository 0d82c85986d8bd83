// Sequences H11 to H15 and H19 to H21 of the reference: calls that somebody outside runs, and interrupts while calls wait.
import { describe, expect, it } from "vitest";

import { closeReply } from "../../../agent/state/close-reply.ts";
import { expireCalls } from "../../../agent/answers/expire-calls.ts";
import { ApprovalDesk } from "../../support/approval-desk.ts";
import type { FunctionTool } from "../../support/function-tools.ts";

const REST = [
  "MODEL_CALL_START",
  "TEXT_BLOCK_START",
  "TEXT_BLOCK_DELTA",
  "TEXT_BLOCK_END",
  "MODEL_CALL_END",
  "REPLY_END",
];
const ONE_CALL = [
  "MODEL_CALL_START",
  "TOOL_CALL_START",
  "TOOL_CALL_DELTA",
  "TOOL_CALL_END",
  "MODEL_CALL_END",
];
const HANDED_OUT = ["TOOL_RESULT_START", "REQUIRE_EXTERNAL_EXECUTION"];
const ENDED = ["TOOL_RESULT_TEXT_DELTA", "TOOL_RESULT_END"];

const outside: FunctionTool = {
  external: {},
  run: () => {
    throw new Error("an external tool is never run here");
  },
};

function labelDesk(tool: Partial<FunctionTool> = {}, calls = 1): ApprovalDesk {
  const lines = Array.from({ length: calls }, (_, n) => `/call print_label {"n":${n}}`);
  return new ApprovalDesk({
    script: [...lines, "/say Done"].join("\n"),
    tools: { print_label: { ...outside, ...tool } },
  });
}

function idsOf(desk: ApprovalDesk): string[] {
  return desk.calls.map(({ id }) => id);
}

function interrupt(desk: ApprovalDesk): readonly string[] {
  const before = desk.typesOf(Infinity).length;
  const closing = { session_id: "ses_1", finished_reason: "interrupted" } as const;
  desk.append(closeReply(desk.log.state, closing));
  return desk.typesOf(Infinity).slice(before);
}

describe("a call that somebody outside runs", () => {
  it("H11: is handed out, and parks the reply", async () => {
    const desk = labelDesk();

    expect(await desk.run()).toEqual([...ONE_CALL, ...HANDED_OUT]);
    expect(desk.log.parked).toBe("awaiting_external_result");
    expect(desk.states).toEqual(["submitted running"]);
    const [id = ""] = idsOf(desk);
    expect(desk.log.events.slice(-2)).toMatchObject([
      { metadata: { decision: { behavior: "allow" } } },
      {
        tool_calls: [{ id, name: "print_label", input: '{"n":0}', state: "submitted" }],
        metadata: { expires_at: { [id]: null } },
      },
    ]);
  });

  it("H11: says when it will have waited too long", async () => {
    const desk = labelDesk({ external: { result_ttl_ms: 60_000 } });
    await desk.run();

    const [id = ""] = idsOf(desk);
    const announced = desk.log.events.at(-1);
    expect(announced?.metadata).toEqual({ expires_at: { [id]: "2026-01-01T00:01:00.000Z" } });
  });

  it("H12: takes its result, without a second START, and the reply goes on", async () => {
    const desk = labelDesk();
    await desk.run();
    const [id = ""] = idsOf(desk);
    const before = desk.log.events.length;
    expect(desk.submit([{ id, output: "out", metadata: { printer: 3 } }])).toMatchObject({
      ok: true,
      value: { applied: true },
    });

    expect(desk.log.events.slice(before)).toMatchObject([
      {
        type: "EXTERNAL_EXECUTION_RESULT",
        metadata: { decided_by: { kind: "api_key", id: "key_1" } },
      },
      { type: "TOOL_RESULT_TEXT_DELTA", tool_call_id: id, delta: "out" },
      { type: "TOOL_RESULT_END", state: "success", metadata: { printer: 3 } },
    ]);
    expect(await desk.run()).toEqual(REST);
    expect(desk.states).toEqual(["finished success"]);
    expect(desk.log.state.message.content[1]).toMatchObject({
      output: [{ type: "text", text: "out" }],
      metadata: { printer: 3 },
    });
    expect(desk.log.state.iterations).toBe(2);
  });

  it("H13: is asked about first when a person has to allow it", async () => {
    const desk = labelDesk({ read_only: false });

    expect(await desk.run()).toEqual([...ONE_CALL, "REQUIRE_USER_CONFIRM"]);
    desk.confirm([{ call: 0 }]);
    expect(await desk.run()).toEqual(HANDED_OUT);
    expect(desk.log.events.at(-2)?.metadata).toEqual({});
    expect(desk.log.parked).toBe("awaiting_external_result");
    desk.submit([{ id: idsOf(desk)[0] }]);
    expect(await desk.run()).toEqual(REST);
    expect(desk.states).toEqual(["finished success"]);
  });

  it("H14: two beside each other are asked about in turn, handed out each, answered at once", async () => {
    const desk = labelDesk({ read_only: false, concurrency_safe: true }, 2);
    await desk.run();

    expect(desk.states).toEqual(["asking", "pending"]);
    desk.confirm([{ call: 0 }]);
    expect(await desk.run()).toEqual([...HANDED_OUT, "REQUIRE_USER_CONFIRM"]);
    expect(desk.states).toEqual(["submitted running", "asking"]);
    expect(desk.log.parked).toBe("awaiting_permission");
    desk.confirm([{ call: 1 }]);
    expect(await desk.run()).toEqual(HANDED_OUT);
    desk.submit(idsOf(desk).map((id) => ({ id })));
    expect(desk.typesOf(Infinity).slice(-5)).toEqual([
      "EXTERNAL_EXECUTION_RESULT",
      ...ENDED,
      ...ENDED,
    ]);
    expect(await desk.run()).toEqual(REST);
    expect(desk.states).toEqual(["finished success", "finished success"]);
  });

  it("H15: parks again when one of two results has come", async () => {
    const desk = labelDesk({ concurrency_safe: true }, 2);
    expect((await desk.run()).slice(-4)).toEqual([...HANDED_OUT, ...HANDED_OUT]);
    const [first, second] = idsOf(desk);
    desk.submit([{ id: second, output: "two" }]);

    expect(await desk.run()).toEqual([]);
    expect(desk.log.parked).toBe("awaiting_external_result");
    expect(desk.states).toEqual(["submitted running", "finished success"]);
    expect(desk.log.state.iterations).toBe(0);
    desk.submit([{ id: first, output: "one", state: "error" }]);
    expect(await desk.run()).toEqual(REST);
    expect(desk.states).toEqual(["finished error", "finished success"]);
    expect(desk.log.state.iterations).toBe(2);
  });

  it("H24: gets an error and is not handed out when its input does not fit", async () => {
    const desk = labelDesk({ input_schema: { type: "object", required: ["order"] } });

    expect(await desk.run()).toEqual([...ONE_CALL, "TOOL_RESULT_START", ...ENDED, ...REST]);
    expect(desk.states).toEqual(["finished error"]);
  });
});

describe("an interrupt while calls wait", () => {
  it("H19: gives a call that asks its result, with a START", async () => {
    const desk = labelDesk({ read_only: false });
    await desk.run();

    expect(interrupt(desk)).toEqual(["TOOL_RESULT_START", ...ENDED, "REPLY_END"]);
    expect(desk.states).toEqual(["finished interrupted"]);
    expect(desk.calls[0]?.suggested_rules).toHaveLength(1);
    expect(desk.log.state.message.finished_reason).toBe("interrupted");
  });

  it("H20: gives a call that was handed out its result, with no second START", async () => {
    const desk = labelDesk();
    await desk.run();

    expect(interrupt(desk)).toEqual([...ENDED, "REPLY_END"]);
    expect(desk.states).toEqual(["finished interrupted"]);
  });

  it("H21: closes one that asks and one that was handed out together", async () => {
    const desk = labelDesk({ read_only: false, concurrency_safe: true }, 2);
    await desk.run();
    desk.confirm([{ call: 0 }]);
    await desk.run();

    expect(desk.states).toEqual(["submitted running", "asking"]);
    expect(interrupt(desk)).toEqual([...ENDED, "TOOL_RESULT_START", ...ENDED, "REPLY_END"]);
    expect(desk.states).toEqual(["finished interrupted", "finished interrupted"]);
  });
});

describe("while one call runs", () => {
  /** A slow tool beside one that asks; the slow one says when it has begun and ends when it is told to. */
  function slowDesk(stop?: AbortSignal) {
    const begun = Promise.withResolvers<void>();
    const end = Promise.withResolvers<string>();
    const desk = new ApprovalDesk({
      script: "/call slow {}\n/call ask {}\n/say Done",
      tools: {
        slow: {
          concurrency_safe: true,
          run: () => {
            begun.resolve();
            return end.promise;
          },
        },
        ask: { read_only: false, concurrency_safe: true, run: () => "asked" },
      },
      ...(stop && { stop }),
    });
    return { desk, begun: begun.promise, end: end.resolve };
  }

  it("H23: an interrupt closes it and one that asks, with a single end", async () => {
    const stop = new AbortController();
    const { desk, begun, end } = slowDesk(stop.signal);
    const running = desk.run();
    await begun;
    expect(desk.states).toEqual(["pending running", "asking"]);
    stop.abort();

    expect(interrupt(desk)).toEqual([...ENDED, "TOOL_RESULT_START", ...ENDED, "REPLY_END"]);
    const ended = desk.log.events.length;
    end("too late");
    await running;
    expect(desk.log.events).toHaveLength(ended);
    expect(desk.states).toEqual(["finished interrupted", "finished interrupted"]);
  });

  it("one that asks is answered, and runs in the next step", async () => {
    const { desk, begun, end } = slowDesk();
    const running = desk.run();
    await begun;
    expect(desk.confirm([{ call: 1 }]).ok).toBe(true);
    expect(desk.states).toEqual(["pending running", "allowed"]);
    end("slow");
    await running;

    expect(desk.states).toEqual(["finished success", "finished success"]);
    expect(desk.log.parked).toBe(null);
    expect(desk.log.state).toMatchObject({
      iterations: 2,
      message: { finished_reason: "completed" },
    });
  });
});

describe("a call that waited too long", () => {
  it("is denied when nobody said whether it may run, and the model is told", async () => {
    const desk = labelDesk({ read_only: false });
    await desk.run();
    desk.append(expireCalls(desk.log.state, idsOf(desk)));

    expect(desk.states).toEqual(["finished denied"]);
    expect(desk.log.events.slice(-3)).toMatchObject([
      {
        metadata: {
          decision: {
            behavior: "deny",
            reason: "Nobody answered in time whether it may run.",
            rule: null,
          },
        },
      },
      {
        delta: "The call of print_label was denied. Nobody answered in time whether it may run.",
      },
      { state: "denied" },
    ]);
    expect(await desk.run()).toEqual(REST);
    expect(desk.log.state.iterations).toBe(2);
  });

  it("fails when no result came, and its outcome counts as unknown", async () => {
    const desk = labelDesk();
    await desk.run();
    desk.append(expireCalls(desk.log.state, idsOf(desk)));

    expect(desk.states).toEqual(["finished error"]);
    expect(desk.log.events.at(-2)).toMatchObject({
      delta:
        "No result came in time, so its outcome is unknown: find out before you call it again.",
    });
    expect(await desk.run()).toEqual(REST);
  });

  it("is left alone when it waits no more, and so are calls that nobody knows", async () => {
    const desk = labelDesk({ read_only: false });
    await desk.run();
    expect(expireCalls(desk.log.state, ["other"])).toEqual([]);
    desk.confirm([{ call: 0 }]);

    expect(expireCalls(desk.log.state, idsOf(desk))).toEqual([]);
    await desk.run();
    desk.append(expireCalls(desk.log.state, idsOf(desk)));
    expect(expireCalls(desk.log.state, idsOf(desk))).toEqual([]);
  });
});
