// An agent's decision about a tool that no rule decides: behind every rule, and before the mode.
import { describe, expect, it } from "vitest";

import {
  decidePermission,
  type PermissionFacts,
} from "../../../agent/permission/decide-permission.ts";
import type { PermissionMode } from "../../../protocol/messages/permission.ts";

const NO_FACTS: Omit<PermissionFacts, "mode"> = {
  denyRule: null,
  askRule: null,
  allowRule: null,
  isReadOnly: false,
  toolCheck: "pass",
  toolReason: null,
  untrusted: null,
  bypassesUntrusted: false,
};

const DENIES = "The agent denies this tool by default";
const ALLOWS = "The agent allows this tool by default";
const ASKS = "The agent asks for this tool by default";
const CONVERTED = `DONT_ASK mode converted ASK to DENY. Original reason: ${ASKS}`;
const EXPLORE = "Explore mode does not allow modifications";

function decide(facts: Partial<PermissionFacts>) {
  return decidePermission({ mode: "default", ...NO_FACTS, ...facts });
}

describe("the default of a tool", () => {
  it.each<["deny" | "allow" | "ask", PermissionMode, string, string, string]>([
    ["deny", "default", "deny", DENIES, "tool"],
    ["deny", "accept_edits", "deny", DENIES, "tool"],
    ["deny", "bypass", "deny", DENIES, "tool"],
    ["deny", "dont_ask", "deny", DENIES, "tool"],
    ["allow", "default", "allow", ALLOWS, "tool"],
    ["allow", "accept_edits", "allow", ALLOWS, "tool"],
    ["allow", "dont_ask", "allow", ALLOWS, "tool"],
    ["allow", "explore", "deny", EXPLORE, "mode"],
    ["ask", "default", "ask", ASKS, "tool"],
    ["ask", "dont_ask", "deny", CONVERTED, "tool"],
    ["ask", "bypass", "allow", "Bypass mode allows all operations", "mode"],
    ["ask", "explore", "deny", EXPLORE, "mode"],
  ])("%s in mode %s: %s, since %s", (toolDefault, mode, behavior, reason, decidedBy) => {
    expect(decide({ toolDefault, mode })).toEqual({
      behavior,
      reason,
      decidedBy,
      suggestsRules: toolDefault === "ask" && (mode === "default" || mode === "dont_ask"),
    });
  });

  it("is behind every rule and the tool's own check", () => {
    expect([
      decide({ toolDefault: "allow", denyRule: "r" }).behavior,
      decide({ toolDefault: "allow", askRule: "r" }).behavior,
      decide({ toolDefault: "deny", allowRule: "r" }).behavior,
      decide({ toolDefault: "allow", toolCheck: "deny" }).behavior,
      decide({ toolDefault: "deny", toolCheck: "allow" }).behavior,
      decide({ toolDefault: "deny", isReadOnly: true }).behavior,
      decide({ toolDefault: "allow", untrusted: "from mail" }).behavior,
      decide({ toolDefault: "allow", personReason: "Pay?" }).behavior,
    ]).toEqual(["deny", "ask", "allow", "deny", "allow", "allow", "ask", "ask"]);
  });
});
