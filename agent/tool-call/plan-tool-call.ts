// Handles one tool call: the decision, then its result, a question to a person, or the hand-over to an external system.
import type { ToolCallBlock } from "../../protocol/messages/blocks.ts";
import type { EventDraft } from "../../protocol/events.ts";
import { MAX_LISTED_SOURCES, MAX_OFFERED_RULES } from "../../protocol/limits/permission-rules.ts";
import type { PermissionRule } from "../../protocol/messages/permission.ts";
import type { UntrustedSource } from "../../protocol/messages/untrusted-content.ts";
import type { Ability } from "../ability.ts";
import { isCoveredBy, type PermissionSettings } from "../permission/check-call.ts";
import type {
  Asking,
  Diagnostics,
  EventLog,
  StopSignal,
  ToolDeclaration,
  ToolRunner,
} from "../ports.ts";
import { rewriteInput } from "../json/plain-input.ts";
import { confirmationQuestion } from "./confirmation-question.ts";
import { runStartedCall, checkedToolsOf } from "./run-started-call.ts";
import { prepareCall, type PreparedCall } from "./prepare-call.ts";
import { underVerdict } from "./under-verdict.ts";
import { readCallInput } from "./call-input.ts";
import { refusedResult, startOfResult } from "./refused-result.ts";
import { isCallShown } from "../state/hook-record.ts";
import { countTurnCalls } from "../state/reply-state.ts";
import { settledResult } from "./settled-result.ts";
import { settleInternal } from "./internal-tools.ts";

export interface ToolCallContext {
  readonly log: EventLog;
  readonly runner: ToolRunner;
  readonly permission: () => PermissionSettings;
  readonly asking: Asking;
  readonly abilities: readonly Ability[];
  readonly session_id: string;
  readonly end_user_id: string | null;
  readonly stop: StopSignal;
  readonly diagnostics?: Diagnostics;
  /** Left out when there are none. */
  readonly hooks?: { has(point: "pre_acting"): boolean };
}

/** State that the calls of a batch share. */
export interface BatchContext extends ToolCallContext {
  /** Calls that had started when their machine was lost. */
  readonly started: ReadonlySet<string>;
  /**
   * The rules that the questions of this batch suggest. A call that they cover stays `pending` without a question of
   * its own, and is decided again when the questions are answered.
   */
  readonly offered: PermissionRule[];
}

export type CallPlan =
  /** The call does not run: these events are its whole result. */
  | { readonly type: "result"; readonly events: readonly EventDraft[] }
  | { readonly type: "later" }
  /** Contract: rejects only when the log refuses the runner. */
  | { readonly type: "run"; readonly run: () => Promise<void> };

/**
 * Decides what to do with a call in the log's current state. A `run` has to be started before any await.
 * @param permission The current permission.
 */
export function planToolCall(
  call: ToolCallBlock,
  context: BatchContext,
  permission: PermissionSettings,
): CallPlan {
  const { log, runner, abilities, offered, started } = context;
  // Read once: the list is composed of all providers each time that it is asked for.
  const { tools } = runner;
  const internal = settleInternal(call, tools, { abilities, reply: log.state });
  if (internal) return { type: "result", events: settledResult(log.state, call, internal, null) };
  if (started.has(call.id)) return { type: "run", run: () => runAgain(call, context) };
  const prepared = underVerdict(prepareCall(call, tools, permission), call, log.state, permission);
  // Hooks are not asked about a call that cannot run. One that can since, as its tool was switched on or a rule removed
  // meanwhile, is shown to them first.
  if (
    prepared.type !== "refuse" &&
    call.state === "pending" &&
    context.hooks?.has("pre_acting") &&
    !isCallShown(log.state.hooks, call.id)
  ) {
    return { type: "later" };
  }
  switch (prepared.type) {
    case "refuse":
      return { type: "result", events: refusedResult(log.state, call, prepared.refusal) };
    case "ask":
      // No rule that a person takes decides about a call that a hook, or untrusted content, asks about.
      if (
        !log.state.hooks.verdicts.has(call.id) &&
        !prepared.permission.untrusted &&
        isCoveredBy(offered, prepared.tool, prepared.input, permission.working_directories)
      ) {
        return { type: "later" };
      }
      // Before any await, so that of two concurrent calls one sees the other's question.
      if (offered.length < MAX_OFFERED_RULES) offered.push(...prepared.permission.suggestedRules);
      return { type: "run", run: () => ask(call, prepared, context) };
    case "run":
      return { type: "run", run: () => runAllowed(call, prepared, context) };
    default:
      return prepared satisfies never;
  }
}

type Prepared<Type extends PreparedCall["type"]> = Extract<PreparedCall, { type: Type }>;

async function ask(
  written: ToolCallBlock,
  { tool, permission, input }: Prepared<"ask">,
  { log, asking, stop }: ToolCallContext,
): Promise<void> {
  const call = withCheckedInput(written, input, log);
  const danger = permission.isSafetyAsk ? permission.reason : null;
  const hash = await asking.hashInput(call.name, call.input);
  if (stop.aborted) return;
  log.append([
    {
      type: "REQUIRE_USER_CONFIRM",
      reply_id: log.state.message.id,
      tool_calls: [{ ...call, state: "asking", suggested_rules: [...permission.suggestedRules] }],
      metadata: {
        input_hashes: { [call.id]: hash },
        questions: {
          [call.id]: permission.person?.question ?? confirmationQuestion(tool, input, danger),
        },
        reasons: { [call.id]: permission.reason },
        rules: { [call.id]: permission.rule },
        expires_at: { [call.id]: asking.expiresAt(asking.confirmation_ttl_ms) },
        ...(permission.person && { acceptances: { [call.id]: permission.person.about } }),
        ...(tool.editable && { editable: { [call.id]: tool.editable } }),
        ...(permission.untrusted && {
          untrusted: { [call.id]: permission.untrusted.slice(-MAX_LISTED_SOURCES) },
        }),
      },
    },
  ]);
}

async function runAllowed(
  call: ToolCallBlock,
  prepared: Prepared<"run">,
  context: ToolCallContext,
): Promise<void> {
  const { tool, input, decision } = prepared;
  const { log, abilities } = context;
  const tools = checkedToolsOf(tool, abilities);
  if (tools?.kind === "log") {
    const settlement = tools.settle({ call, input }, log.state);
    const untrusted = settlement.untrusted ?? sourceOf(tool, call);
    log.append(settledResult(log.state, call, { ...settlement, untrusted }, decision));
  } else if (tool.external) await handOver(call, prepared, context);
  else await run(call, prepared, context);
}

/** Where the content of the call's result will be from, when it is not trusted. */
function sourceOf(tool: ToolDeclaration, { id }: ToolCallBlock): UntrustedSource | null {
  return tool.returns_untrusted ? { tool_name: tool.name, tool_call_id: id } : null;
}

/** The call as it is sent outside: with the input that was checked. */
function withCheckedInput(call: ToolCallBlock, input: unknown, log: EventLog): ToolCallBlock {
  const rewritten = rewriteInput(log.state, call, input);
  if (!rewritten) return call;
  log.append([rewritten.event]);
  return { ...call, input: rewritten.text };
}

/** Hands a call over to an external system. `TOOL_RESULT_START` is in the same append: the result only adds to it. */
async function handOver(
  written: ToolCallBlock,
  { tool, input, decision }: Prepared<"run">,
  { log, asking }: ToolCallContext,
): Promise<void> {
  const call = withCheckedInput(written, input, log);
  const { result_ttl_ms: ttlMs, offered_by } = tool.external ?? {};
  log.append([
    startOfResult(log.state, call, decision, sourceOf(tool, call)),
    {
      type: "REQUIRE_EXTERNAL_EXECUTION",
      reply_id: log.state.message.id,
      tool_calls: [{ ...call, state: "submitted" }],
      metadata: {
        expires_at: { [call.id]: ttlMs === undefined ? null : asking.expiresAt(ttlMs) },
        ...(offered_by && { offered_by: { [call.id]: offered_by } }),
      },
    },
  ]);
  await log.settled();
}

/**
 * Repeats a call of an idempotent tool after a restart. It was allowed before, its START is in the log, and its id is
 * the idempotency key.
 */
async function runAgain(call: ToolCallBlock, context: ToolCallContext): Promise<void> {
  const { log, runner } = context;
  const tool = runner.tools.find(({ name }) => name === call.name);
  const read = tool && readCallInput(call, tool, { calls: countTurnCalls(log.state) });
  if (tool && read?.ok) {
    await runStartedCall(call, { tool, input: read.input }, context);
    return;
  }
  const text = read && !read.ok ? read.text : `There is no tool named ${call.name} any more.`;
  log.append(refusedResult(log.state, call, { state: "error", text, decision: null }).slice(1));
}

async function run(
  written: ToolCallBlock,
  prepared: Prepared<"run">,
  context: ToolCallContext,
): Promise<void> {
  const { log, stop } = context;
  const { tool, input, decision } = prepared;
  // The model is shown later what has run. A call without any input is shown as `{}` anyway.
  const call = written.input.trim() === "" ? written : withCheckedInput(written, input, log);
  log.append([startOfResult(log.state, call, decision, sourceOf(tool, call))]);
  // The START is on disk before the request is sent, so that no call is made that the log does not have.
  await log.settled();
  if (stop.aborted) return;
  await runStartedCall(call, prepared, context);
}
