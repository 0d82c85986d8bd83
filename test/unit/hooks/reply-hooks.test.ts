// The hooks of a reply: what is asked at which point, in which order, what is not asked, and how a hook ends a reply.
import { describe, expect, it } from "vitest";

import type { HookRequest, RegisteredHook } from "../../../agent/hooks/hook-runner.ts";
import { ReplyHooks } from "../../../agent/hooks/reply-hooks.ts";
import type { ModelChunk } from "../../../agent/ports.ts";
import type { HookAnswer } from "../../../protocol/hooks/contract.ts";
import { HOOK_POINTS, type HookPoint } from "../../../protocol/hooks/events.ts";
import { AssistantMsg, UserMsg } from "../../../protocol/messages/constructors.ts";
import { functionTools } from "../../support/function-tools.ts";
import { MemoryLog } from "../../support/memory-log.ts";
import { playedModel } from "../../support/played-model.ts";
import { runScript, type ScriptRun } from "../../support/run-script.ts";

type Answer = (request: HookRequest) => Partial<HookAnswer> | null | "failed" | undefined;

const NOTHING: Answer = () => null;
/** A thought, a word and two calls; then an answer. */
const CALLS: readonly ModelChunk[] = [
  { thinking: "hm" },
  { text: "Paying." },
  { tool_calls: [{ index: 0, id: "c1", name: "pay", delta: '{"to":"A"}' }] },
  { tool_calls: [{ index: 1, id: "c2", name: "gone", delta: "{}" }] },
];
const DONE: readonly ModelChunk[] = [{ text: "Done." }];

const PAY = {
  input_schema: { type: "object", properties: { to: { type: "string" } } },
  run: ({ to }: { to: string }) => `paid to ${to}`,
};

type Hook =
  | HookPoint
  | (Pick<RegisteredHook, "origin"> & { readonly name: string; readonly point: HookPoint });

interface Desk extends Omit<ScriptRun, "script" | "hooks"> {
  readonly hooks?: readonly Hook[];
  readonly on_failure?: "open" | "closed";
}

function registered(hook: Hook, on_failure: "open" | "closed"): RegisteredHook {
  const { origin, name, point } =
    typeof hook === "string" ? { origin: "agent" as const, name: "desk", point: hook } : hook;
  const definition = { type: "http", name, point, url: "https://shop.example/" } as const;
  return { origin, definition: { ...definition, timeout_ms: 1_000, on_failure } };
}

/** A reply with hooks at all points, or these: what they were asked, and its log. */
async function reply(answer: Answer, { hooks = HOOK_POINTS, on_failure, log, ...run }: Desk = {}) {
  const asked: HookRequest[] = [];
  const kept = log ?? new MemoryLog();
  let ids = 0;
  const replyHooks = new ReplyHooks({
    hooks: hooks.map((hook) => registered(hook, on_failure ?? "closed")),
    runner: {
      ask: async (request) => {
        asked.push(structuredClone(request));
        const given = answer(request);
        if (given === "failed") return { ok: false, kind: "timeout" };
        return { ok: true, answer: given ? { action: "continue", ...given } : null };
      },
    },
    log: kept,
    session_id: "ses_1",
    end_user_id: "eu_1",
    newId: (prefix) => `${prefix}_h${(ids += 1)}`,
    stop: run.stop ?? new AbortController().signal,
    hash: async (text) => `#${text.length}`,
  });
  const said = [...(run.history ?? []), UserMsg({ name: "user", content: "go" })];
  // As the session's object does it.
  const history = await replyHooks.beforeReply(said);
  await runScript({
    // A reply that goes on plays what it has not said yet.
    models: [playedModel("m", ...[CALLS, DONE].slice(kept.state.completed_turns.length))],
    tools: functionTools({ pay: PAY }),
    permission: { mode: "bypass", rules: [], working_directories: [] },
    ...run,
    script: history.at(-1)?.content ?? [],
    history: history.slice(0, -1),
    log: kept,
    hooks: replyHooks,
  });
  const { message } = kept.state;
  return { asked, log: kept, message, points: asked.map(({ point, id }) => [point, id]) };
}

function textsOf({ message }: { message: MemoryLog["state"]["message"] }): string[] {
  return message.content.flatMap((block) => (block.type === "text" ? [block.text] : []));
}

describe("a reply with hooks at every point", () => {
  it("asks them in its order, once each, under ids that say what they are about", async () => {
    const { asked, points } = await reply(NOTHING);
    const [, , , thought, word] = asked.map(({ input }) => input.block?.id);

    expect(points).toEqual([
      ["pre_reply", "rep_1:pre_reply:agent:desk"],
      ["pre_reasoning", "rep_1:pre_reasoning:1:agent:desk"],
      ["pre_model_call", expect.stringMatching(/^rep_1:pre_model_call:1-%23\d+:agent:desk$/)],
      ["post_print", `rep_1:post_print:${thought}:agent:desk`],
      ["post_print", `rep_1:post_print:${word}:agent:desk`],
      ["post_reasoning", "rep_1:post_reasoning:1:agent:desk"],
      ["pre_acting", "rep_1:pre_acting:c1:agent:desk"],
      ["post_acting", "rep_1:post_acting:c1:agent:desk"],
      ["post_acting", "rep_1:post_acting:c2:agent:desk"],
      ["pre_reasoning", "rep_1:pre_reasoning:2:agent:desk"],
      ["pre_model_call", expect.stringMatching(/^rep_1:pre_model_call:2-%23\d+:agent:desk$/)],
      ["post_print", expect.stringMatching(/^rep_1:post_print:blk_\d+:agent:desk$/)],
      ["post_reasoning", "rep_1:post_reasoning:2:agent:desk"],
      ["post_reply", "rep_1:post_reply:agent:desk"],
    ]);
  });

  it("shows each of them what its point is about", async () => {
    const { asked, message } = await reply(NOTHING);
    const at = (point: HookPoint) =>
      asked.flatMap(({ point: other, input, output }) =>
        other === point ? [{ input, output }] : [],
      );
    const [thought, word, call, gone, , , done] = message.content;
    const pay = { id: "c1", name: "pay", input: { to: "A" } };

    expect(at("pre_reply")).toMatchObject([
      {
        input: {
          messages: [{ role: "user", name: "user", content: [{ type: "text", text: "go" }] }],
        },
      },
    ]);
    expect(at("pre_reasoning").map(({ input }) => input)).toEqual([
      { iteration: 1, tool_choice: null },
      { iteration: 2, tool_choice: null },
    ]);
    expect(at("pre_model_call").map(({ input }) => input)).toMatchObject([
      {
        iteration: 1,
        request: {
          messages: [{ role: "user", content: [{ type: "text", text: "go" }] }],
          tools: [{ name: "pay", input_schema: PAY.input_schema }],
          tool_choice: null,
          structured_schema: null,
        },
      },
      { iteration: 2, request: { messages: [{ role: "user" }, { role: "assistant" }] } },
    ]);
    expect(at("post_print").map(({ input }) => input.block)).toEqual([
      { id: thought?.id, type: "thinking", text: "hm" },
      { id: word?.id, type: "text", text: "Paying." },
      { id: done?.id, type: "text", text: "Done." },
    ]);
    expect(at("post_reasoning").map(({ input, output }) => [input, output?.message_id])).toEqual([
      [{ iteration: 1 }, "rep_1"],
      [{ iteration: 2 }, "rep_1"],
    ]);
    expect(at("post_reasoning").map(({ output }) => output?.blocks?.map(({ id }) => id))).toEqual([
      [thought?.id, word?.id, call?.id, gone?.id],
      [done?.id],
    ]);
    expect(at("pre_acting")).toEqual([{ input: { tool_call: pay } }]);
    expect(at("post_acting")).toEqual([
      { input: { tool_call: pay }, output: { state: "success", text: "paid to A" } },
      {
        input: { tool_call: { id: "c2", name: "gone", input: {} } },
        output: { state: "error", text: expect.stringContaining("gone") },
      },
    ]);
    expect(at("post_reply")).toEqual([
      { input: {}, output: { message_id: "rep_1", blocks: message.content } },
    ]);
  });

  it("asks nothing again that its log has an answer for, whichever answer was its last", async () => {
    const whole = await reply(NOTHING);
    const { events } = whole.log;
    for (const [index, event] of events.entries()) {
      if (event.type !== "CUSTOM") continue;
      const log = MemoryLog.reopen({ events: events.slice(0, index + 1) });
      const known = new Set(log.state.hooks.answers.keys());
      const { asked } = await reply(NOTHING, { log, isRestart: true });

      expect(asked.filter(({ id }) => known.has(id))).toEqual([]);
    }
  });

  it("asks none of them once it is stopped", async () => {
    const stop = new AbortController();
    const { points, log } = await reply(() => (stop.abort(), { hint: "x" }), { stop: stop.signal });

    expect(points.map(([point]) => point)).toEqual(["pre_reply"]);
    expect(log.types).toEqual(["REPLY_START"]);
  });
});

describe("hooks of one point", () => {
  const TWO: readonly Hook[] = [
    { origin: "session", name: "first", point: "pre_acting" },
    { origin: "agent", name: "second", point: "pre_acting" },
  ];
  const names = (asked: readonly HookRequest[]) => asked.map(({ hook }) => hook.name);

  it("are asked in their order, each about what the one before has made of it", async () => {
    const { asked, message } = await reply(
      ({ input }) => ({
        input: {
          tool_call: {
            input: { to: `${(input.tool_call?.input as { to: string } | undefined)?.to}+` },
          },
        },
      }),
      { hooks: TWO },
    );

    expect(asked.map(({ id, input }) => [id, input.tool_call?.input])).toEqual([
      ["rep_1:pre_acting:c1:session:first", { to: "A" }],
      ["rep_1:pre_acting:c1:agent:second", { to: "A+" }],
    ]);
    expect(message.content.find(({ id }) => id === "c1")).toMatchObject({ input: '{"to":"A++"}' });
    expect(message.content.findLast(({ id }) => id === "c1")).toMatchObject({
      state: "success",
      output: [{ text: "paid to A++" }],
    });
  });

  it.each([
    ["blocked", { action: "block" }],
    ["ended", { action: "stop" }],
  ] as const)("are not asked any more once the call is %s", async (_, given) => {
    const { asked } = await reply(() => given, { hooks: TWO });

    expect(names(asked)).toEqual(["first"]);
  });

  it("are not asked after one that is in the log and has blocked the call", async () => {
    const blocked = await reply(() => ({ action: "block" }), { hooks: TWO });
    const cut = blocked.log.events.findIndex(({ type }) => type === "CUSTOM") + 1;
    const log = MemoryLog.reopen({ events: blocked.log.events.slice(0, cut) });
    const { asked } = await reply(NOTHING, { hooks: TWO, log, isRestart: true });

    expect(asked).toEqual([]);
  });
});

describe("a hook before the reply", () => {
  it("is shown the messages behind the last answer, and changes what the model reads of them", async () => {
    const read: unknown[] = [];
    const model = { ...playedModel("m", DONE), name: "m" };
    const listening = {
      ...model,
      stream: (...[request, stop, report]: Parameters<typeof model.stream>) => {
        read.push(
          request.messages.map(({ content }) =>
            content.map((block) => "text" in block && block.text),
          ),
        );
        return model.stream(request, stop, report);
      },
    };
    const { asked } = await reply(
      ({ input }) => ({
        input: { messages: [{ id: input.messages?.[0]?.id ?? "", content: "[hidden]" }] },
      }),
      {
        hooks: ["pre_reply"],
        models: [listening],
        history: [
          UserMsg({ name: "user", content: "old" }),
          AssistantMsg({ name: "Agent", content: "answered" }),
          UserMsg({ name: "user", content: "new" }),
        ],
      },
    );

    expect(asked[0]?.input.messages?.map(({ content }) => content)).toMatchObject([
      [{ text: "new" }],
      [{ text: "go" }],
    ]);
    expect(read).toEqual([[["old"], ["answered"], ["[hidden]"], ["go"]]]);
  });

  it("is not asked behind the first model call", async () => {
    const { points } = await reply(NOTHING, { hooks: ["pre_reply"] });

    expect(points).toHaveLength(1);
  });
});

describe("a hook before a model call", () => {
  it.each([
    [{ name: "pay" }, { name: "pay" }],
    ["none", "none"],
    [null, undefined],
    [undefined, undefined],
  ])("that answers the choice %j makes it %j", async (tool_choice, chosen) => {
    const choices: unknown[] = [];
    const model = playedModel("m", DONE);
    await reply(() => ({ input: { tool_choice: tool_choice as never } }), {
      hooks: ["pre_reasoning"],
      models: [
        {
          name: "m",
          stream: (request, stop, report) => {
            choices.push(request.options?.tool_choice);
            return model.stream(request, stop, report);
          },
        },
      ],
    });

    expect(choices).toEqual([chosen]);
  });
});

describe("a reply that a hook ends", () => {
  it.each([
    [
      "with its own words",
      { action: "block", text: "No.", reason: "why" },
      ["No."],
      { reason: "why" },
    ],
    [
      "with its reason",
      { action: "block", reason: "Not that." },
      ["Not that."],
      { reason: "Not that." },
    ],
    ["without a word", { action: "block" }, [], {}],
    ["with an empty word", { action: "block", text: "", reason: "why" }, [], { reason: "why" }],
    [
      "by a stop, whose reason is not said",
      { action: "stop", reason: "enough" },
      [],
      { reason: "enough" },
    ],
    ["by a stop with words", { action: "stop", text: "Bye." }, ["Bye."], {}],
  ] as const)("before it %s says them, and is completed", async (_, given, texts, reason) => {
    const { log, message } = await reply(() => given, { hooks: ["pre_reply"] });

    expect(textsOf({ message })).toEqual(texts);
    expect(log.types).not.toContain("MODEL_CALL_START");
    expect(log.events.at(-1)).toMatchObject({ type: "REPLY_END", finished_reason: "completed" });
    expect(log.events.at(-1)?.metadata).toMatchObject({
      stopped_by: { hook: "desk", point: "pre_reply", ...reason },
    });
  });

  it("by its failure has an error that names it, and ends at once", async () => {
    const { log, message, points } = await reply(() => "failed", {
      hooks: ["pre_reasoning", "post_reply"],
    });

    expect(points).toHaveLength(1);
    expect(message).toMatchObject({
      finished_reason: "error",
      error: {
        type: "unknown",
        message: "The hook desk gave no valid answer, and the reply is to end then.",
      },
    });
    expect(log.events.at(-1)?.metadata).toMatchObject({
      failed_hook: { hook: "desk", point: "pre_reasoning", kind: "timeout" },
    });
  });

  it("by its failure goes on where the hook may fail", async () => {
    const { message } = await reply(() => "failed", { on_failure: "open" });

    expect([message.finished_reason, textsOf({ message })]).toEqual([
      "completed",
      ["Paying.", "Done."],
    ]);
  });
});
