import { describe, expect, it } from "vitest";

import { wordsOfCustom } from "../../../console/components/words/custom-words.ts";
import { ALL_POINTS, HTTP_POINTS } from "../../../console/components/words/hook-words.ts";
import { HOOK_POINTS, MIDDLEWARE_POINTS } from "../../../protocol/hooks/events.ts";

describe("what a CUSTOM event says in words", () => {
  it("is a sentence about what a hook did, with its reason or its failure", () => {
    const base = { hook: "guard", point: "pre_acting" };
    const words = [
      { ...base, outcome: "blocked", reason: "Too much" },
      { ...base, outcome: "changed", change: { tool_input: "{}" } },
      { ...base, point: "post_reply", outcome: "changed", change: { blocks: [] }, reason: "names" },
      { ...base, outcome: "failed", failure: { kind: "timed_out", on_failure: "closed" } },
      { ...base, outcome: "failed", failure: { kind: "status", on_failure: "open" } },
      { ...base, outcome: "asked" },
    ].map((value) => wordsOfCustom("hook_answered", value));

    expect(words).toEqual([
      "Hook guard blocked before a tool call: Too much",
      "Hook guard changed the call’s input before a tool call",
      "Hook guard changed the answer’s text after a reply: names",
      "Hook guard failed before a tool call: timed out, the reply ends with an error",
      "Hook guard failed before a tool call: status, the reply goes on",
      "Hook guard has a person asked before a tool call",
    ]);
  });

  it("names the version that was retired, and the one that the session has now", () => {
    expect(wordsOfCustom("agent_version_changed", { from: 1, to: 3 })).toBe(
      "Version 1 of the agent was retired: the session has version 3 now",
    );
  });

  it("is what a tool says of its progress, and nothing where that says nothing", () => {
    const said = [{ message: "shelf 1", progress: 1, total: 2 }, { message: "reading" }, {}, null];

    expect(said.map((value) => wordsOfCustom("tool_progress", value))).toEqual([
      "Progress: 1 of 2: shelf 1",
      "Progress: reading",
      "Progress: nothing said",
      "Progress: nothing said",
    ]);
  });

  it("says what was spoken, and what was heard of an answer that was interrupted", () => {
    const long = "word ".repeat(40);

    expect([
      wordsOfCustom("speech_transcribed", { message_id: "msg_1", text: "Where is my order?" }),
      wordsOfCustom("speech_truncated", { text: "It was handed to", played_ms: 1_240 }),
      wordsOfCustom("speech_truncated", { text: "", played_ms: 0 }),
      wordsOfCustom("speech_transcribed", { text: long }).length,
      wordsOfCustom("speech_transcribed", null),
      wordsOfCustom("speech_kept", { message_id: "msg_1", url: "https://x/y", ms: 1_240 }),
    ]).toEqual([
      "The user said: Where is my order?",
      "The agent was interrupted after 1.2 s; what was heard ends with: It was handed to",
      "The agent was interrupted before it was heard",
      "The user said: ".length + 121,
      "The user said: ",
      "Kept as a file: 1.2 s",
    ]);
  });

  it("says who has switched groups of tools, and what is active then", () => {
    const by = { kind: "api_key", id: "key_1" };

    expect([
      wordsOfCustom("tool_groups_changed", { activated_groups: ["web"], switched_by: by }),
      wordsOfCustom("tool_groups_changed", { activated_groups: [] }),
    ]).toEqual([
      "Tools switched by a person, active groups: web",
      "Tools switched by the agent, active groups: none",
    ]);
  });

  it("says what was remembered, by whom, and what failed", () => {
    const memories = [{ id: "mem_1", version: 1 }];
    const error = { type: "model_error", message: "no answer" };

    expect([
      wordsOfCustom("memories_recorded", { memories, tool_call_id: "c", untrusted: true }),
      wordsOfCustom("memories_recorded", { memories: [...memories, ...memories] }),
      wordsOfCustom("memories_recorded", { memories: [] }),
      wordsOfCustom("memory_record_failed", { error }),
      wordsOfCustom("memory_recall_failed", { reason: "timed_out" }),
      wordsOfCustom("memories_redacted", { memory_ids: ["mem_1"] }),
    ]).toEqual([
      "1 memory recorded by the agent’s tool, untrusted",
      "2 memories recorded behind the reply",
      "Nothing of it was worth remembering",
      "Nothing was recorded: no answer",
      "Nothing was recalled: the store took too long",
      "1 memory left out from here on: deleted or redacted",
    ]);
  });

  it("says what a called agent does and asks", () => {
    const event = { tool_calls: [{ name: "refund" }] };
    const asked = { worker_agent_name: "Order desk", event_type: "require_user_confirm", event };

    expect([
      wordsOfCustom("subagent_call", { waits: true }),
      wordsOfCustom("subagent_event", { agent_name: "Order desk", events: [{}, {}] }),
      wordsOfCustom("subagent_require_user_confirm", asked),
      wordsOfCustom("subagent_user_confirm_result", { tool_call_ids: ["c"] }),
      wordsOfCustom("subagent_event", null),
    ]).toEqual([
      "An agent was called: the call waits for it",
      "Order desk told 2 events",
      "Order desk asks for a permission: refund",
      "A question of a called agent waits no more",
      "A called agent told 0 events",
    ]);
  });

  it("does not fail on events of a newer platform", () => {
    expect([
      wordsOfCustom("hook_answered", null),
      wordsOfCustom("hook_answered", { hook: "a", point: "toString", outcome: "slept_in" }),
      wordsOfCustom("tool_groups_changed", "x"),
      wordsOfCustom("something_new", {}),
    ]).toEqual([
      "Hook ? ? ?",
      "Hook a slept in toString",
      "Tools switched by the agent, active groups: none",
      "something_new",
    ]);
  });

  it("knows the points of the protocol, those of addresses apart", () => {
    expect([HTTP_POINTS.toSorted(), ALL_POINTS.toSorted()]).toEqual([
      HOOK_POINTS.toSorted(),
      [...HOOK_POINTS, ...MIDDLEWARE_POINTS].toSorted(),
    ]);
  });
});
