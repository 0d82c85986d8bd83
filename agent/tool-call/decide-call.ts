// Decides what happens to one tool call, from the reply, its tools and the permission. Pure: a decision is data, and
// `perform-decision.ts` carries it out.
import type { ToolCallBlock } from "../../protocol/messages/blocks.ts";
import type { PermissionRule } from "../../protocol/messages/permission.ts";
import type { Ability } from "../ability.ts";
import { isCoveredBy, type PermissionSettings } from "../permission/check-call.ts";
import type { ToolDeclaration } from "../ports.ts";
import { isCallShown } from "../state/hook-record.ts";
import { countTurnCalls, type ReplyState } from "../state/reply-state.ts";
import { readCallInput } from "./call-input.ts";
import { internalAbility } from "./internal-tools.ts";
import { prepareCall, type PreparedCall } from "./prepare-call.ts";
import type { CallRefusal } from "./refused-result.ts";
import { checkedToolsOf, type AllowedRun } from "./run-started-call.ts";
import { underVerdict } from "./under-verdict.ts";

/** The circumstances of a call, at one moment. */
export interface CallFacts {
  readonly reply: ReplyState;
  /** All tools of the reply, also those that are withheld. */
  readonly tools: readonly ToolDeclaration[];
  readonly abilities: readonly Ability[];
  readonly permission: PermissionSettings;
  /** Calls that had started when their machine was lost. */
  readonly started: ReadonlySet<string>;
  /**
   * The rules that the questions of the batch suggest. A call that they cover stays `pending` without a question of its
   * own, and is decided again when the questions are answered.
   */
  readonly offered: readonly PermissionRule[];
  /** Whether the reply has hooks that are shown a call before it runs. */
  readonly has_hooks: boolean;
}

type Prepared<Type extends PreparedCall["type"]> = Extract<PreparedCall, { type: Type }>;

/** A call that is allowed, and the record of the platform's own decision. */
type Allowed = Omit<Prepared<"run">, "type">;

export type CallDecision =
  /** Stays `pending`: a hook is shown it first, or another question's answer may decide it. */
  | { readonly type: "postpone" }
  /** An internal tool: the ability of this name settles the call, without permission rules. */
  | { readonly type: "settle"; readonly ability: string }
  | Prepared<"refuse">
  | Prepared<"ask">
  /** A tool of the kind `log`: the ability of this name settles the call. */
  | ({ readonly type: "record"; readonly ability: string } & Allowed)
  /** An external system runs the call. */
  | ({ readonly type: "hand_over" } & Allowed)
  | ({ readonly type: "run" } & Allowed)
  /**
   * A call of an idempotent tool after a restart. It was allowed before, its START is in the log, and its id is the
   * idempotency key.
   */
  | ({ readonly type: "repeat" } & AllowedRun)
  /** Such a call, when it cannot run any more. */
  | { readonly type: "fail"; readonly refusal: CallRefusal };

/** The decision about a call that is `pending` or `allowed`, or had started. */
export function decideCall(call: ToolCallBlock, facts: CallFacts): CallDecision {
  const { reply, tools, abilities, permission } = facts;
  const internal = internalAbility(call, tools, { abilities, reply });
  if (internal) return { type: "settle", ability: internal.name };
  if (facts.started.has(call.id)) return decideStarted(call, facts);
  const prepared = underVerdict(prepareCall(call, tools, permission), call, reply, permission);
  switch (prepared.type) {
    case "refuse":
      // Hooks are not asked about a call that cannot run.
      return prepared;
    case "ask":
      return awaitsHooks(call, facts) || isCovered(call, prepared, facts)
        ? { type: "postpone" }
        : prepared;
    case "run":
      return awaitsHooks(call, facts) ? { type: "postpone" } : decideAllowed(prepared, abilities);
    default:
      return prepared satisfies never;
  }
}

/** A call of an earlier execution, which may be repeated. */
function decideStarted(call: ToolCallBlock, { reply, tools }: CallFacts): CallDecision {
  const tool = tools.find(({ name }) => name === call.name);
  if (!tool) return fail(`There is no tool named ${call.name} any more.`);
  const read = readCallInput(call, tool, { calls: countTurnCalls(reply) });
  return read.ok ? { type: "repeat", tool, input: read.input } : fail(read.text);
}

function fail(text: string): CallDecision {
  return { type: "fail", refusal: { state: "error", text, decision: null } };
}

function decideAllowed(allowed: Prepared<"run">, abilities: readonly Ability[]): CallDecision {
  const { tool, input, decision } = allowed;
  const { ability } = tool;
  if (ability !== undefined && checkedToolsOf(tool, abilities)?.kind === "log") {
    return { type: "record", ability, tool, input, decision };
  }
  return tool.external ? { type: "hand_over", tool, input, decision } : allowed;
}

/**
 * Whether hooks have to be shown the call first. They were, as a rule; not where it can run only since, as its tool was
 * switched on or a rule removed meanwhile.
 */
function awaitsHooks({ id, state }: ToolCallBlock, { reply, has_hooks }: CallFacts): boolean {
  return has_hooks && state === "pending" && !isCallShown(reply.hooks, id);
}

/**
 * Whether another question's answer may decide the call. No rule that a person takes decides about a call that a hook,
 * or untrusted content, asks about.
 */
function isCovered(
  { id }: ToolCallBlock,
  { tool, input, permission: asked }: Prepared<"ask">,
  { reply, offered, permission }: CallFacts,
): boolean {
  if (reply.hooks.verdicts.has(id) || asked.untrusted) return false;
  return isCoveredBy(offered, tool, input, permission.working_directories);
}
