import { describe, expect, it } from "vitest";

import { checkCall } from "../../../agent/permission/check-call.ts";
import {
  decidePermission,
  type ToolCheckResult,
} from "../../../agent/permission/decide-permission.ts";
import {
  PermissionModeSchema,
  type PermissionMode,
} from "../../../protocol/messages/permission.ts";
import { contextOf, PLAIN, rule } from "./permission-tools.ts";

type Row = readonly [
  id: string,
  mode: PermissionMode,
  /** The kinds of the rules that match. */
  rules: string,
  isReadOnly: boolean,
  toolCheck: ToolCheckResult,
  behavior: "allow" | "ask" | "deny",
  suggestsRules: boolean,
  reason: string | null,
];

const READ_ONLY = "Read-only operations are auto-allowed";
const EXPLORE = "Explore mode does not allow modifications";
const BYPASS = "Bypass mode allows all operations";
const NOBODY = "User is not available to answer permission prompts";
const CONVERTED = "DONT_ASK mode converted ASK to DENY. Original reason: ";
const OWN = "the tool's own reason";

const rows: readonly Row[] = [
  ["P1", "default", "", false, "pass", "ask", true, "Mode: default"],
  ["P2", "default", "deny ask allow", false, "pass", "deny", false, "Rule: v"],
  ["P3", "default", "ask allow", false, "pass", "ask", true, "Rule: v"],
  ["P4", "default", "allow", false, "pass", "allow", false, null],
  ["P5", "default", "allow", false, "ask", "allow", false, null],
  ["P6", "default", "allow", false, "ask_always", "ask", true, OWN],
  ["P7", "default", "", true, "deny", "allow", false, READ_ONLY],
  ["P8", "default", "ask", true, "pass", "ask", true, "Rule: v"],
  ["P9", "default", "", false, "allow", "allow", false, OWN],
  ["P10", "default", "allow", false, "deny", "deny", false, OWN],
  ["P11", "accept_edits", "", false, "pass", "ask", true, "Mode: accept_edits"],
  ["P12", "accept_edits", "allow", false, "ask_always", "ask", true, OWN],
  ["P13", "explore", "allow", false, "allow", "deny", false, EXPLORE],
  ["P14", "explore", "ask", false, "pass", "ask", true, "Rule: v"],
  ["P15", "explore", "", false, "ask_always", "deny", false, EXPLORE],
  ["P16", "explore", "", true, "ask_always", "allow", false, READ_ONLY],
  ["P17", "bypass", "", false, "ask_always", "allow", false, BYPASS],
  ["P18", "bypass", "ask", false, "allow", "ask", true, "Rule: v"],
  ["P19", "bypass", "deny", true, "allow", "deny", false, "Rule: v"],
  ["P20", "bypass", "", false, "deny", "deny", false, OWN],
  ["P21", "dont_ask", "", false, "pass", "deny", false, NOBODY],
  ["P22", "dont_ask", "ask", false, "pass", "deny", true, `${CONVERTED}Rule: v`],
  ["P23", "dont_ask", "allow", false, "ask_always", "deny", true, `${CONVERTED}${OWN}`],
  ["P24", "dont_ask", "allow", false, "ask", "allow", false, null],
  ["P25", "dont_ask", "", true, "deny", "allow", false, READ_ONLY],
];

describe("a decision", () => {
  it.each(rows)(
    "%s in %s with rules [%s], read-only %s, own check %s is %s",
    (_id, mode, rules, isReadOnly, toolCheck, behavior, suggestsRules, reason) => {
      const { decidedBy: _decider, ...decision } = decidePermission({
        untrusted: null,
        bypassesUntrusted: false,
        mode,
        denyRule: rules.includes("deny") ? "v" : null,
        askRule: rules.includes("ask") ? "v" : null,
        allowRule: rules.includes("allow") ? "v" : null,
        isReadOnly,
        toolCheck,
        toolReason: OWN,
      });

      expect(decision).toEqual({ behavior, reason, suggestsRules });
    },
  );

  it("P26 takes an empty content for the whole tool", () => {
    const whole = { ...rule("allow T"), rule_content: "" };
    const context = { ...contextOf({}), rules: [whole] };

    expect(checkCall(context, PLAIN, {})).toEqual({
      behavior: "allow",
      reason: null,
      rule: whole,
      suggestedRules: [],
      isSafetyAsk: false,
    });
  });

  it.each([
    ["P27 keeps the case of a tool's name", "allow t"],
    ["P28 knows no wildcard in a tool's name", "allow *"],
    ["drops rules that pass through", "passthrough T"],
    ["matches no content where the tool names no argument", "deny T v"],
  ])("%s", (_title, text) => {
    expect(checkCall(contextOf({ rules: [text] }), PLAIN, { v: "v" })).toEqual({
      behavior: "ask",
      reason: "Mode: default",
      rule: null,
      suggestedRules: [
        { tool_name: "T", rule_content: null, behavior: "allow", source: "suggested" },
      ],
      isSafetyAsk: false,
    });
  });

  it("P29 is the same for a rule that is there twice", () => {
    const once = checkCall(contextOf({ rules: ["allow T"] }), PLAIN, {});
    const twice = checkCall(contextOf({ rules: ["allow T", "allow T"] }), PLAIN, {});

    expect(twice).toEqual(once);
  });

  it("P30 knows no other mode", () => {
    expect(PermissionModeSchema.safeParse("yolo").success).toBe(false);
  });

  it.each([
    ["deny", "deny T", "Rule: T"],
    ["ask", "ask T", "Rule: T"],
    ["allow", "allow T", null],
  ] as const)("names the %s rule that decided", (behavior, text, reason) => {
    const permission = checkCall(contextOf({ rules: [text, text] }), PLAIN, {});

    expect([permission.behavior, permission.reason, permission.rule]).toEqual([
      behavior,
      reason,
      rule(text),
    ]);
  });
});
