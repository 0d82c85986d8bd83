// Carries out what `decide-call.ts` has decided about a call: its result, a question to a person, or the hand-over to an
// external system.
import type { ToolCallBlock } from "../../protocol/messages/blocks.ts";
import type { EventDraft } from "../../protocol/events.ts";
import { MAX_LISTED_SOURCES } from "../../protocol/permission/limits.ts";
import type { UntrustedSource } from "../../protocol/messages/untrusted-content.ts";
import type { Ability, AbilityTools } from "../ability.ts";
import { rewriteInput } from "../json/plain-input.ts";
import type { EventLog, ToolDeclaration } from "../ports.ts";
import { confirmationQuestion } from "./confirmation-question.ts";
import type { CallDecision } from "./decide-call.ts";
import { refusedResult, startOfResult } from "./refused-result.ts";
import { runStartedCall } from "./run-started-call.ts";
import { settledResult } from "./settled-result.ts";
import type { ResultTarget } from "./stream-result.ts";

export interface DecisionPorts extends ResultTarget {
  readonly abilities: readonly Ability[];
}

type Decided<Type extends CallDecision["type"]> = Extract<CallDecision, { type: Type }>;

/** Decisions that are a whole result by themselves: one append may have several of them. */
type ResultDecision = Decided<"settle" | "refuse">;

/** Decisions that take a time of their own. */
export type ActiveDecision = Exclude<CallDecision, ResultDecision | Decided<"postpone">>;

/** The events of a call that does not run. Nothing is appended. */
export function resultOf(
  call: ToolCallBlock,
  decision: ResultDecision,
  { log: { state }, abilities }: Pick<DecisionPorts, "log" | "abilities">,
): readonly EventDraft[] {
  switch (decision.type) {
    case "settle": {
      const settlement = toolsOf(decision.ability, "internal", abilities).settle(call, state);
      return settledResult(state, call, settlement, null);
    }
    case "refuse":
      return refusedResult(state, call, decision.refusal);
    default:
      return decision satisfies never;
  }
}

/** Has to be called before any await after the decision. Contract: rejects only when the log refuses the runner. */
export async function performDecision(
  call: ToolCallBlock,
  decision: ActiveDecision,
  ports: DecisionPorts,
): Promise<void> {
  switch (decision.type) {
    case "ask":
      return ask(call, decision, ports);
    case "record":
      return record(call, decision, ports);
    case "hand_over":
      return handOver(call, decision, ports);
    case "run":
      return run(call, decision, ports);
    case "repeat":
      return runStartedCall(call, decision, ports);
    case "fail":
      // The START is in the log.
      ports.log.append(refusedResult(ports.log.state, call, decision.refusal).slice(1));
      return;
    default:
      return decision satisfies never;
  }
}

async function ask(
  written: ToolCallBlock,
  { tool, permission, input }: Decided<"ask">,
  { log, asking, stop }: DecisionPorts,
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

/** One append, so that a crash leaves all of the result or nothing. */
function record(
  call: ToolCallBlock,
  { tool, ability, input, decision }: Decided<"record">,
  { log, abilities }: DecisionPorts,
): void {
  const settlement = toolsOf(ability, "log", abilities).settle({ call, input }, log.state);
  const untrusted = settlement.untrusted ?? sourceOf(tool, call);
  log.append(settledResult(log.state, call, { ...settlement, untrusted }, decision));
}

/** The origin of the result's content, when it is not trusted. */
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
  { tool, input, decision }: Decided<"hand_over">,
  { log, asking }: DecisionPorts,
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

async function run(
  written: ToolCallBlock,
  { tool, input, decision }: Decided<"run">,
  ports: DecisionPorts,
): Promise<void> {
  const { log, stop } = ports;
  // The model is shown later which input has run. A call without any input is shown as `{}` anyway.
  const call = written.input.trim() === "" ? written : withCheckedInput(written, input, log);
  log.append([startOfResult(log.state, call, decision, sourceOf(tool, call))]);
  // The START is on disk before the request is sent, so that no call is made that the log does not have.
  await log.settled();
  if (stop.aborted) return;
  await runStartedCall(call, { tool, input }, ports);
}

/** The tools of the ability that a decision names. @throws when it has none of that kind: a bug. */
function toolsOf<Kind extends AbilityTools["kind"]>(
  ability: string,
  kind: Kind,
  abilities: readonly Ability[],
): Extract<AbilityTools, { kind: Kind }> {
  const tools = abilities.find(({ name }) => name === ability)?.tools;
  if (tools?.kind !== kind)
    throw new Error(`the ability ${ability} has no tools of the kind ${kind}`);
  return tools as Extract<AbilityTools, { kind: Kind }>;
}
