// Replies that hooks look at and change, with their durable writes, which the crash tests walk.
import type { Scenario } from "./scenarios.ts";
import { BEGIN, BOTH_ABORTS, CALL, END, RESULT, TEXT } from "./writes-of-replies.ts";

export const HOOK_POINTS = [
  "pre_reply",
  "pre_reasoning",
  "pre_model_call",
  "post_print",
  "post_reasoning",
  "pre_acting",
  "post_acting",
  "post_reply",
] as const;

export const HOOKS: Scenario = {
  name: "hooks",
  from: "start",
  ways: BOTH_ABORTS,
  script: `/call reserve {"order":"A-1"}\n/say done`,
  agent: { hooks: HOOK_POINTS.map((point) => ({ name: "desk", type: "code", point })) },
  writes: [
    BEGIN,
    "hook_answered",
    "hook_answered + HINT_BLOCK",
    "hook_answered",
    ...CALL,
    "hook_answered",
    "hook_answered + tool_call_edited",
    ...RESULT,
    ...Array.from({ length: 3 }, () => "hook_answered"),
    ...TEXT,
    "TEXT_BLOCK_END + MODEL_CALL_END",
    ...Array.from({ length: 3 }, () => "hook_answered"),
    "REPLY_END",
  ],
};

export const PRINTING_HOOK: Scenario = {
  name: "printing hooks",
  from: "start",
  ways: BOTH_ABORTS,
  script: "/think let me see\n/say the secret",
  agent: (url) => ({
    // Far longer than it takes on any machine: no answer is missing here.
    hooks: [
      { name: "desk", point: "pre_print", type: "http", url: `${url}/hooks`, timeout_ms: 30_000 },
    ],
  }),
  writes: [
    BEGIN,
    "MODEL_CALL_START",
    "hook_answered",
    "THINKING_BLOCK_START",
    "deltas",
    "hook_answered",
    "THINKING_BLOCK_END",
    "TEXT_BLOCK_START",
    END,
  ],
};

const EDITED = ["post_reasoning", "post_reply"] as const;

/** The second call goes before it is made; the script then has one block of the first turn less, and one more of the hook. */
export const CHANGED_BLOCKS: Scenario = {
  name: "hooks that change blocks",
  from: "start",
  ways: BOTH_ABORTS,
  script: `/say I look.\n/call reserve {}\n/call charge {}\n/say done`,
  agent: { hooks: EDITED.map((point) => ({ name: "editor", type: "code", point })) },
  writes: [
    BEGIN,
    ...TEXT,
    "TEXT_BLOCK_END",
    "TOOL_CALL_START",
    "TOOL_CALL_START",
    "TOOL_CALL_END + TOOL_CALL_END + MODEL_CALL_END",
    "TEXT_BLOCK_START + TEXT_BLOCK_END + hook_answered",
    ...RESULT,
    ...TEXT,
    "TEXT_BLOCK_END + MODEL_CALL_END",
    "hook_answered",
    "TEXT_BLOCK_START + TEXT_BLOCK_END + hook_answered",
    "REPLY_END",
  ],
};
