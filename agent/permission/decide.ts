// The order of the permission rules as one function: deny, ask, read-only, the tool's own check, allow, mode.
// It knows what matched; matching is somebody else's work.
import type { PermissionMode } from "../../protocol/permission.ts";

/** What the tool's own check says. `ask_always` is an ask that no allow rule answers. */
export type ToolCheck = "allow" | "deny" | "ask" | "ask_always" | "pass";

export interface PermissionFacts {
  readonly mode: PermissionMode;
  /** The text of the first rule of that behaviour that matches the call, or null. */
  readonly denyRule: string | null;
  readonly askRule: string | null;
  readonly allowRule: string | null;
  readonly isReadOnly: boolean;
  readonly toolCheck: ToolCheck;
  /** The tool's own words for its check. */
  readonly toolReason: string | null;
}

export interface PermissionDecision {
  readonly behavior: "allow" | "ask" | "deny";
  readonly reason: string | null;
  /** Whether a person should be offered rules that settle such calls in future. */
  readonly suggestsRules: boolean;
}

export function decidePermission(facts: PermissionFacts): PermissionDecision {
  if (facts.denyRule !== null) return deny(`Rule: ${facts.denyRule}`);
  if (facts.askRule !== null) return ask(facts.mode, `Rule: ${facts.askRule}`);
  if (facts.isReadOnly) return allow("Read-only operations are auto-allowed");
  if (facts.mode === "explore") return deny("Explore mode does not allow modifications");
  if (facts.toolCheck === "allow") return allow(facts.toolReason);
  if (facts.toolCheck === "deny") return deny(facts.toolReason);
  if (facts.toolCheck === "ask_always" && facts.mode !== "bypass") {
    return ask(facts.mode, facts.toolReason);
  }
  if (facts.allowRule !== null) return allow(null);
  return decideByMode(facts.mode);
}

function decideByMode(mode: Exclude<PermissionMode, "explore">): PermissionDecision {
  switch (mode) {
    case "default":
    case "accept_edits":
      return { behavior: "ask", reason: `Mode: ${mode}`, suggestsRules: true };
    case "bypass":
      return allow("Bypass mode allows all operations");
    case "dont_ask":
      return deny("User is not available to answer permission prompts");
    default:
      return mode satisfies never;
  }
}

function allow(reason: string | null): PermissionDecision {
  return { behavior: "allow", reason, suggestsRules: false };
}

function deny(reason: string | null): PermissionDecision {
  return { behavior: "deny", reason, suggestsRules: false };
}

/** Nobody is there to be asked in `dont_ask`; the refusal still carries what would have been offered. */
function ask(mode: PermissionMode, reason: string | null): PermissionDecision {
  if (mode !== "dont_ask") return { behavior: "ask", reason, suggestsRules: true };
  return {
    behavior: "deny",
    reason: `DONT_ASK mode converted ASK to DENY. Original reason: ${reason ?? "none"}`,
    suggestsRules: true,
  };
}
