// Permissions that an older version of an agent gives and the newest one does not: a session that is opened with it would
// undo what the agent's author has forbidden since.
import type { AgentDefinition } from "../../protocol/agents/contract.ts";
import type { HookDefinition } from "../../protocol/hooks/contract.ts";
import type { PermissionMode, PermissionRule } from "../../protocol/messages/permission.ts";

type Guarded = Pick<AgentDefinition, "permission" | "hooks">;

export interface VersionLoosening {
  /** Scope that could have made the newest version as loose: without it the older one may not be named. */
  readonly scope: "permission_bypass:write" | "agents:write";
  /** Reason for the refusal, behind "version n": "has the mode bypass", "lacks the rule deny pay". */
  readonly detail: string;
}

/** From the strictest: `explore` runs what only reads, `dont_ask` denies what would ask. */
const MODES: readonly PermissionMode[] = [
  "explore",
  "dont_ask",
  "default",
  "accept_edits",
  "bypass",
];

/** The points whose hooks change nothing: they are told what has happened. */
const WATCHING: ReadonlySet<HookDefinition["point"]> = new Set(["post_print", "post_observe"]);

/**
 * Pure. The first of it; null for a version that is as strict as the newest. A rule counts as kept by one with the same
 * words or by one for every call of the tool: whether one pattern covers another is not decided here.
 */
export function versionLoosening(newest: Guarded, named: Guarded): VersionLoosening | null {
  const { mode, bypass_untrusted = false } = named.permission;
  if (MODES.indexOf(mode) > MODES.indexOf(newest.permission.mode)) {
    return { scope: "permission_bypass:write", detail: `has the mode ${mode}` };
  }
  if (bypass_untrusted && newest.permission.bypass_untrusted !== true) {
    return { scope: "permission_bypass:write", detail: "has bypass_untrusted" };
  }
  const rule = newest.permission.rules.find((one) => !isKept(one, named.permission.rules));
  if (rule) return { scope: "agents:write", detail: `lacks the rule ${wordsOf(rule)}` };
  const hook = (newest.hooks ?? []).find((one) => !isAsked(one, named.hooks ?? []));
  if (hook) {
    return { scope: "agents:write", detail: `lacks the hook ${hook.name} at ${hook.point}` };
  }
  const allowed = named.permission.rules.find((one) => allowsMore(one, newest.permission));
  return allowed ? { scope: "agents:write", detail: `has the rule ${wordsOf(allowed)}` } : null;
}

/** In mode `bypass` a call that no rule decides runs; a call that a deny or ask rule is about is decided before. */
function allowsMore(rule: PermissionRule, { mode, rules }: Guarded["permission"]): boolean {
  if (rule.behavior !== "allow" || mode === "bypass") return false;
  const { tool_name, rule_content } = rule;
  return !rules.some(
    (other) =>
      other.tool_name === tool_name &&
      (other.rule_content
        ? other.behavior === "allow" && other.rule_content === rule_content
        : other.behavior !== "passthrough"),
  );
}

function wordsOf({ behavior, tool_name, rule_content }: PermissionRule): string {
  return `${behavior} ${rule_content ? `${tool_name}(${rule_content})` : tool_name}`;
}

function isKept(
  { behavior, tool_name, rule_content }: PermissionRule,
  rules: readonly PermissionRule[],
): boolean {
  if (behavior !== "deny" && behavior !== "ask") return true;
  return rules.some(
    (other) =>
      other.tool_name === tool_name &&
      (other.behavior === "deny" || other.behavior === behavior) &&
      (!other.rule_content || other.rule_content === rule_content),
  );
}

function isAsked(hook: HookDefinition, hooks: readonly HookDefinition[]): boolean {
  if (WATCHING.has(hook.point)) return true;
  return hooks.some(
    (other) =>
      other.point === hook.point &&
      addressOf(other) === addressOf(hook) &&
      (other.on_failure === "closed" || hook.on_failure === "open"),
  );
}

/** A function is found by its name, a server by its address. */
function addressOf(hook: HookDefinition): string {
  return hook.type === "http" ? hook.url : `code:${hook.name}`;
}
