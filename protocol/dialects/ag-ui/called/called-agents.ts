// The agents that calls of a reply have called, as lanes of its runs. A lane is open from the first that a run tells of its
// agent to the agent's end, or to the end of the run; its id is the agent's session in every run.
import {
  SUBAGENT_CALL,
  SUBAGENT_EVENT,
  SUBAGENT_REQUIRE_USER_CONFIRM,
  SUBAGENT_USER_CONFIRM_RESULT,
  isSubagentCopy,
  subagentCallOf,
  subagentEventOf,
  subagentRequireUserConfirmOf,
  subagentUserConfirmResultOf,
  type SubagentEventValue,
} from "../../../agents/events.ts";
import { MAX_CALLED_CHARACTERS } from "../../../ag-ui/limits.ts";
import type { EventOf, LoggedEvent } from "../../../events.ts";
import { endOfReply } from "../runs/end-of-reply.ts";
import type { Answerer, AskedBlock } from "../runs/waiting-outcome.ts";
import type { AgUiEvent, AgUiInterrupt, AgUiOutcome } from "../wire/events.ts";
import type { AgUiMessage } from "../wire/messages.ts";
import { AwaitingCalls } from "./awaiting-calls.ts";
import { CalledAgent } from "./called-agent.ts";
import { messageIdOf } from "./called-events.ts";
import { finishedLane, STOPPED, type LaneEnd } from "./finished-lane.ts";
import { withCalledMessages } from "./with-called-messages.ts";

/** The meaning of an event for the lanes. */
interface ToldOfCalled {
  readonly events: readonly AgUiEvent[];
  /** Whether the event is told as it is, too. */
  readonly isShown: boolean;
}

const NOTHING: ToldOfCalled = { events: [], isShown: true };

export class CalledAgents {
  /** By session, in the order in which they began. */
  readonly #agents = new Map<string, CalledAgent>();
  /** Agents with an open lane, the callers before those that they have called. */
  readonly #open = new Set<CalledAgent>();
  /** The ids of their messages, in the order in which a client received the first of each. */
  readonly #order = new Map<string, number>();
  /** Calls of the reply that go on to their results. */
  readonly #released = new Set<string>();
  readonly #awaiting = new AwaitingCalls();
  /** Agents whose lanes the run has had: each is opened once. */
  readonly #begun = new Set<CalledAgent>();
  /** Whether agents may work on although the run has ended. */
  isAsleep = false;
  /** The last event that was slept through. */
  #slept: EventOf<"CUSTOM"> | null = null;
  #hasMissed = false;

  /** @returns Null for an event about something else. @param snapshot For what cannot be told in pieces. */
  take(event: EventOf<"CUSTOM">, snapshot: () => AgUiEvent): ToldOfCalled | null {
    const { name, value } = event;
    if (event === this.#slept) return { events: [], isShown: name !== SUBAGENT_EVENT };
    switch (name) {
      case SUBAGENT_EVENT: {
        const batch = subagentEventOf(value);
        return batch && { events: this.#takeBatch(batch, snapshot), isShown: false };
      }
      case SUBAGENT_REQUIRE_USER_CONFIRM: {
        const asked = subagentRequireUserConfirmOf(value);
        if (asked) this.#agents.get(asked.worker_session_id)?.ask(asked.event);
        return asked && NOTHING;
      }
      case SUBAGENT_USER_CONFIRM_RESULT: {
        const answered = subagentUserConfirmResultOf(value);
        if (answered) this.#agents.get(answered.worker_session_id)?.settle(answered.tool_call_ids);
        return answered && NOTHING;
      }
      case SUBAGENT_CALL: {
        const call = subagentCallOf(value);
        if (call?.waits === true) this.#awaiting.add(call.tool_call_id);
        if (call?.waits === false) this.#release(call.tool_call_id);
        return call && NOTHING;
      }
      default:
        return this.#awaiting.takeTask(event) ? NOTHING : null;
    }
  }

  /** Whether the agent that a call of the reply has called can do nothing before somebody answers. */
  isHeld(callId: string): boolean {
    return !this.#released.has(callId) && this.#isHeldBy(null, callId);
  }

  /** Whether a call of the reply waits for an agent, or for a task of a server or of another system's agent. */
  isWorking(callId: string): boolean {
    return this.#awaiting.has(callId);
  }

  /**
   * Takes what agents tell that work while the run has ended with calls of the reply itself: nothing is told of it, and the
   * next run begins with all of it. @returns False when it changes who is asked: that is the next run.
   */
  sleepsThrough(event: EventOf<"CUSTOM">): boolean {
    if (!this.isAsleep) return false;
    if (this.#awaiting.sleepsThrough(event)) return true;
    if (!isSubagentCopy(event.name)) return false;
    const before = this.#questions;
    this.take(event, () => SILENT);
    this.endRun(null);
    this.#slept = event;
    this.#hasMissed = true;
    return this.#questions === before;
  }

  /** A run begins. @returns Whether its client has missed something. */
  wake(): boolean {
    const hasMissed = this.#hasMissed;
    this.#hasMissed = false;
    this.isAsleep = false;
    this.#begun.clear();
    return hasMissed;
  }

  interrupts(reader: Answerer): readonly AgUiInterrupt[] {
    return [...this.#agents.values()].flatMap((agent) => agent.interrupts(reader));
  }

  /** Calls of agents that wait for an answer. */
  get asked(): readonly AskedBlock[] {
    return [...this.#agents.values()].flatMap(({ asked }) => asked);
  }

  /** A call of the reply has ended: nothing more is told of its agents. */
  endCall(callId: string, state: EventOf<"TOOL_RESULT_END">["state"]): readonly AgUiEvent[] {
    this.#release(callId);
    const isGood = state === "success";
    return this.#endAll(
      ({ rootCallId }) => rootCallId === callId,
      isGood ? { type: "success" } : STOPPED,
    );
  }

  /** The lanes end with the run. */
  endRun(outcome: AgUiOutcome | null): readonly AgUiEvent[] {
    if (outcome?.type !== "interrupt") {
      const end = outcome?.type === "success" ? outcome : STOPPED;
      return this.#close([...this.#open], ({ id }) => finishedLane(id, end));
    }
    const waiting = [...this.#agents.values()].filter(({ questions }) => questions.size > 0);
    const opened = waiting.flatMap((agent) => this.#openLane(agent));
    const closed = this.#close([...this.#open], ({ id: subagentRunId }): AgUiEvent => {
      const own = outcome.interrupts.filter((each) => each.subagentRunId === subagentRunId);
      const interruptIds = own.map(({ id }) => id);
      const suspended = { type: "suspended", ...(own.length > 0 && { interruptIds }) } as const;
      return { type: "SUBAGENT_FINISHED", subagentRunId, outcome: suspended };
    });
    return [...opened, ...closed];
  }

  /** For a joining reader: the lanes that are open, with what is open in them. */
  reopenAll(): readonly AgUiEvent[] {
    const open = [...this.#open];
    return [...open.map(({ started }) => started), ...open.flatMap((agent) => agent.reopenLanes())];
  }

  /** The reply's messages with those of its agents where a client has them. */
  addTo(messages: readonly AgUiMessage[]): readonly AgUiMessage[] {
    if (this.#agents.size === 0) return messages;
    const called = [...this.#agents.values()].map((agent) => ({
      callId: agent.rootCallId,
      messages: agent.messages(),
    }));
    return withCalledMessages(messages, called, this.#order);
  }

  /** The questions that wait, as a text that changes with them. */
  get #questions(): string {
    const ids = [...this.#agents.values()].map(({ id, questions }) => [id, ...questions.keys()]);
    return JSON.stringify(ids.filter(({ length }) => length > 1));
  }

  #release(callId: string): void {
    this.#released.add(callId);
    this.#awaiting.delete(callId);
  }

  #takeBatch(batch: SubagentEventValue, snapshot: () => AgUiEvent): readonly AgUiEvent[] {
    const agent = this.#find(batch);
    if (agent.isOver) return [];
    if (batch.omitted) agent.omit();
    const told = batch.events.flatMap((event) => this.#pushTo(agent, event, snapshot));
    this.#bound();
    return told;
  }

  #pushTo(agent: CalledAgent, event: LoggedEvent, snapshot: () => AgUiEvent): readonly AgUiEvent[] {
    if (agent.isOver) return [];
    const opened = this.#openLane(agent);
    const told = agent.push(event, () => snapshot());
    for (const each of told) {
      const id = messageIdOf(each);
      if (id !== null && !this.#order.has(id)) this.#order.set(id, this.#order.size);
    }
    const ended = this.#endsOf(agent, event);
    return [...opened, ...told, ...ended];
  }

  /** The lanes that an event of an agent ends: those below a call of it that has ended, or its own with all below it. */
  #endsOf(agent: CalledAgent, event: LoggedEvent): readonly AgUiEvent[] {
    if (!agent.isOf(event)) return [];
    if (event.type === "TOOL_RESULT_END") {
      const { tool_call_id: id, state } = event;
      const isBelow = (one: CalledAgent) => one.isUnder(agent) && callUnder(one, agent) === id;
      return this.#endAll(isBelow, state === "success" ? { type: "success" } : STOPPED);
    }
    if (event.type !== "REPLY_END") return [];
    const below = this.#endAll((one) => one.isUnder(agent), STOPPED);
    agent.end();
    const own = this.#close([agent], ({ id }) => finishedLane(id, endOfReply(event)));
    return [...below, ...own];
  }

  #find(batch: SubagentEventValue): CalledAgent {
    const known = this.#agents.get(batch.session_id);
    if (known) return known;
    const agent = new CalledAgent(batch, this.#agents.get(batch.parent_session_id) ?? null);
    this.#agents.set(agent.id, agent);
    return agent;
  }

  /** Opens the lane, those above it first. An agent that is over has none any more. */
  #openLane(agent: CalledAgent): readonly AgUiEvent[] {
    if (agent.isOver || this.#begun.has(agent)) return [];
    const above = agent.parent ? this.#openLane(agent.parent) : [];
    this.#begun.add(agent);
    this.#open.add(agent);
    return [...above, agent.started];
  }

  /** The agents below come behind those above them, and their lanes are closed before. */
  #close(
    agents: readonly CalledAgent[],
    end: (agent: CalledAgent) => AgUiEvent,
  ): readonly AgUiEvent[] {
    return [...agents].reverse().flatMap((agent) => {
      const isOpen = this.#open.delete(agent);
      return isOpen ? [...agent.closeLanes(), end(agent)] : [];
    });
  }

  #endAll(isMeant: (agent: CalledAgent) => boolean, end: LaneEnd): readonly AgUiEvent[] {
    const ended = [...this.#agents.values()].filter((agent) => !agent.isOver && isMeant(agent));
    for (const agent of ended) agent.end();
    return this.#close(ended, ({ id }) => finishedLane(id, end));
  }

  #isHeldBy(caller: CalledAgent | null, callId: string): boolean {
    for (const agent of this.#agents.values()) {
      if (agent.parent !== caller || agent.callId !== callId) continue;
      return this.#isWaiting(agent);
    }
    return false;
  }

  #isWaiting(agent: CalledAgent): boolean {
    if (!agent.isOmitted) return agent.isWaiting((id) => this.#isHeldBy(agent, id));
    // Of its calls nothing is known: whether it asks, or all that it has called wait.
    const below = [...this.#agents.values()].filter(
      ({ parent, isOver }) => parent === agent && !isOver,
    );
    const isHeld = below.length > 0 && below.every((one) => this.#isWaiting(one));
    return !agent.isOver && (agent.questions.size > 0 || isHeld);
  }

  /** Gives up the texts of the agents that ended first, once all of them together are too many. */
  #bound(): void {
    const agents = [...this.#agents.values()];
    let characters = agents.reduce((sum, agent) => sum + agent.characters, 0);
    for (const agent of agents) {
      if (characters <= MAX_CALLED_CHARACTERS) return;
      if (!agent.isOver) continue;
      characters -= agent.characters;
      agent.forget();
    }
  }
}

/** A frame that nobody is sent. */
const SILENT: AgUiEvent = { type: "CUSTOM", name: "", value: {} };

/** The call of `above` that an agent below it is under. */
function callUnder(agent: CalledAgent, above: CalledAgent): string {
  let child = agent;
  while (child.parent && child.parent !== above) child = child.parent;
  return child.callId;
}
