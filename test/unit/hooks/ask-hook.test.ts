// One question to one hook: the id that it has, and the events that its answer becomes.
import { describe, expect, it } from "vitest";

import { askHook, questionId, type HookScope } from "../../../agent/hooks/ask-hook.ts";
import type { HookQuestion } from "../../../agent/hooks/hook-question.ts";
import type { HookRequest, HookResponse } from "../../../agent/hooks/hook-runner.ts";
import type { HookAnswer } from "../../../protocol/hooks/contract.ts";
import type { HookPoint } from "../../../protocol/hooks/events.ts";

type Given = Partial<HookAnswer> | null | { readonly kind: string };

interface Desk {
  readonly point?: HookPoint;
  readonly step?: string | null;
  readonly on_failure?: "open" | "closed";
  readonly question?: Partial<HookQuestion>;
  readonly scope?: Partial<HookScope>;
}

const CALL = { id: "c1", name: "pay", input: { to: "A" } };

function hookAt(point: HookPoint, on_failure: "open" | "closed" = "closed") {
  const definition = { type: "code", name: "desk", point, timeout_ms: 1_000, on_failure } as const;
  return { origin: "agent", definition } as const;
}

/** The outcome of an answer, and the request. */
async function ask(given: Given, { point = "pre_acting", step = "c1", ...desk }: Desk = {}) {
  const asked: HookRequest[] = [];
  const scope: HookScope = {
    runner: {
      ask: async (request): Promise<HookResponse> => {
        asked.push(request);
        if (given && "kind" in given) return { ok: false, kind: given.kind };
        return { ok: true, answer: given && { action: "continue", ...given } };
      },
    },
    session_id: "ses_1",
    reply_id: "rep_1",
    end_user_id: "eu_1",
    newId: (prefix) => `${prefix}_1`,
    stop: new AbortController().signal,
    ...desk.scope,
  };
  const question: HookQuestion = { point, step, input: { tool_call: CALL }, ...desk.question };
  const answered = await askHook(hookAt(point, desk.on_failure), question, scope);
  return { asked, answered };
}

/** The answer as the log has it. */
function head(point: HookPoint = "pre_acting", step: string | null = "c1") {
  const id = `rep_1:${point}${step === null ? "" : `:${step}`}:agent:desk`;
  return { reply_id: "rep_1", id, hook: "desk", point, step };
}

const TO_B: Partial<HookAnswer> = { input: { tool_call: { input: { to: "B" } } } };
const TO_B_CHANGE = { change: { tool_input: '{"to":"B"}' } };
const EDITED = {
  type: "CUSTOM",
  name: "tool_call_edited",
  reply_id: "rep_1",
  value: { reply_id: "rep_1", tool_call_id: "c1", input: '{"to":"B"}' },
};

function answeredEvent(value: object): object {
  return { type: "CUSTOM", name: "hook_answered", reply_id: "rep_1", value };
}

describe("the id of a question", () => {
  it("names the reply, the point, the step and the hook, and has no dot", () => {
    const hook = hookAt("pre_acting");
    const ids = { session_id: "ses_1", reply_id: "rep_1" };

    expect([
      questionId(hook, { point: "pre_acting", step: "c1" }, ids),
      questionId(hook, { point: "pre_reply", step: null }, ids),
      questionId(
        { ...hook, origin: "session" },
        { point: "pre_observe", step: "" },
        { ...ids, reply_id: null },
      ),
      questionId(hook, { point: "pre_print", step: "a.b:c/é_-Z9" }, ids),
    ]).toEqual([
      "rep_1:pre_acting:c1:agent:desk",
      "rep_1:pre_reply:agent:desk",
      "ses_1:pre_observe::session:desk",
      "rep_1:pre_print:a%2eb%3ac%2f%e9_-Z9:agent:desk",
    ]);
  });
});

describe("a hook is asked", () => {
  it("with its input, and with an output where the point has one", async () => {
    const before = await ask(null);
    const behind = await ask(null, {
      point: "post_acting",
      question: { output: { text: "done" } },
    });
    const request = {
      id: head().id,
      hook: hookAt("pre_acting").definition,
      point: "pre_acting",
      session_id: "ses_1",
      reply_id: "rep_1",
      end_user_id: "eu_1",
      input: { tool_call: CALL },
    };

    expect(before.asked).toStrictEqual([request]);
    expect(behind.asked).toStrictEqual([
      {
        ...request,
        id: head("post_acting").id,
        hook: hookAt("post_acting").definition,
        point: "post_acting",
        output: { text: "done" },
      },
    ]);
  });

  it("and nothing becomes of the answer once the reply is stopped", async () => {
    const { asked, answered } = await ask(TO_B, { scope: { stop: AbortSignal.abort() } });

    expect([asked.length, answered]).toEqual([1, null]);
  });
});

describe("an answer", () => {
  it.each([
    ["of nothing changes nothing", null, { outcome: "unchanged" }],
    [
      "without a change keeps its reason alone",
      { reason: "fine", text: "x" },
      { outcome: "unchanged", reason: "fine" },
    ],
    [
      "that blocks",
      { action: "block", reason: "no", text: "Not that." },
      { outcome: "blocked", reason: "no", text: "Not that." },
    ],
    ["that asks a person", { action: "ask" }, { outcome: "asked", asks: true }],
  ] as const)("%s", async (_, given, value) => {
    const { answered } = await ask(given);

    expect(answered).toStrictEqual({
      value: { ...head(), ...value },
      events: [answeredEvent({ ...head(), ...value })],
    });
  });

  it("that changes the input of a call edits the call, and a call that was asked about is still asked about", async () => {
    const plain = await ask({ ...TO_B, reason: "safer" });
    const asked = await ask(TO_B, { question: { isAsked: true } });
    const changed = { ...head(), outcome: "changed", ...TO_B_CHANGE };

    expect(plain.answered?.events).toStrictEqual([
      answeredEvent({ ...changed, reason: "safer" }),
      EDITED,
    ]);
    expect(asked.answered?.events).toStrictEqual([
      answeredEvent({ ...changed, asks: true }),
      EDITED,
    ]);
  });

  it("that asks with another input edits the call, one that blocks does not", async () => {
    const asked = await ask({ ...TO_B, action: "ask" });
    const blocked = await ask({ ...TO_B, action: "block" });
    const value = { ...head(), outcome: "asked", asks: true, ...TO_B_CHANGE };

    expect(asked.answered?.events).toStrictEqual([answeredEvent(value), EDITED]);
    expect(blocked.answered?.events).toStrictEqual([
      answeredEvent({ ...head(), outcome: "blocked" }),
    ]);
  });

  it("that stops the reply requests that of the loop, with its own reason or one that names it", async () => {
    const stop = (reason: string) => ({
      type: "CUSTOM",
      name: "request_stop",
      reply_id: "rep_1",
      value: { reply_id: "rep_1", reason, generateReason: "ACTING_STOP_REQUESTED" },
    });
    const silent = await ask({ action: "stop" });
    const spoken = await ask({ ...TO_B, action: "stop", reason: "enough" });
    const value = { ...head(), outcome: "stopped" };

    expect(silent.answered?.events).toStrictEqual([
      answeredEvent(value),
      stop("The hook desk has stopped the reply."),
    ]);
    expect(spoken.answered?.events).toStrictEqual([
      answeredEvent({ ...value, reason: "enough", ...TO_B_CHANGE }),
      EDITED,
      stop("enough"),
    ]);
  });

  it("with a hint gives it to the model under the hook's name", async () => {
    const { answered } = await ask({ hint: "Be brief." });

    expect(answered?.events).toStrictEqual([
      answeredEvent({ ...head(), outcome: "unchanged" }),
      {
        type: "HINT_BLOCK",
        reply_id: "rep_1",
        block_id: "blk_1",
        source: "hook:desk",
        hint: "Be brief.",
      },
    ]);
  });

  it("beside a reply is in the log, and nothing else follows from it", async () => {
    const given = { input: { messages: [{ id: "m1", content: "x" }] } };
    const question = {
      input: { messages: [{ id: "m1", role: "user" as const, name: "u", content: [] }] },
    };
    const { answered } = await ask(given, {
      point: "pre_observe",
      step: "m1",
      question,
      scope: { reply_id: null },
    });

    expect(answered?.events).toStrictEqual([
      { type: "CUSTOM", name: "hook_answered", value: answered?.value },
    ]);
    expect(answered?.value).toStrictEqual({
      id: "ses_1:pre_observe:m1:agent:desk",
      hook: "desk",
      point: "pre_observe",
      step: "m1",
      outcome: "changed",
      change: {
        messages: [{ id: "m1", content: [expect.objectContaining({ id: "m1_0", text: "x" })] }],
      },
    });
  });
});

describe("what is held back", () => {
  const BLOCK = {
    input: { block: { id: "b1", type: "text", text: "secret" } },
    output: { text: "secret" },
  };
  const HELD = "This was held back.";

  it.each([
    ["pre_print", { action: "block" }, HELD],
    ["pre_print", { action: "block", text: "" }, ""],
    ["pre_print", { action: "block", reason: "no" }, HELD],
    ["pre_print", { action: "stop" }, HELD],
    ["pre_print", { action: "stop", text: "bye" }, "bye"],
    ["pre_print", { action: "stop", input: { block: { text: "s…" } } }, "s…"],
    ["post_acting", { action: "block" }, HELD],
    ["post_acting", { action: "block", reason: "no" }, "no"],
    ["post_acting", { action: "block", reason: "no", text: "nothing" }, "nothing"],
  ] as const)("at %s by %o is shown as %j", async (point, given, text) => {
    const { answered } = await ask(given, { point, question: BLOCK });

    expect(answered?.value.change).toStrictEqual({ text });
  });

  it("is nothing where a reply is stopped behind a call", async () => {
    const { answered } = await ask({ action: "stop" }, { point: "post_acting", question: BLOCK });

    expect(answered?.value).toStrictEqual({ ...head("post_acting"), outcome: "stopped" });
  });

  it("is what a hook that must not fail would have seen", async () => {
    const closed = await ask({ kind: "timeout" }, { point: "pre_print", question: BLOCK });
    const open = await ask(
      { kind: "timeout" },
      { point: "pre_print", question: BLOCK, on_failure: "open" },
    );
    const value = { ...head("pre_print"), outcome: "failed" };

    expect(closed.answered?.value).toStrictEqual({
      ...value,
      failure: { kind: "timeout", on_failure: "closed" },
      change: { text: HELD },
    });
    expect(open.answered?.value).toStrictEqual({
      ...value,
      failure: { kind: "timeout", on_failure: "open" },
    });
  });
});

describe("an answer is no answer", () => {
  const failed = (kind: string, point: HookPoint = "pre_acting") => ({
    ...head(point),
    outcome: "failed",
    failure: { kind, on_failure: "closed" },
  });

  it.each([
    ["with an action that its point does not have", "post_reply", { action: "block" }],
    ["with a hint that nobody would read", "post_reply", { hint: "x" }],
    [
      "that changes what was not shown",
      "post_reply",
      { output: { blocks: [{ id: "b9", text: "x" }] } },
    ],
  ] as const)("%s", async (_, point, given) => {
    const { answered } = await ask(given as Given, { point });

    expect(answered).toStrictEqual({
      value: failed("invalid_answer", point),
      events: [answeredEvent(failed("invalid_answer", point))],
    });
  });

  it("when it is larger than the reply's room, and its hint goes with it", async () => {
    const given = { ...TO_B, text: "12345", hint: "123" };
    // {"tool_input":"{\"to\":\"B\"}"} and both texts.
    const size = JSON.stringify(TO_B_CHANGE.change).length + 8;
    const fits = await ask(given, { scope: { room: () => size } });
    const tooLarge = await ask(given, { scope: { room: () => size - 1 } });

    expect(fits.answered?.events).toHaveLength(3);
    expect(fits.answered?.value.outcome).toBe("changed");
    expect(tooLarge.answered).toStrictEqual({
      value: failed("too_large"),
      events: [answeredEvent(failed("too_large"))],
    });
  });

  it("has no size when it is nothing: a reply without room goes on", async () => {
    const { answered } = await ask(null, { scope: { room: () => 0 } });

    expect(answered?.value).toStrictEqual({ ...head(), outcome: "unchanged" });
  });
});
