// Replies of features that write something of their own, with their durable writes, which the crash tests walk.
import type { Scenario } from "./scenarios.ts";
import { CHANGED_BLOCKS, HOOKS, PRINTING_HOOK } from "./hook-scenarios.ts";
import {
  ANSWER,
  BEGIN,
  BOTH_ABORTS,
  CALL,
  call,
  ONE_ABORT,
  RESULT,
  TEXT,
} from "./writes-of-replies.ts";

export const NOTES: Scenario = {
  name: "an ability of a deployment",
  from: "start",
  ways: BOTH_ABORTS,
  script: `/call note {"text":"lamp"}\n/say done`,
  writes: [BEGIN, ...CALL, "TOOL_RESULT_START + noted + TOOL_RESULT_END", "HINT_BLOCK", ...ANSWER],
};

export const AGENT_IN_CODE: Scenario = {
  name: "an agent in code",
  from: "start",
  ways: BOTH_ABORTS,
  script: "Any question.",
  agent: { code_agent: "careful" },
  writes: [
    BEGIN,
    "agent_step + TEXT_BLOCK_START + TEXT_BLOCK_END",
    "agent_step",
    "agent_step + TOOL_CALL_START + TOOL_CALL_END",
    ...RESULT,
    "agent_step",
    ...ANSWER,
  ],
};

/** Three turns of a server, and one of the agent's own model between them. */
export const SERVED_AGENT: Scenario = {
  name: "an agent in code over HTTP",
  from: "start",
  ways: BOTH_ABORTS,
  script: "Any question.",
  agent: (url) => ({ code_agent: { type: "http", url: `${url}/agent` } }),
  writes: [
    BEGIN,
    ...TEXT,
    "TEXT_BLOCK_END",
    "TOOL_CALL_START",
    "agent_step + TOOL_CALL_END + MODEL_CALL_END",
    ...RESULT,
    "MODEL_CALL_START",
    "agent_step + MODEL_CALL_END + MODEL_CALL_START",
    "TEXT_BLOCK_START",
    "TEXT_BLOCK_END + MODEL_CALL_END",
    ...TEXT,
    "agent_step + TEXT_BLOCK_END + MODEL_CALL_END + REPLY_END",
  ],
};

/** Waits, and is interrupted. */
export const INTERRUPTED_CODE: Scenario = {
  name: "an interrupt of an agent in code",
  from: "answer",
  ways: BOTH_ABORTS,
  script: "Any question.",
  isInterrupted: true,
  ends: "interrupted",
  agent: { code_agent: "stoppable" },
  writes: ["reply_interrupted + TOOL_RESULT_END", "TEXT_BLOCK_START + TEXT_BLOCK_END + REPLY_END"],
};

export const DENIAL_REASON = "The parcel never left.";

export const DENIAL: Scenario = {
  name: "a denial with its reason",
  from: "answer",
  ways: BOTH_ABORTS,
  asks: true,
  denialReason: DENIAL_REASON,
  script: "/call charge {}\n/say done",
  writes: ["USER_CONFIRM_RESULT + TOOL_RESULT_START + TOOL_RESULT_END", ...ANSWER],
};

export const RESULT_AS_ANSWER: Scenario = {
  name: "a result that is the answer",
  from: "start",
  ways: ONE_ABORT,
  script: "/call charge_direct {}\n/say It may have been charged.",
  writes: [BEGIN, ...CALL, ...RESULT, "TEXT_BLOCK_START + TEXT_BLOCK_END + REPLY_END"],
};

/** The second tool does not run beside the first one, which has asked for the stop by then. */
export const STOPPED_BY_TOOL: Scenario = {
  name: "a tool that stops its reply",
  from: "start",
  ways: BOTH_ABORTS,
  script: "/call reserve_last {}\n/call reserve_more {}\n/say no",
  agent: (url) => ({
    tools: [
      { type: "http", idempotent: true, name: "reserve_last", url: `${url}/stop/reserve` },
      { type: "http", idempotent: true, name: "reserve_more", url: `${url}/reserve` },
    ],
  }),
  writes: [
    BEGIN,
    "MODEL_CALL_START",
    "TOOL_CALL_START",
    "TOOL_CALL_START",
    "TOOL_CALL_END + TOOL_CALL_END + MODEL_CALL_END",
    "TOOL_RESULT_START",
    "TOOL_RESULT_END + request_stop",
    "TOOL_RESULT_START",
    "TOOL_RESULT_END",
    "REPLY_END",
  ],
};

export const LAST_SUMMARY: Scenario = {
  name: "a summary after the last round",
  from: "start",
  ways: ONE_ABORT,
  agent: { max_iters: 1, on_max_iters: "summarize" },
  ends: "exceed_max_iters",
  script: "/call charge {}\n/say I charged, no more.",
  writes: [
    BEGIN,
    ...CALL,
    ...RESULT,
    "HINT_BLOCK",
    ...TEXT,
    "TEXT_BLOCK_END + MODEL_CALL_END + EXCEED_MAX_ITERS + REPLY_END",
  ],
};

export const LAST_CALL: Scenario = {
  name: "a summary that makes a call instead",
  from: "start",
  ways: ONE_ABORT,
  agent: { max_iters: 1, on_max_iters: "summarize" },
  ends: "exceed_max_iters",
  script: "/call reserve {}\n/then\n/call print_label {}",
  writes: [
    BEGIN,
    ...CALL,
    ...RESULT,
    "HINT_BLOCK",
    ...CALL,
    "TOOL_RESULT_START + TOOL_RESULT_END + EXCEED_MAX_ITERS + REPLY_END",
  ],
};

export const REMARK: Scenario = {
  name: "a remark about an interrupt",
  from: "answer",
  ways: ONE_ABORT,
  isInterrupted: true,
  agent: { on_interrupt: { type: "model" } },
  ends: "interrupted",
  script: "/call print_label {}\n/say I have stopped.",
  writes: ["reply_interrupted + TOOL_RESULT_END + HINT_BLOCK", ...ANSWER],
};

export const INTERRUPT_TEXT: Scenario = {
  name: "a text about an interrupt",
  from: "answer",
  ways: ONE_ABORT,
  isInterrupted: true,
  agent: { on_interrupt: { type: "text", text: "I have stopped." } },
  ends: "interrupted",
  script: "/call print_label {}\n/say no",
  writes: ["update replies", "TOOL_RESULT_END + TEXT_BLOCK_START + TEXT_BLOCK_END + REPLY_END"],
};

const STEP = { name: "find", description: "d", expected_outcome: "o" };
const LAST_STEP = {
  ...STEP,
  name: "write",
  acceptance: { kind: "person", criteria: "It is true." },
};
const PLAN_HEAD = { name: "Research", description: "d", expected_outcome: "o" };
const PLAN_SCRIPT = [
  call("create_plan", { ...PLAN_HEAD, subtasks: [STEP, LAST_STEP] }),
  ...[0, 1].map((subtask_idx) => call("finish_subtask", { subtask_idx, subtask_outcome: "x" })),
  call("finish_plan", { state: "done", outcome: "x" }),
  "/say done",
].join("\n/then\n");
const PLAN_CHANGE = "TOOL_RESULT_START + state_updated + TOOL_RESULT_END";
const PLAN_STEP = ["HINT_BLOCK", ...CALL, PLAN_CHANGE];
const ASKED = ["REQUIRE_USER_CONFIRM", "update events"];

export const PLAN: Scenario = {
  name: "a plan is made and waits for a person",
  from: "start",
  ways: ONE_ABORT,
  agent: { plan: {} },
  script: PLAN_SCRIPT,
  writes: [BEGIN, ...PLAN_STEP, ...PLAN_STEP, "HINT_BLOCK", ...CALL, ...ASKED],
};

export const ACCEPTED_PLAN: Scenario = {
  name: "a person accepts the last step of a plan",
  from: "answer",
  ways: ONE_ABORT,
  agent: { plan: {} },
  script: PLAN_SCRIPT,
  writes: ["USER_CONFIRM_RESULT", PLAN_CHANGE, ...PLAN_STEP, "HINT_BLOCK", ...ANSWER],
};

export const SKILL: Scenario = {
  name: "a skill is read",
  from: "start",
  ways: BOTH_ABORTS,
  script: `/call read_skill {"skill":"pdf-forms"}\n/say done`,
  writes: [
    // The settings with the versions, and those from before for a reply that may be open.
    "update session",
    "update session",
    BEGIN,
    ...CALL,
    ...RESULT,
    ...ANSWER,
  ],
};

/** The call is known before its request leaves. */
const LETTABLE = [...CALL, "TOOL_RESULT_START", "insert background_tasks", "TOOL_RESULT_END"];

/** Its tools are answered in time: what lets them go has written nothing that is left. */
export const BACKGROUND_CALLS: Scenario = {
  name: "calls that may be let go",
  from: "start",
  ways: BOTH_ABORTS,
  agent: (url: string) => ({
    tools: ["charge", "reserve"].map((name) => ({
      type: "http",
      name,
      url: `${url}/${name}`,
      timeout_ms: 60_000,
      background_after_ms: 59_000,
      idempotent: name === "reserve",
    })),
  }),
  script: "/call charge {}\n/then\n/call reserve {}\n/say done",
  writes: [BEGIN, ...LETTABLE, ...LETTABLE, ...ANSWER],
};

export const RECORDED_MEMORY: Scenario = {
  name: "a memory that a call records",
  from: "start",
  ways: BOTH_ABORTS,
  isEndUsers: true,
  agent: { memory: {} },
  script: `${call("record_to_memory", { thinking: "It lasts.", content: ["The user has a dog."] })}\n/say done`,
  writes: [BEGIN, ...CALL, "TOOL_RESULT_START", "TOOL_RESULT_END + memories_recorded", ...ANSWER],
};

export const TOOL_GROUPS: Scenario = {
  name: "an agent equips itself",
  from: "start",
  ways: ONE_ABORT,
  agent: {
    tool_groups: [{ name: "desk", description: "Work.", notes: "Once.", tools: ["reserve"] }],
    meta_tool: true,
  },
  script: [
    "/call reserve {}",
    call("reset_equipped_tools", { desk: true }),
    "/call reserve {}",
    call("reset_equipped_tools", {}),
    "/say done",
  ].join("\n/then\n"),
  writes: [
    BEGIN,
    // The group is not active yet.
    ...CALL,
    "TOOL_RESULT_START + TOOL_RESULT_END",
    ...CALL,
    "TOOL_RESULT_START + tool_groups_changed + TOOL_RESULT_END",
    "HINT_BLOCK",
    ...CALL,
    ...RESULT,
    ...CALL,
    "TOOL_RESULT_START + tool_groups_changed + TOOL_RESULT_END",
    "HINT_BLOCK",
    ...ANSWER,
  ],
};

export const UNTRUSTED_CONTENT: Scenario = {
  name: "a sink after an untrusted result",
  from: "start",
  ways: BOTH_ABORTS,
  script: "/call lookup {}\n/then\n/call charge {}\n/say done",
  agent: (url) => ({
    permission: { rules: [{ tool_name: "charge", behavior: "allow" }] },
    tools: [
      {
        type: "http",
        name: "lookup",
        url: `${url}/lookup`,
        read_only: true,
        returns_untrusted: true,
      },
      { type: "http", name: "charge", url: `${url}/charge`, sink: true },
    ],
  }),
  writes: [BEGIN, ...CALL, ...RESULT, ...CALL, ...ASKED],
};

export const FEATURE_SCENARIOS: readonly Scenario[] = [
  NOTES,
  AGENT_IN_CODE,
  SERVED_AGENT,
  INTERRUPTED_CODE,
  DENIAL,
  RESULT_AS_ANSWER,
  STOPPED_BY_TOOL,
  LAST_SUMMARY,
  LAST_CALL,
  REMARK,
  INTERRUPT_TEXT,
  HOOKS,
  CHANGED_BLOCKS,
  PRINTING_HOOK,
  PLAN,
  ACCEPTED_PLAN,
  SKILL,
  BACKGROUND_CALLS,
  RECORDED_MEMORY,
  TOOL_GROUPS,
  UNTRUSTED_CONTENT,
];
