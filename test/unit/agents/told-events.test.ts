// The part of a called agent's events that its caller's log has, as pure decisions.
import { describe, expect, it } from "vitest";

import { askedCalls, endedCalls } from "../../../agent/agents/asked-calls.ts";
import { copiedEvent } from "../../../agent/agents/copied-event.ts";
import {
  handOn,
  NOTHING_COPIED,
  type CalledAgent,
  type Copied,
} from "../../../agent/agents/hand-on.ts";
import { advanceReply, startReplyState } from "../../../agent/state/reply-state.ts";
import { isSubagentCopy, subagentEventOf } from "../../../protocol/agents/events.ts";
import {
  MAX_SUBAGENT_BYTES,
  MAX_SUBAGENT_TREE_BYTES,
  SUBAGENT_BATCH_BYTES,
  SUBAGENT_RESULT_BYTES,
} from "../../../protocol/agents/limits.ts";
import type { EventOf, LoggedEvent } from "../../../protocol/events.ts";
import { utf8Bytes, withinBytes } from "../../../protocol/utf8-bytes.ts";

const AT = "2026-01-01T00:00:00.000Z";
const CALL: CalledAgent = {
  reply_id: "rep_top",
  tool_call_id: "call_top",
  session_id: "ses_child",
  agent_id: "agt_child",
  agent_name: "Child",
  parent_session_id: "ses_top",
};
const ROOM = { open: new Map(), room: Infinity } as const;

let seq = 0;
function logged(event: Record<string, unknown>): LoggedEvent {
  seq += 1;
  const base = { id: `evt_${seq}`, created_at: AT, metadata: {}, reply_id: "rep_child", seq };
  return { ...base, ...event } as unknown as LoggedEvent;
}
const delta = (text: string, block_id = "blk_1") =>
  logged({ type: "TEXT_BLOCK_DELTA", block_id, delta: text });
const call = (id: string) => ({
  type: "tool_call",
  id,
  name: "pay",
  input: "{}",
  state: "asking",
  suggested_rules: [],
  created_at: AT,
  finished_at: null,
});
const question = (id: string, metadata = {}) =>
  logged({ type: "REQUIRE_USER_CONFIRM", tool_calls: [call(id)], metadata });
const ended = () =>
  logged({ type: "REPLY_END", session_id: "ses_child", finished_reason: "completed" });

function drafts(events: readonly LoggedEvent[], copied: Copied = NOTHING_COPIED, more = ROOM) {
  return handOn(events, CALL, copied, more).drafts as readonly EventOf<"CUSTOM">[];
}

describe("an event of a called agent", () => {
  it("is left out when it is the model's thinking, its calls, or a batch's own affair", () => {
    const left = [
      { type: "THINKING_BLOCK_DELTA", block_id: "blk_1", delta: "Hm." },
      { type: "MODEL_CALL_START", model_name: "m" },
      { type: "HINT_BLOCK", block_id: "blk_2", hint: "Remember." },
      { type: "CUSTOM", name: "hook_answered", value: {} },
    ];

    expect(left.map((event) => copiedEvent(logged(event), new Map()))).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });

  it("has two kilobytes of a result at most, in whole characters, whatever pieces it comes in", () => {
    const results = new Map<string, number>();
    const result = (text: string) =>
      logged({ type: "TOOL_RESULT_TEXT_DELTA", tool_call_id: "call_1", delta: text });
    const first = copiedEvent(result("é".repeat(1_000)), results);
    const second = copiedEvent(result("日本".repeat(100)), results);
    const third = copiedEvent(result("more"), results);
    copiedEvent(
      logged({ type: "TOOL_RESULT_END", tool_call_id: "call_1", state: "success" }),
      results,
    );

    expect([first, second].map((event) => (event as { delta: string }).delta)).toEqual([
      "é".repeat(1_000),
      "日本".repeat(8),
    ]);
    expect([third, results.size]).toEqual([null, 0]);
  });

  it("has a result of others cut in the same way, and large metadata not at all", () => {
    const output = "x".repeat(5_000);
    const given = logged({
      type: "EXTERNAL_EXECUTION_RESULT",
      execution_results: [{ type: "tool_result", id: "call_1", name: "pay", output, metadata: {} }],
    });
    const end = logged({ type: "TOOL_RESULT_END", tool_call_id: "c", metadata: { big: output } });

    expect(copiedEvent(given, new Map())).toMatchObject({
      execution_results: [{ output: "x".repeat(SUBAGENT_RESULT_BYTES) }],
    });
    expect(copiedEvent(end, new Map())?.metadata).toEqual({});
  });
});

describe("what a caller's log gets", () => {
  it("has deltas of a block merged, in batches of a bounded size", () => {
    const texts = Array.from({ length: 100 }, (_, index) => delta(`${index} `.padEnd(1_000)));
    const batches = drafts(texts).map(({ value }) => subagentEventOf(value)!);
    const said = batches.flatMap(({ events }) => events as readonly EventOf<"TEXT_BLOCK_DELTA">[]);

    expect(said.map((event) => event.delta).join("")).toBe(
      Array.from({ length: 100 }, (_, index) => `${index} `.padEnd(1_000)).join(""),
    );
    expect(batches.length).toBeGreaterThan(1);
    expect(batches.every(({ events }) => events.length === 1)).toBe(true);
    for (const batch of batches) {
      expect(utf8Bytes(JSON.stringify(batch))).toBeLessThan(2 * SUBAGENT_BATCH_BYTES);
    }
  });

  it("is the starts, ends and questions alone behind a megabyte, and says so", () => {
    const full = { ...NOTHING_COPIED, bytes: MAX_SUBAGENT_BYTES - 10 };
    const first = handOn([delta("too much"), question("call_1")], CALL, full, ROOM);
    const waiting = { session_id: "ses_child", tool_call_ids: new Set(["call_1"]) };
    const open = new Map([["rep_child", waiting]]);
    const next = handOn([delta("more"), ended()], CALL, first.copied, { ...ROOM, open });
    const told = [first, next].map(({ drafts: all }) =>
      all.map((draft) => {
        const { name, value } = draft as EventOf<"CUSTOM">;
        const batch = subagentEventOf(value);
        return batch ? [batch.omitted, ...batch.events.map(({ type }) => type)] : name;
      }),
    );

    expect(told).toEqual([
      [[true, "REQUIRE_USER_CONFIRM"], "subagent_require_user_confirm"],
      [[true, "REPLY_END"], "subagent_user_confirm_result"],
    ]);
  });

  it("is bounded for what is below an agent too, and for a reply as a whole", () => {
    const told = (events: readonly LoggedEvent[]) =>
      logged({
        type: "CUSTOM",
        name: "subagent_event",
        value: { ...CALL, session_id: "ses_low", events },
      });
    const below = { ...NOTHING_COPIED, below: MAX_SUBAGENT_TREE_BYTES };
    const tree = drafts([told([delta("x"), ended()]), delta("y")], below);
    const reply = drafts([delta("x")], NOTHING_COPIED, { open: new Map(), room: 10 } as never);

    expect(
      tree.map(({ value }) => [value["omitted"], (value["events"] as unknown[]).length]),
    ).toEqual([
      [true, 1],
      [undefined, 1],
    ]);
    expect(reply.map(({ value }) => [value["omitted"], value["events"]])).toEqual([[true, []]]);
  });

  it("has what is below an agent beside its own events, flattened, with this log's reply", () => {
    const low = {
      ...CALL,
      reply_id: "rep_child",
      session_id: "ses_low",
      parent_session_id: "ses_child",
    };
    const told = logged({
      type: "CUSTOM",
      name: "subagent_event",
      value: { ...low, events: [delta("low")] },
    });
    const [before, batch, after] = drafts([delta("a"), told, delta("b")]);

    expect([before, after].map((draft) => draft?.value["session_id"])).toEqual([
      "ses_child",
      "ses_child",
    ]);
    expect({ ...batch?.value, events: [] }).toEqual({ ...low, reply_id: "rep_top", events: [] });
  });

  it("ends each question once: answered, by its result, or with the agent that it is below", () => {
    const asked = (reply_id: string, id: string) =>
      logged({
        type: "CUSTOM",
        name: "subagent_require_user_confirm",
        value: {
          worker_session_id: "ses_low",
          worker_agent_id: "agt_low",
          worker_agent_name: "Low",
          reply_id,
          event_type: "require_user_confirm",
          event: question(id),
          created_at: AT,
          tool_call_id: "call_child",
        },
      });
    const answer = logged({
      type: "USER_CONFIRM_RESULT",
      confirm_results: [{ tool_call: call("call_1") }],
    });
    const result = logged({ type: "TOOL_RESULT_END", tool_call_id: "call_1", state: "success" });
    const all = drafts([question("call_1"), asked("rep_low", "call_9"), answer, result, ended()]);
    const ends = all.filter(({ name }) => name === "subagent_user_confirm_result");

    expect(ends.map(({ value }) => value)).toEqual([
      {
        worker_session_id: "ses_child",
        reply_id: "rep_child",
        tool_call_ids: ["call_1"],
        tool_call_id: "call_top",
      },
      {
        worker_session_id: "ses_low",
        reply_id: "rep_low",
        tool_call_ids: ["call_9"],
        tool_call_id: "call_top",
      },
    ]);
  });
});

describe("a question", () => {
  it("is shown as its own session shows it", () => {
    const metadata = {
      input_hashes: { call_1: "sha256:1" },
      questions: { call_1: "Pay?" },
      reasons: { call_1: null },
      rules: { call_1: null },
      expires_at: { call_1: AT },
      editable: { call_1: ["/eur"] },
    };

    expect(askedCalls(question("call_1", metadata) as EventOf<"REQUIRE_USER_CONFIRM">)).toEqual([
      {
        kind: "permission",
        tool_call: call("call_1"),
        input_hash: "sha256:1",
        expires_at: AT,
        suggested_rules: [],
        question: "Pay?",
        editable: ["/eur"],
        reasons: { reason: null, rule: null, untrusted: [] },
      },
    ]);
  });

  it("is over by an answer over MCP and by a sign-in too", () => {
    const input = logged({ type: "CUSTOM", name: "input_answered", value: { tool_call_id: "c" } });
    const signIn = logged({
      type: "CUSTOM",
      name: "authorization_completed",
      value: { tool_call_ids: ["a", "b"] },
    });

    expect([input, signIn, ended(), delta("x")].map(endedCalls)).toEqual([
      ["c"],
      ["a", "b"],
      null,
      [],
    ]);
  });
});

it("leaves the state of the calling reply as it was", () => {
  const start = startReplyState({
    ...(logged({ type: "REPLY_START" }) as EventOf<"REPLY_START">),
    session_id: "ses_top",
    name: "Top",
    role: "assistant",
  });
  const [draft] = drafts([delta("x")]);

  expect(isSubagentCopy(draft!.name)).toBe(true);
  expect(advanceReply(start, logged({ ...draft }))).toBe(start);
});

describe("a text within so many bytes", () => {
  it.each([
    ["abc", 2, "ab"],
    ["aé", 2, "a"],
    ["😀😀", 7, "😀"],
    ["", 0, ""],
    ["abc", 0, ""],
  ])("of %j and %i is %j", (text, bytes, beginning) => {
    expect(withinBytes(text, bytes)).toBe(beginning);
  });
});
