// The bounds of a called agent, as pure decisions.
import { describe, expect, it, test } from "vitest";

import {
  boundsBelow,
  depthOf,
  pathBelow,
  type CallingSession,
  type InheritedBounds,
} from "../../../agent/agents/inherited-bounds.ts";
import { budgetOfCall, refuseAgentCall } from "../../../agent/agents/refuse-agent-call.ts";
import { addUsage, answerOf, resultOfAnswer } from "../../../agent/agents/subagent-answer.ts";
import { checkCall, type PermissionSettings } from "../../../agent/permission/check-call.ts";
import {
  advanceReply,
  startReplyState,
  type ReplyState,
} from "../../../agent/state/reply-state.ts";
import type { ToolDeclaration } from "../../../agent/ports.ts";
import { SUBAGENT_CALL } from "../../../protocol/agents/events.ts";
import type { AgentEvent, EventOf } from "../../../protocol/events.ts";
import {
  PermissionModeSchema,
  type PermissionRule,
} from "../../../protocol/messages/permission.ts";
import type { Msg } from "../../../protocol/messages/messages.ts";

const TOP: CallingSession = { session_id: "ses_top", agent_id: "agt_top" };

const BOUNDS: InheritedBounds = {
  root_session_id: "ses_top",
  path: ["agt_top"],
  max_depth: 2,
  max_tokens: 10,
  modes: [],
  rules: [],
  untrusted: [],
  bypass_untrusted: false,
};

const MIDDLE: CallingSession = { session_id: "ses_middle", agent_id: "agt_middle", bounds: BOUNDS };

const SETTINGS: PermissionSettings = { mode: "default", rules: [], working_directories: [] };

function rule(behavior: PermissionRule["behavior"], tool_name = "pay"): PermissionRule {
  return { tool_name, rule_content: "", behavior, source: "agent" };
}

describe("the bounds below a caller", () => {
  it("have its deny and ask rules, its modes but bypass, and what its model was sent", () => {
    const untrusted = [{ tool_name: "read_mail", tool_call_id: "call_1" }];
    const rules = [rule("deny"), rule("allow"), rule("ask"), rule("deny")];
    const settings = {
      ...SETTINGS,
      rules,
      untrusted,
      mode: "explore",
      bounds: ["bypass"],
    } as const;

    expect(boundsBelow(TOP, settings, { max_depth: 3, max_tokens: 5 })).toEqual({
      root_session_id: "ses_top",
      path: ["agt_top"],
      max_depth: 3,
      max_tokens: 5,
      modes: ["explore"],
      rules: [rule("deny"), rule("ask")],
      untrusted,
      bypass_untrusted: false,
    });
  });

  it("keep those from further up", () => {
    const settings = { ...SETTINGS, bounds: ["dont_ask"] } as const;
    const { root_session_id, path, modes } = boundsBelow(MIDDLE, settings, BOUNDS);

    expect([root_session_id, path, modes]).toEqual([
      "ses_top",
      ["agt_top", "agt_middle"],
      ["dont_ask", "default"],
    ]);
    expect(pathBelow(MIDDLE)).toEqual(path);
    expect([depthOf(MIDDLE, {}), depthOf(TOP, {}), depthOf(TOP, { max_depth: 8 })]).toEqual([
      2, 3, 8,
    ]);
  });
});

describe("a call in the modes of those above", () => {
  const RANKS = { allow: 0, ask: 1, deny: 2 };
  const MODES = PermissionModeSchema.options;
  const TOOLS: readonly ToolDeclaration[] = [
    { read_only: false },
    { read_only: true },
    { read_only: false, permission_default: "ask" as const },
    { read_only: false, sink: true },
  ].map((flags) => ({
    name: "pay",
    description: "",
    input_schema: { type: "object" },
    concurrency_safe: false,
    idempotent: false,
    ...flags,
  }));

  test.each(MODES.flatMap((own) => MODES.map((above) => [own, above] as const)))(
    "is decided in %s under %s as the stricter of both",
    (own, above) => {
      const untrusted = [{ tool_name: "read_mail", tool_call_id: "call_1" }];
      for (const tool of TOOLS) {
        for (const rules of [[], [rule("allow")], [rule("ask")], [rule("deny")]]) {
          const settings = { ...SETTINGS, rules, untrusted };
          const decide = (more: Partial<PermissionSettings>) =>
            RANKS[checkCall({ ...settings, ...more }, tool, {}).behavior];
          const both = decide({ mode: own, bounds: [above] });

          expect(both).toBe(Math.max(decide({ mode: own }), decide({ mode: above })));
        }
      }
    },
  );
});

describe("a call of an agent", () => {
  const TOOL = { name: "helper", agent_id: "agt_helper" };
  const ROOM = { calls: 0, max_tokens: 1 };

  it("is refused on its own path, too deep, too often and without tokens", () => {
    const refusals = [
      refuseAgentCall(TOP, TOOL, ROOM),
      refuseAgentCall(MIDDLE, TOOL, ROOM),
      refuseAgentCall(MIDDLE, { ...TOOL, agent_id: "agt_top" }, ROOM),
      refuseAgentCall(MIDDLE, { ...TOOL, agent_id: "agt_top", allow_recursion: true }, ROOM),
      refuseAgentCall(MIDDLE, { ...TOOL, max_depth: 1 }, ROOM),
      refuseAgentCall(TOP, TOOL, { ...ROOM, calls: 127 }),
      refuseAgentCall(TOP, TOOL, { ...ROOM, calls: 128 }),
      refuseAgentCall(TOP, TOOL, { ...ROOM, max_tokens: 0 }),
    ];

    expect(refusals.map((words) => words?.split(":")[0] ?? null)).toEqual([
      null,
      null,
      "agent_cycle",
      null,
      "agent_depth",
      null,
      "agent_calls",
      "agent_budget",
    ]);
  });
});

const REPLY = {
  reply_id: "rep_1",
  id: "evt_1",
  created_at: "2026-01-01T00:00:00.000Z",
  metadata: {},
};

function fold(events: readonly object[]): ReplyState {
  const start = {
    ...REPLY,
    type: "REPLY_START",
    session_id: "ses_1",
    name: "A",
    role: "assistant",
  };
  const first = startReplyState({ ...start, metadata: {} } as unknown as EventOf<"REPLY_START">);
  return events.reduce<ReplyState>(
    (state, event) => advanceReply(state, { ...REPLY, ...event } as unknown as AgentEvent),
    first,
  );
}

function called(id: string, tokens: number): object {
  const value = { reply_id: "rep_1", session_id: "ses_2", agent_id: "agt_2", waits: false };
  return { type: "CUSTOM", name: SUBAGENT_CALL, value: { ...value, tool_call_id: id, tokens } };
}

function turn(...names: readonly string[]): readonly object[] {
  return [
    { type: "MODEL_CALL_START", model_name: "m" },
    ...names.flatMap((name) => [
      { type: "TOOL_CALL_START", tool_call_id: `call_${name}`, tool_call_name: name },
      { type: "TOOL_CALL_END", tool_call_id: `call_${name}` },
    ]),
    { type: "MODEL_CALL_END", input_tokens: 90, output_tokens: 10 },
  ];
}

describe("the tokens of a call", () => {
  const isAgent = (name: string) => name.startsWith("agent");

  it("are the rest in equal parts for the agents of the turn, whichever has ended", () => {
    const two = fold(turn("agent_a", "agent_b", "other"));
    const ended = fold([...turn("agent_a", "agent_b", "other"), called("call_agent_a", 300)]);

    expect([budgetOfCall(two, isAgent, 1_000), budgetOfCall(ended, isAgent, 1_000)]).toEqual([
      450, 450,
    ]);
  });

  it("are less by what agents of earlier turns have used, each counted once", () => {
    const events = [
      ...turn("agent_a"),
      called("call_agent_a", 200),
      called("call_agent_a", 300),
      ...turn("agent_b"),
    ];

    expect([
      budgetOfCall(fold(events), isAgent, 1_000),
      budgetOfCall(fold(events), isAgent, 400),
    ]).toEqual([500, 0]);
  });
});

describe("the answer of an agent", () => {
  const content = (blocks: readonly object[]) =>
    ({ content: blocks, structured_output: null }) as unknown as Msg;

  it("is its words behind the last call, or its structured output", () => {
    const said = [
      { type: "text", text: "I look." },
      { type: "tool_call" },
      { type: "tool_result" },
      { type: "thinking", thinking: "Hm." },
      { type: "text", text: "It is" },
      { type: "text", text: "there." },
    ];

    expect([
      answerOf(content(said)),
      answerOf(content([])),
      answerOf({ ...content(said), structured_output: { a: 1 } }),
    ]).toEqual(["It is\nthere.", "", '{"a":1}']);
  });

  it("has a cost that is not known where a part of it is not", () => {
    const one = { input_tokens: 1, output_tokens: 2, cost_usd: 0.5 };

    expect([
      addUsage([]),
      addUsage([one, one]),
      addUsage([one, { ...one, cost_usd: null }]),
    ]).toEqual([
      { input_tokens: 0, output_tokens: 0, cost_usd: 0 },
      { input_tokens: 2, output_tokens: 4, cost_usd: 1 },
      { input_tokens: 2, output_tokens: 4, cost_usd: null },
    ]);
  });

  test.each([
    ["completed", "", "success", "The agent has said nothing."],
    ["completed", "Hi.", "success", "Hi."],
    [
      "exceed_max_iters",
      "Hi.",
      "error",
      "Hi.\nThe agent has used up its rounds before it had finished.",
    ],
    ["error", "", "error", "The agent has failed: the reason is not known"],
  ] as const)("that is %s with %j is a %s", (status, text, state, words) => {
    const answer = { reply_id: "rep_2", status, text, error: null, usage: addUsage([]) };
    const result = resultOfAnswer(answer, { session_id: "ses_2", agent_id: "agt_2" });

    expect([result.state, result.text]).toEqual([state, words]);
  });
});
