// Runs a batch of calls in parallel, with a bounded concurrency.
import type { ToolCallBlock } from "../../protocol/messages/blocks.ts";
import type { EventDraft } from "../../protocol/events.ts";
import { MAX_OFFERED_RULES } from "../../protocol/permission/limits.ts";
import { MAX_PARALLEL_TOOL_CALLS } from "../../protocol/tools/limits.ts";
import type { PermissionRule } from "../../protocol/messages/permission.ts";
import type { PermissionSettings } from "../permission/check-call.ts";
import { countTurnCalls } from "../state/reply-state.ts";
import { startedCallIds } from "../state/started-call-ids.ts";
import { decideCall, type CallFacts } from "./decide-call.ts";
import { parkHeld } from "./park-held.ts";
import {
  performDecision,
  resultOf,
  type ActiveDecision,
  type DecisionPorts,
} from "./perform-decision.ts";

interface BatchContext extends DecisionPorts {
  /** Called before each decision: rules may be added while a reply runs. */
  readonly permission: () => PermissionSettings;
  /** Left out when there are none. */
  readonly hooks?: { has(point: "pre_acting"): boolean };
}

/** A call, and the decision that its worker carries out. */
interface DecidedCall {
  readonly call: ToolCallBlock;
  readonly decision: ActiveDecision;
}

/**
 * Resolves when every call has its result or waits for an answer. When the log refuses the runner, the first refusal is
 * rethrown after all calls have settled, so that nothing runs on unobserved.
 * @param alreadyOffered Rules that questions of calls outside this batch suggest.
 */
export async function runToolBatch(
  calls: readonly ToolCallBlock[],
  context: BatchContext,
  alreadyOffered: readonly PermissionRule[] = [],
): Promise<void> {
  const { log, runner, abilities, hooks, stop } = context;
  const started = startedCallIds(log.state);
  const offered = [...alreadyOffered];
  const waiting = calls.values();
  const workers = Array.from({ length: Math.min(calls.length, MAX_PARALLEL_TOOL_CALLS) }, work);
  const outcomes = await Promise.allSettled(workers);
  const failed = outcomes.find((outcome) => outcome.status === "rejected");
  if (failed) throw failed.reason;

  async function work(): Promise<void> {
    for (let next = decideNext(); next; next = decideNext()) {
      await performDecision(next.call, next.decision, context);
      if (!stop.aborted) parkHeld(log);
    }
  }

  /**
   * Decides about the next calls, up to one that takes time; null when none is left. Calls before it that do not run get
   * their results in one append: a model may call a hundred unknown tools.
   */
  function decideNext(): DecidedCall | null {
    if (stop.aborted) return null;
    let facts: CallFacts | null = null;
    const results: EventDraft[] = [];
    let next: DecidedCall | null = null;
    while (!next) {
      const { value: call } = waiting.next();
      if (!call) break;
      facts ??= currentFacts();
      const decision = decideCall(call, facts);
      switch (decision.type) {
        case "settle":
        case "refuse":
          results.push(...resultOf(call, decision, context));
          break;
        case "postpone":
          break;
        case "ask":
          offer(decision.permission.suggestedRules);
          next = { call, decision };
          break;
        default:
          next = { call, decision };
      }
    }
    if (results.length > 0) log.append(results);
    return next;
  }

  function currentFacts(): CallFacts {
    const permission = { ...context.permission(), calls: countTurnCalls(log.state) };
    const has_hooks = hooks?.has("pre_acting") ?? false;
    const { tools } = runner;
    return { reply: log.state, tools, abilities, permission, started, offered, has_hooks };
  }

  /** Called before any await after the decision, so that of two concurrent calls one sees the other's question. */
  function offer(rules: readonly PermissionRule[]): void {
    if (offered.length < MAX_OFFERED_RULES) offered.push(...rules);
  }
}
