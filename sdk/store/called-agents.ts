// The agents that the newest reply has called, as its log tells of them. A chunk of its own for bundlers:
// load-called-agents.ts is the only place that imports its values.
import type {
  SubagentEventValue,
  SubagentRequireUserConfirmValue,
  SubagentUserConfirmResultValue,
} from "../../protocol/agents/events.ts";
import type { EventOf, LoggedEvent } from "../../protocol/events.ts";
import type { appendPlain } from "../../protocol/fold/append-plain.ts";
import type { startMessage } from "../../protocol/fold/start-message.ts";
import type { ToolCallBlock } from "../../protocol/messages/blocks.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import type { askedCall } from "./conversation.ts";
import type { CalledAgent, CalledAgentStatus } from "./session-state.ts";
import type { AnswerFates, sameCalls, toSessionCall } from "./waiting-calls.ts";

/** Functions of the store, which a part does not import. */
export interface CalledAgentsCore {
  readonly append: typeof appendPlain;
  readonly start: typeof startMessage;
  readonly askedCall: typeof askedCall;
  readonly toSessionCall: typeof toSessionCall;
  readonly sameCalls: typeof sameCalls;
}

/** The events from before those that come. */
export interface CalledAgentsSource {
  /** Whether the reply has called any. */
  readonly hasAny: () => Promise<boolean>;
  /** The reply's events from its start, also those that come. */
  readonly events: () => AsyncIterable<LoggedEvent>;
}

type Question = EventOf<"REQUIRE_USER_CONFIRM"> | EventOf<"REQUIRE_EXTERNAL_EXECUTION">;

/** An agent as it is known now. */
interface Kept {
  readonly origin: SubagentEventValue;
  /** The call of the reply itself that it is under. */
  readonly rootCallId: string;
  /** By the call's id: the calls that wait, and the event that said so. */
  readonly questions: Map<string, readonly [call: ToolCallBlock, asked: Question]>;
  message: Msg | null;
  ended: CalledAgentStatus | null;
  isOmitted: boolean;
}

export class CalledAgents {
  readonly #core: CalledAgentsCore;
  readonly #kept = new Map<string, Kept>();
  #replyId: string | null;
  #seq = 0;
  #shown: readonly CalledAgent[] = [];
  /** Events that came while those before them are read; null when nothing is read. */
  #later: LoggedEvent[] | null = null;

  constructor(core: CalledAgentsCore, replyId: string | null) {
    this.#core = core;
    this.#replyId = replyId;
  }

  take(event: LoggedEvent): void {
    if (this.#later) this.#later.push(event);
    else this.#take(event);
  }

  /**
   * Reads what the log has told of them, up to its position `upTo`, and goes on from there. Contract: never rejects; what
   * cannot be read is not shown. The promise may stay open until there is a next event.
   */
  async read(source: CalledAgentsSource, upTo: number, onChange: () => void): Promise<void> {
    const later: LoggedEvent[] = [];
    this.#later = later;
    try {
      if (!(await source.hasAny())) return;
      // An event behind them comes in this stream, too, so that it ends when there is something to go on with.
      for await (const event of source.events()) {
        if (event.seq > upTo) break;
        this.#take(event);
        onChange();
      }
    } catch {
      // Agents are shown from the next event on.
    } finally {
      this.#later = null;
      for (const event of later) this.#take(event);
      onChange();
    }
  }

  /** In the order in which they began; the same list as before when nothing has changed. */
  view(fates: AnswerFates): readonly CalledAgent[] {
    const before = this.#shown;
    const shown = [...this.#kept.values()].map((agent) => this.#viewOf(agent, fates));
    const isSame =
      shown.length === before.length && shown.every((agent, index) => agent === before[index]);
    if (!isSame) this.#shown = shown;
    return this.#shown;
  }

  #take(event: LoggedEvent): void {
    if (event.seq <= this.#seq) return;
    this.#seq = event.seq;
    if (event.type === "REPLY_START") {
      if (event.reply_id !== this.#replyId) this.#kept.clear();
      this.#replyId = event.reply_id;
    }
    if (event.reply_id !== this.#replyId) return;
    if (event.type === "TOOL_RESULT_END") {
      this.#end(({ rootCallId }) => rootCallId === event.tool_call_id);
    }
    if (event.type === "REPLY_END") this.#end(() => true);
    if (event.type === "CUSTOM") this.#takeCustom(event.name, event.value);
  }

  /** The platform alone writes these events, so their shape is known. */
  #takeCustom(name: string, value: object): void {
    switch (name) {
      case "subagent_event":
        return this.#takeBatch(value as SubagentEventValue);
      case "subagent_require_user_confirm": {
        const { worker_session_id, event } = value as SubagentRequireUserConfirmValue;
        return this.#ask(this.#kept.get(worker_session_id), event);
      }
      case "subagent_user_confirm_result": {
        const { worker_session_id, tool_call_ids } = value as SubagentUserConfirmResultValue;
        const agent = this.#kept.get(worker_session_id);
        for (const id of tool_call_ids) agent?.questions.delete(id);
      }
    }
  }

  #takeBatch(origin: SubagentEventValue): void {
    const { session_id, parent_session_id, tool_call_id, omitted = false } = origin;
    const rootCallId = this.#kept.get(parent_session_id)?.rootCallId ?? tool_call_id;
    const agent = this.#kept.get(session_id) ?? {
      origin,
      rootCallId,
      questions: new Map<string, readonly [ToolCallBlock, Question]>(),
      message: null,
      ended: null,
      isOmitted: false,
    };
    this.#kept.set(session_id, agent);
    agent.isOmitted ||= omitted;
    for (const event of origin.events) this.#takeOf(agent, event);
  }

  #takeOf(agent: Kept, event: LoggedEvent): void {
    if (event.type === "REPLY_START") agent.message ??= this.#core.start(event);
    const { message } = agent;
    if (!message || event.reply_id !== message.id || agent.ended) return;
    // No data is among them.
    if (event.type !== "DATA_BLOCK_DELTA" && event.type !== "TOOL_RESULT_DATA_DELTA") {
      agent.message = this.#core.append(message, event);
    }
    switch (event.type) {
      case "REQUIRE_USER_CONFIRM":
      case "REQUIRE_EXTERNAL_EXECUTION":
        return this.#ask(agent, event);
      case "USER_CONFIRM_RESULT":
        for (const { tool_call } of event.confirm_results) agent.questions.delete(tool_call.id);
        return;
      case "EXTERNAL_EXECUTION_RESULT":
        for (const { id } of event.execution_results) agent.questions.delete(id);
        return;
      case "TOOL_RESULT_END":
        agent.questions.delete(event.tool_call_id);
        return;
      case "REPLY_END":
        this.#endOne(agent, event.finished_reason);
        return;
      default:
    }
  }

  #ask(agent: Kept | undefined, event: Question): void {
    if (!agent || agent.ended) return;
    const state = event.type === "REQUIRE_USER_CONFIRM" ? "asking" : "submitted";
    for (const call of event.tool_calls) {
      agent.questions.set(call.id, [{ ...call, state }, event]);
    }
  }

  #end(isMeant: (agent: Kept) => boolean): void {
    for (const agent of this.#kept.values()) {
      if (!agent.ended && isMeant(agent)) this.#endOne(agent, "interrupted");
    }
  }

  #endOne(agent: Kept, status: CalledAgentStatus): void {
    agent.ended = status;
    agent.questions.clear();
  }

  #viewOf(agent: Kept, fates: AnswerFates): CalledAgent {
    const { origin, message, isOmitted, questions } = agent;
    const { session_id: sessionId, agent_id: agentId, agent_name: name } = origin;
    const { parent_session_id: parentSessionId, tool_call_id: toolCallId } = origin;
    const before = this.#shown.find((one) => one.sessionId === sessionId);
    const { askedCall: details, toSessionCall: toCall, sameCalls: same } = this.#core;
    const calls = [...questions.values()].map(([call, asked]) =>
      toCall(call, asked.reply_id, details(asked, call.id), fates),
    );
    const pendingCalls = same(calls, before?.pendingCalls ?? []);
    const status = this.#statusOf(agent);
    const isSame =
      before?.message === message &&
      before.status === status &&
      before.isOmitted === isOmitted &&
      before.pendingCalls === pendingCalls;
    if (isSame) return before;
    const from = { sessionId, agentId, name, parentSessionId, toolCallId };
    return { ...from, status, message, isOmitted, pendingCalls };
  }

  /** One waits when somebody has to answer it, or all that it has called and that have not ended. */
  #statusOf({ ended, questions, origin: { session_id } }: Kept): CalledAgentStatus {
    if (ended) return ended;
    if (questions.size > 0) return "waiting";
    const below = [...this.#kept.values()].filter(
      (one) => !one.ended && one.origin.parent_session_id === session_id,
    );
    const isWaiting = below.length > 0 && below.every((one) => this.#statusOf(one) === "waiting");
    return isWaiting ? "waiting" : "running";
  }
}
