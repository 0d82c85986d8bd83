import { expect, test } from "vitest";

import {
  decidePermission,
  type PermissionFacts,
} from "../../../agent/permission/decide-permission.ts";
import { decidedStep } from "../../../console/pages/rules/decided-step.ts";

const NOTHING: PermissionFacts = {
  mode: "default",
  denyRule: null,
  askRule: null,
  allowRule: null,
  isReadOnly: false,
  toolCheck: "pass",
  toolReason: null,
  untrusted: null,
  bypassesUntrusted: false,
};

test.each<[number, Partial<PermissionFacts>]>([
  [2, { untrusted: "Untrusted content: the result of search" }],
  [2, { untrusted: "Untrusted content: the result of search", mode: "dont_ask" }],
  [4, { isReadOnly: true }],
  [4, { isReadOnly: true, mode: "explore" }],
  [5, { mode: "explore" }],
  [6, { toolCheck: "ask_always", toolReason: "removes files" }],
  [6, { toolCheck: "ask_always", toolReason: "removes files", mode: "dont_ask" }],
  [6, { toolCheck: "allow", toolReason: "Changes only files", mode: "accept_edits" }],
  [8, {}],
  [8, { mode: "accept_edits" }],
  [8, { mode: "bypass" }],
  [8, { mode: "dont_ask" }],
])("the console names step %i for what the engine decides without a rule: %o", (step, facts) => {
  const whole = { ...NOTHING, ...facts };
  const { behavior, reason } = decidePermission(whole);

  expect(decidedStep({ behavior, reason, rule: null }, whole.mode)).toBe(step);
});

test.each([
  [1, "deny"],
  [3, "ask"],
  [7, "allow"],
] as const)("a rule decides in step %i when it is one to %s", (step, behavior) => {
  const rule = { tool_name: "refund", rule_content: null, behavior, source: "agent" };

  expect(decidedStep({ behavior: "deny", reason: null, rule }, "dont_ask")).toBe(step);
});
