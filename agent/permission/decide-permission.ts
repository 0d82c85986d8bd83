// The precedence of permission rules: deny, untrusted content, ask, read-only, the tool's own check, allow, the tool's
// default, mode. Its input says which rules match; matching is in `match-rule.ts`.
import type { PermissionMode } from "../../protocol/messages/permission.ts";

/** The result of the tool's own check. `ask_always` asks in spite of allow rules. */
export type ToolCheckResult = "allow" | "deny" | "ask" | "ask_always" | "pass";

export interface PermissionFacts {
  readonly mode: PermissionMode;
  /** The first rule of that behaviour that matches the call, as text, or null. */
  readonly denyRule: string | null;
  readonly askRule: string | null;
  readonly allowRule: string | null;
  /** The reason that the call itself has to be confirmed, as by an ask rule; left out: the call does not ask. */
  readonly personReason?: string | null;
  readonly isReadOnly: boolean;
  readonly toolCheck: ToolCheckResult;
  /** The agent's decision for calls of this tool that no rule decides; as the mode says when left out. */
  readonly toolDefault?: "allow" | "ask" | "deny";
  /** The reason that the tool gives for its check. */
  readonly toolReason: string | null;
  /**
   * The reason that a sink may not run without a question: untrusted content in the context; null when there is no
   * reason.
   */
  readonly untrusted: string | null;
  /** Mode `bypass` lets sinks pass all the same. */
  readonly bypassesUntrusted: boolean;
}

type Decider = "deny_rule" | "ask_rule" | "allow_rule" | "untrusted" | "tool" | "mode";

export interface PermissionDecision {
  readonly behavior: "allow" | "ask" | "deny";
  readonly reason: string | null;
  /** Whether to offer a person rules that would decide such calls in future. */
  readonly suggestsRules: boolean;
  readonly decidedBy: Decider;
}

export function decidePermission(facts: PermissionFacts): PermissionDecision {
  const { mode, toolReason } = facts;
  if (facts.denyRule !== null) return deny("deny_rule", `Rule: ${facts.denyRule}`);
  if (facts.untrusted !== null && !(mode === "bypass" && facts.bypassesUntrusted)) {
    const isForbidden = mode === "explore" && !facts.isReadOnly;
    if (!isForbidden) return { ...ask("untrusted", mode, facts.untrusted), suggestsRules: false };
  }
  if (facts.askRule !== null) return ask("ask_rule", mode, `Rule: ${facts.askRule}`);
  if (typeof facts.personReason === "string") return ask("tool", mode, facts.personReason);
  if (facts.isReadOnly) return allow("tool", "Read-only operations are auto-allowed");
  if (mode === "explore") return deny("mode", "Explore mode does not allow modifications");
  if (facts.toolCheck === "allow") return allow("tool", toolReason);
  if (facts.toolCheck === "deny") return deny("tool", toolReason);
  if (facts.toolCheck === "ask_always" && mode !== "bypass") return ask("tool", mode, toolReason);
  if (facts.allowRule !== null) return allow("allow_rule", null);
  if (facts.toolDefault === "deny") return deny("tool", "The agent denies this tool by default");
  if (facts.toolDefault === "allow") return allow("tool", "The agent allows this tool by default");
  if (facts.toolDefault === "ask" && mode !== "bypass") {
    return ask("tool", mode, "The agent asks for this tool by default");
  }
  return decideByMode(mode);
}

function decideByMode(mode: Exclude<PermissionMode, "explore">): PermissionDecision {
  switch (mode) {
    case "default":
    case "accept_edits":
      return ask("mode", mode, `Mode: ${mode}`);
    case "bypass":
      return allow("mode", "Bypass mode allows all operations");
    case "dont_ask":
      return deny("mode", "User is not available to answer permission prompts");
    default:
      return mode satisfies never;
  }
}

function allow(decidedBy: Decider, reason: string | null): PermissionDecision {
  return { behavior: "allow", reason, suggestsRules: false, decidedBy };
}

function deny(decidedBy: Decider, reason: string | null): PermissionDecision {
  return { behavior: "deny", reason, suggestsRules: false, decidedBy };
}

/** In `dont_ask` a question becomes a denial, which still has the suggested rules. */
function ask(decidedBy: Decider, mode: PermissionMode, reason: string | null): PermissionDecision {
  if (mode !== "dont_ask") return { behavior: "ask", reason, suggestsRules: true, decidedBy };
  return {
    behavior: "deny",
    reason: `DONT_ASK mode converted ASK to DENY. Original reason: ${reason ?? "none"}`,
    suggestsRules: true,
    decidedBy,
  };
}
