// Compares two permissions of an agent over the calls that this session has decided. Reads, and changes nothing.
import type { AbilityFold } from "../../agent/ability.ts";
import {
  checkCall,
  type CallPermission,
  type PermissionSettings,
} from "../../agent/permission/check-call.ts";
import { MAX_ARGUMENT_CHARACTERS } from "../../agent/permission/call-subject.ts";
import { parseInput } from "../../agent/json/parse-input.ts";
import type { ToolDeclaration } from "../../agent/ports.ts";
import type { AgentDefinition } from "../../protocol/agents/contract.ts";
import type { Decision } from "../../protocol/permission/contract.ts";
import type { SimulatedCall } from "../../protocol/decisions/simulation.ts";
import { accept, type Result } from "../../protocol/errors.ts";
import type { LoggedEvent } from "../../protocol/events.ts";
import {
  MAX_LOOKED_DECISIONS,
  MAX_SIMULATED_CALLS,
  MAX_SIMULATED_REPLIES,
  MAX_SIMULATED_WORK,
} from "../../protocol/permission/limits.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import { timeSlice } from "../../runtime/time-slice.ts";
import type { OpenSession } from "../sessions/open-session.ts";
import { permissionSettings } from "../settings/permission-settings.ts";
import { sessionTools } from "../settings/session-tools.ts";
import { decisionsOf } from "../tables/decisions-of.ts";
import { act } from "./act.ts";

/** A place in the record of decisions: the event, and the decision's place in it. */
export type DecisionPlace = readonly [seq: number, position: number];

export interface SimulationRequest {
  /** The version whose tools and rules are compared with. */
  readonly agent: AgentDefinition;
  readonly permission: AgentDefinition["permission"];
  /** ISO 8601, inclusive and exclusive. */
  readonly since?: string;
  readonly until?: string;
  /** Behind this place of the record; from the newest on when left out. */
  readonly before?: DecisionPlace;
}

export interface SimulatedPart {
  readonly changed: readonly SimulatedCall[];
  readonly calls: number;
  readonly calls_skipped: number;
  /** The call at which the next page begins; null when all calls were compared. */
  readonly next: DecisionPlace | null;
}

/** Newest first, a bounded number of calls and bounded work; at least one call. */
async function simulateRules(
  session: OpenSession,
  request: SimulationRequest,
): Promise<Result<SimulatedPart>> {
  await session.log.settled();
  const { client, time_zone, tools: own } = session.init;
  const init = { agent: request.agent, client, time_zone, tools: own };
  const tools = sessionTools(init, session.tables);
  const inputs = new CallInputs(session);
  const changed: SimulatedCall[] = [];
  let [looked, calls, skipped, work] = [0, 0, 0, 0];
  let last: DecisionPlace | null = null;
  for (const { place, event, decision } of engineDecisions(session, request.before)) {
    const { decided_at } = decision;
    if (request.since !== undefined && decided_at < request.since) break;
    const isFull =
      looked >= MAX_LOOKED_DECISIONS ||
      calls + skipped >= MAX_SIMULATED_CALLS ||
      inputs.replies > MAX_SIMULATED_REPLIES ||
      work > MAX_SIMULATED_WORK;
    if (isFull) return accept({ changed, calls, calls_skipped: skipped, next: last });
    last = place;
    looked += 1;
    if (request.until !== undefined && decided_at >= request.until) continue;
    // Other requests to the session have their turn between two calls.
    await timeSlice();
    const input = await inputs.read(event, decision);
    const tool = tools.find(({ name }) => name === decision.tool_name);
    const parsed = input === null ? null : parseInput(input);
    if (!tool || input === null || !parsed?.ok) {
      skipped += 1;
      continue;
    }
    calls += 1;
    const [before, after] = settingsAt(session, request, decided_at);
    work += workOf(tool, input, [before, after]);
    const outcomes = [before, after].map((settings) => checkCall(settings, tool, parsed.input));
    const [old, renewed] = outcomes as [CallPermission, CallPermission];
    if (old.behavior !== renewed.behavior) {
      changed.push(toSimulated(session, decision, { old, renewed }));
    }
  }
  return accept({ changed, calls, calls_skipped: skipped, next: null });
}

interface EngineDecision {
  readonly place: DecisionPlace;
  readonly event: LoggedEvent;
  readonly decision: Decision;
}

/** Decisions of rules, tools and modes when calls were made, newest first; neither answers nor expiries. */
function* engineDecisions(
  { tables, log }: OpenSession,
  [beforeSeq, beforePosition]: DecisionPlace = [Infinity, 0],
): Generator<EngineDecision, void> {
  for (const { seq, position } of tables.decisions.before(beforeSeq, beforePosition)) {
    const [logged] = log.events(seq - 1);
    const event = logged?.item;
    const decision = event?.seq === seq ? decisionsOf(event)[position] : undefined;
    if (!event || !decision || event.type === "USER_CONFIRM_RESULT") continue;
    // A call that was asked about has its decision in the question; what ended it later is none of the rules at its time.
    const wasAsked = (tables.calls.find(decision.tool_call_id)?.inputHash ?? null) !== null;
    if (decision.behavior !== "ask" && wasAsked) continue;
    yield { place: [seq, position], event, decision };
  }
}

/** Inputs of calls as the model wrote them: of a question in its event, of other calls in their reply's message. */
class CallInputs {
  readonly #session: OpenSession;
  #message: Msg | null = null;
  #replyId: string | null = null;
  /** Messages read so far. */
  replies = 0;

  constructor(session: OpenSession) {
    this.#session = session;
  }

  async read(event: LoggedEvent, { reply_id, tool_call_id }: Decision): Promise<string | null> {
    if (event.type === "REQUIRE_USER_CONFIRM") {
      return event.tool_calls.find(({ id }) => id === tool_call_id)?.input ?? null;
    }
    if (this.#replyId !== reply_id) {
      this.#replyId = reply_id;
      this.#message = await this.#readMessage(reply_id);
      this.replies += 1;
    }
    for (const block of this.#message?.content ?? []) {
      if (block.type === "tool_call" && block.id === tool_call_id) return block.input;
    }
    return null;
  }

  /** Null for a message that cannot be read. */
  async #readMessage(replyId: string): Promise<Msg | null> {
    const { openReply, tables } = this.#session;
    if (openReply?.id === replyId) return openReply.state.message;
    try {
      return (await tables.messages.ofReplyUnread(replyId)?.readInSlices())?.message ?? null;
    } catch (error) {
      console.warn("the message of a past call cannot be read", { error: String(error) });
      return null;
    }
  }
}

/** With the mode of the session, if it has one, and those of its rules that it had at that time. */
function settingsAt(
  { settings, tables }: OpenSession,
  { agent, permission }: SimulationRequest,
  decidedAt: string,
): readonly [PermissionSettings, PermissionSettings] {
  const own = tables.rules.all().filter(({ created_at }) => (created_at ?? "") <= decidedAt);
  // The untrusted content that a past call had before it is not kept: neither permission is asked about it.
  const abilities = { read: <State>({ initial }: AbilityFold<State>) => initial };
  const ofSession = { settings, tables: { rules: { all: () => own }, abilities } };
  return [
    permissionSettings({ agent }, ofSession),
    permissionSettings({ agent: { ...agent, permission } }, ofSession),
  ];
}

/** Rules with content, times the characters that they are compared with. */
function workOf(
  { name }: ToolDeclaration,
  input: string,
  compared: readonly PermissionSettings[],
): number {
  const rules = compared.flatMap((settings) => settings.rules);
  const matching = rules.filter((rule) => rule.tool_name === name && rule.rule_content).length;
  return matching * Math.min(input.length, MAX_ARGUMENT_CHARACTERS);
}

function toSimulated(
  { init }: OpenSession,
  { reply_id, tool_call_id, tool_name, decided_at, ...recorded }: Decision,
  { old, renewed }: Readonly<Record<"old" | "renewed", CallPermission>>,
): SimulatedCall {
  const { session_id } = init;
  const call = { session_id, reply_id, tool_call_id, tool_name, decided_at };
  const [before, after] = [outcomeOf(old), outcomeOf(renewed)];
  return { ...call, recorded: outcomeOf(recorded), before, after };
}

function outcomeOf({
  behavior,
  reason,
  rule,
}: Pick<Decision, "behavior" | "reason" | "rule">): SimulatedCall["before"] {
  return { behavior, reason, rule };
}

export const DECISION_ACTS = {
  /** Compares two permissions of an agent over the calls of the past. Changes nothing. */
  simulateRules: act<SimulationRequest, SimulatedPart>({ run: simulateRules }),
} as const;
