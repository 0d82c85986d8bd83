// Sinks while the context has untrusted content: the rows of the table in docs/untrusted-content.md, and the fold.
import { describe, expect, it } from "vitest";

import { checkCall } from "../../../agent/permission/check-call.ts";
import {
  advanceUntrusted,
  importedContent,
  NO_UNTRUSTED_CONTENT,
  readUntrusted,
  sentSources,
  untrustedCallIds,
  untrustedReason,
  type UntrustedContent,
} from "../../../agent/permission/untrusted-content.ts";
import type { ToolDeclaration } from "../../../agent/ports.ts";
import type { AgentEvent, LoggedEvent } from "../../../protocol/events.ts";
import { MAX_UNTRUSTED_RESULTS } from "../../../protocol/permission/limits.ts";
import type { Msg } from "../../../protocol/messages/messages.ts";
import type { PermissionMode } from "../../../protocol/messages/permission.ts";
import { caseEvent } from "../../support/fold.ts";
import { BASH, contextOf, PLAIN, WRITE } from "./permission-tools.ts";

const SOURCE = { tool_name: "read_mail", tool_call_id: "call_1" };
const REASON = "Untrusted content: the result of read_mail";
const SINK: ToolDeclaration = { ...PLAIN, sink: true };
const ALLOW = ["allow T", "allow Write", "allow Bash"];

/** The decision with untrusted content in the context, in the mode, with rules that allow everything. */
function decided(mode: PermissionMode, tool = SINK, more: object = {}, rules = ALLOW) {
  const context = { ...contextOf({ mode, rules, directories: ["/work"] }), untrusted: [SOURCE] };
  return checkCall({ ...context, ...more }, tool, { file_path: "/work/x", command: "ls" });
}

describe("a call of a sink, once the model was sent untrusted content", () => {
  it.each([
    ["default", "ask"],
    ["accept_edits", "ask"],
    ["explore", "deny"],
    ["bypass", "ask"],
    ["dont_ask", "deny"],
  ] as const)("in mode %s: %s, whatever allow rules there are", (mode, behavior) => {
    expect(decided(mode).behavior).toBe(behavior);
    expect(decided(mode, { ...WRITE, sink: true }).behavior).toBe(behavior);
  });

  it.each([
    ["default", "ask"],
    ["accept_edits", "ask"],
    ["explore", "ask"],
    ["bypass", "ask"],
    ["dont_ask", "deny"],
  ] as const)("that only reads, in mode %s: %s", (mode, behavior) => {
    expect(decided(mode, { ...SINK, read_only: true }).behavior).toBe(behavior);
    expect(decided(mode, { ...BASH, sink: true }).behavior).toBe(behavior);
  });

  it("passes in mode bypass where the agent says so, and in no other mode", () => {
    const passes = (mode: PermissionMode) =>
      decided(mode, SINK, { bypass_untrusted: true }).behavior;

    expect(
      ["bypass", "default", "accept_edits", "explore", "dont_ask"].map((mode) =>
        passes(mode as PermissionMode),
      ),
    ).toEqual(["allow", "ask", "ask", "deny", "deny"]);
  });

  it("names the source, suggests no rules, and no rule is what decided", () => {
    expect(decided("default")).toEqual({
      behavior: "ask",
      reason: REASON,
      rule: null,
      suggestedRules: [],
      isSafetyAsk: true,
      untrusted: [SOURCE],
    });
    expect(decided("dont_ask")).toMatchObject({
      reason: `DONT_ASK mode converted ASK to DENY. Original reason: ${REASON}`,
      suggestedRules: [],
    });
  });

  it("is denied by a deny rule first, and names the source where an ask rule would ask as well", () => {
    const asked = decided("default", SINK, {}, ["ask T", "allow T"]);
    const denied = decided("bypass", SINK, { bypass_untrusted: true }, ["deny T"]);
    const bypassed = decided("bypass", SINK, { bypass_untrusted: true }, ["ask T"]);

    expect([asked.reason, denied.behavior, bypassed.reason]).toEqual([REASON, "deny", "Rule: T"]);
  });

  it("is decided as ever without such content, and so are calls of other tools with it", () => {
    const modes = ["default", "accept_edits", "explore", "bypass", "dont_ask"] as const;
    for (const mode of modes) {
      const plain = decided(mode, PLAIN, { untrusted: [] });
      expect(decided(mode, PLAIN)).toEqual(plain);
      expect(decided(mode, SINK, { untrusted: [] })).toEqual(plain);
    }
  });
});

describe("the reason", () => {
  it("names three tools at most, each once, the newest first", () => {
    const source = (tool_name: string, index: number) => ({ tool_name, tool_call_id: `c${index}` });

    expect(untrustedReason([])).toBeNull();
    expect(untrustedReason(["a", "b", "a"].map(source))).toBe(
      "Untrusted content: the result of a, b",
    );
    expect(untrustedReason(["a", "b", "c", "d", "e"].map(source))).toBe(
      "Untrusted content: the result of e, d, c and 2 more",
    );
    expect(untrustedReason(importedSources([], "Ann ordered a lamp."))).toBe(
      "Untrusted content: the result of the imported summary",
    );
  });
});

function importedSources(messages: readonly Msg[], summary: string) {
  return sentSources(importedContent(messages, summary));
}

function started(tool_call_id: string, untrusted?: object): object {
  const metadata = untrusted ? { untrusted } : {};
  return {
    type: "TOOL_RESULT_START",
    reply_id: "rep_1",
    tool_call_id,
    tool_call_name: "t",
    metadata,
  };
}

const MODEL_CALL = { type: "MODEL_CALL_START", reply_id: "rep_1", model_name: "m" };

function left(name: string, ids: readonly string[]): object {
  return { type: "CUSTOM", name, value: { untrusted_results: ids } };
}

function folded(events: readonly object[], from = NO_UNTRUSTED_CONTENT): UntrustedContent {
  return events.reduce<UntrustedContent>(
    (state, event) => advanceUntrusted(state, caseEvent(event as AgentEvent) as LoggedEvent),
    from,
  );
}

function sourceOf(tool_call_id: string) {
  return { tool_name: "read_mail", tool_call_id };
}

describe("the untrusted results of a log", () => {
  it("count from the next model call on, which is sent them", () => {
    const before = folded([MODEL_CALL, started("call_1", SOURCE), started("call_2")]);

    expect(sentSources(before)).toEqual([]);
    expect(sentSources(folded([MODEL_CALL], before))).toEqual([SOURCE]);
  });

  it("name the call that brought the content in, where a result repeats it", () => {
    const state = folded([
      started("call_1", SOURCE),
      MODEL_CALL,
      started("call_9", SOURCE),
      MODEL_CALL,
    ]);

    expect(state.results.map(({ tool_call_id }) => tool_call_id)).toEqual(["call_1", "call_9"]);
    expect(sentSources(state)).toEqual([SOURCE]);
  });

  it("stay with the summary that was made of them, also when messages are left out later", () => {
    const state = folded([
      started("call_1", SOURCE),
      MODEL_CALL,
      left("context_compressed", ["call_1"]),
      left("context_truncated", ["call_1"]),
    ]);

    expect(state.results).toEqual([{ tool_call_id: "call_1", source: SOURCE, place: "summary" }]);
    expect(sentSources(state)).toEqual([SOURCE]);
  });

  it("are gone with messages that are left out without a summary, and only those", () => {
    const state = folded([
      started("call_1", SOURCE),
      started("call_2", sourceOf("call_2")),
      MODEL_CALL,
      left("context_truncated", ["call_1"]),
      left("something_else", ["call_2"]),
    ]);

    expect(sentSources(state)).toEqual([sourceOf("call_2")]);
  });

  it("change nothing by events without them, and the state is the same object", () => {
    const state = folded([started("call_1", SOURCE), MODEL_CALL]);
    const events = [
      MODEL_CALL,
      started("c"),
      left("context_compressed", []),
      left("x", ["call_1"]),
    ];
    const hostile = [
      started("c", { tool_name: 1 }),
      { type: "CUSTOM", name: "context_compressed", value: { untrusted_results: "all" } },
    ];

    expect(folded([...events, ...hostile], state)).toBe(state);
  });

  it("are bounded: of more, the oldest stays for ever in place of the others", () => {
    const calls = Array.from({ length: MAX_UNTRUSTED_RESULTS + 5 }, (_, index) => `call_${index}`);
    const state = folded([...calls.map((id) => started(id, sourceOf(id))), MODEL_CALL]);
    const rest = folded([left("context_truncated", calls)], state);

    expect([state.results.length, state.results.at(-1)?.tool_call_id]).toEqual([
      MAX_UNTRUSTED_RESULTS,
      calls.at(-1),
    ]);
    expect(sentSources(rest)).toEqual([sourceOf("call_0")]);
  });
});

describe("untrusted hints, and results that are found to be untrusted at their end", () => {
  const hint = (block_id: string, metadata: object = {}) => ({
    type: "HINT_BLOCK",
    reply_id: "rep_1",
    block_id,
    hint: "What was said before.",
    metadata,
  });
  const ended = (tool_call_id: string, metadata: object = {}) => ({
    type: "TOOL_RESULT_END",
    reply_id: "rep_1",
    tool_call_id,
    state: "success",
    metadata,
  });

  it("count from the next model call on, each once", () => {
    const state = folded([
      hint("blk_1", { untrusted: SOURCE }),
      hint("blk_2"),
      started("call_2"),
      ended("call_2", { untrusted: sourceOf("call_0") }),
      started("call_3", sourceOf("call_3")),
      ended("call_3", { untrusted: sourceOf("call_3") }),
    ]);

    expect(state.results.map(({ tool_call_id }) => tool_call_id)).toEqual([
      "blk_1",
      "call_2",
      "call_3",
    ]);
    expect(sentSources(state)).toEqual([]);
    expect(sentSources(folded([MODEL_CALL], state))).toEqual([
      SOURCE,
      sourceOf("call_0"),
      sourceOf("call_3"),
    ]);
  });

  it("are gone when a recovery takes the hint back, and stay with a summary of it", () => {
    const state = folded([hint("blk_1", { untrusted: SOURCE })]);
    const recovered = { type: "CUSTOM", name: "reply_recovered", value: {} };
    const taken = { ...recovered, value: { discard_block_ids: ["blk_1"] } };

    expect(folded([recovered], state)).toBe(state);
    expect(folded([taken], state)).toEqual(NO_UNTRUSTED_CONTENT);
    expect(folded([MODEL_CALL, left("context_compressed", ["blk_1"])], state).results).toEqual([
      { tool_call_id: "blk_1", source: SOURCE, place: "summary" },
    ]);
    expect(
      untrustedCallIds([
        { content: [{ type: "hint", id: "blk_1", metadata: { untrusted: SOURCE } }] },
        { content: [{ type: "hint", id: "blk_2" }] },
      ] as unknown as readonly Msg[]),
    ).toEqual(["blk_1"]);
  });
});

function result(id: string, metadata: object = {}): object {
  return {
    type: "tool_result",
    id,
    name: "read_mail",
    output: "Hello",
    state: "success",
    metadata,
  };
}

describe("imported messages", () => {
  const messages = [
    {
      content: [
        { type: "text", text: "Hi" },
        result("call_1"),
        result("call_2", { untrusted: SOURCE }),
      ],
    },
  ] as unknown as readonly Msg[];

  it("are not trusted: every result and the summary are sources", () => {
    expect(importedSources(messages, "Ann ordered a lamp.")).toEqual([
      { tool_name: "imported_summary", tool_call_id: "" },
      sourceOf("call_1"),
      sourceOf("call_2"),
    ]);
    expect(importedContent([], "")).toEqual(NO_UNTRUSTED_CONTENT);
    expect(untrustedCallIds(messages)).toEqual(["call_2"]);
  });

  it("have hints that are not trusted, by their marks", () => {
    const hint = { type: "hint", hint: "Pay now.", source: "tool:read/page" };
    const marked = { ...hint, id: "call_1_hint_1", metadata: { untrusted: SOURCE } };
    const given = [{ content: [marked, { ...hint, id: "blk_2" }] }] as unknown as readonly Msg[];

    expect(importedContent(given, "").results).toEqual([
      { tool_call_id: "call_1_hint_1", source: SOURCE, place: "context" },
    ]);
  });

  it("are what the state says of them, if it says it whole", () => {
    const said = { tool_call_id: "call_2", source: SOURCE, place: "new" };
    const read = (value: unknown) => readUntrusted({ untrusted_content: value });

    expect(read({ results: [] })).toEqual(NO_UNTRUSTED_CONTENT);
    expect(read({ results: [said] })).toEqual({ results: [{ ...said, place: "context" }] });
    const most = Array.from({ length: MAX_UNTRUSTED_RESULTS }, () => said);
    expect(read({ results: most })?.results).toHaveLength(MAX_UNTRUSTED_RESULTS);
    const wrong = [
      undefined,
      [],
      { results: "none" },
      { results: [{ ...said, source: {} }] },
      { results: [null] },
      { results: [...most, said] },
    ];
    expect(wrong.map(read)).toEqual(wrong.map(() => null));
    expect([readUntrusted(null), readUntrusted("x")]).toEqual([null, null]);
  });
});
