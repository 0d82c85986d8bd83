// A room in the profile 0.0: one speaker after the other, each as a step with its name. A client of the time shows one
// run, whose texts are one agent's. An agent that a speaker has called is a step, too, as in a session.
import type { AgUiEvent } from "../wire/events.ts";
import type { AgUiMessage } from "../wire/messages.ts";
import { callingTurnOf, questionWithoutLane } from "./turn-events.ts";

/** An event of a room's run, with the lane that it is of; `held` when the lane goes on only after an answer. */
export type RoomTold =
  | { readonly lane: null; readonly event: AgUiEvent }
  | { readonly lane: string; readonly event: AgUiEvent | "held" };

interface BufferedLane {
  readonly id: string;
  readonly name: string;
  readonly events: AgUiEvent[];
  /** Steps of called agents that are open, those in `events` among them. */
  readonly steps: Set<string>;
  isHeld: boolean;
  isClosed: boolean;
}

export class SpeakerBuffer {
  /** Lanes that have not ended, in the order in which they began; the first one that can go on is sent as it comes. */
  #lanes: BufferedLane[] = [];
  #head: BufferedLane | null = null;
  #owesSnapshot = false;

  /** @param snapshot All messages of the run so far. */
  take(told: readonly RoomTold[], snapshot: () => AgUiEvent): readonly AgUiEvent[] {
    return told.flatMap((each) =>
      each.lane === null
        ? this.#takeOfRun(each.event, snapshot)
        : [...this.#takeOfLane(each.lane, each.event), ...this.#settle(snapshot)],
    );
  }

  /**
   * The events for a reader that joins: without the words that are still to be sent.
   * @param begun The run's start, and all of its messages. @param reopen The starts of what is open in a lane.
   */
  join(
    begun: readonly AgUiEvent[],
    reopen: (lane: string) => readonly AgUiEvent[],
  ): readonly AgUiEvent[] {
    const unsent = new Set(
      this.#lanes.filter(({ events }) => events.length > 0).map(({ id }) => id),
    );
    if (unsent.size > 0) this.#owesSnapshot = true;
    const shown = begun.map((event): AgUiEvent => {
      if (event.type !== "MESSAGES_SNAPSHOT") return event;
      const sent = event.messages.filter(
        (message) => !("subagentRunId" in message) || !unsent.has(message.subagentRunId ?? ""),
      );
      return { ...event, messages: plainMessages(sent) };
    });
    const head = this.#head;
    if (!head) return shown;
    const steps = [head.name, ...head.steps].map((stepName): AgUiEvent => {
      return { type: "STEP_STARTED", stepName };
    });
    const open = reopen(head.id).filter((event) => laneOf(event) === head.id);
    return [...shown, ...steps, ...open.map(withoutLane)];
  }

  /** A snapshot would have the words of those whose turn it is not yet, whom a client would then hear twice. */
  #takeOfRun(event: AgUiEvent, snapshot: () => AgUiEvent): readonly AgUiEvent[] {
    switch (event.type) {
      case "MESSAGES_SNAPSHOT":
        this.#owesSnapshot = true;
        return this.#settle(snapshot);
      case "RUN_STARTED":
        this.#lanes = [];
        this.#head = null;
        this.#owesSnapshot = false;
        return [event];
      case "RUN_FINISHED":
        // A client of the time forgets an open call when a snapshot comes.
        this.#owesSnapshot = false;
        return [event.outcome?.type === "interrupt" ? plainInterrupts(event) : event];
      default:
        return [event];
    }
  }

  #takeOfLane(id: string, event: AgUiEvent | "held"): readonly AgUiEvent[] {
    if (event !== "held" && event.type === "SUBAGENT_STARTED" && event.subagentRunId === id) {
      const steps = new Set<string>();
      const lane = { id, name: event.name, events: [], steps, isHeld: false, isClosed: false };
      this.#lanes.push(lane);
      return this.#advance();
    }
    const lane = this.#lanes.find((one) => one.id === id);
    if (!lane) return [];
    if (event === "held") {
      lane.isHeld = true;
      endSteps(lane, lane.steps);
    } else if (laneOf(event) === id) this.#takeOfTurn(lane, event);
    else takeOfCalled(lane, event);
    return this.#advance();
  }

  #takeOfTurn(lane: BufferedLane, event: AgUiEvent): void {
    if (event.type === "SUBAGENT_FINISHED" || event.type === "SUBAGENT_ERROR") {
      lane.isClosed = true;
      endSteps(lane, lane.steps);
      return;
    }
    lane.isHeld = false;
    lane.events.push(withoutLane(event));
  }

  #advance(): readonly AgUiEvent[] {
    const told: AgUiEvent[] = [];
    for (;;) {
      const opened = this.#head === null;
      this.#head ??=
        this.#lanes.find(
          ({ isHeld, isClosed, events }) => events.length > 0 || (!isHeld && !isClosed),
        ) ?? null;
      const head = this.#head;
      if (!head) break;
      if (opened) told.push({ type: "STEP_STARTED", stepName: head.name });
      told.push(...head.events.splice(0));
      if (!head.isClosed && !head.isHeld) break;
      told.push({ type: "STEP_FINISHED", stepName: head.name });
      this.#head = null;
    }
    this.#lanes = this.#lanes.filter(({ isClosed, events }) => !isClosed || events.length > 0);
    return told;
  }

  #settle(snapshot: () => AgUiEvent): readonly AgUiEvent[] {
    if (!this.#owesSnapshot || this.#lanes.some(({ events }) => events.length > 0)) return [];
    this.#owesSnapshot = false;
    const event = snapshot();
    if (event.type !== "MESSAGES_SNAPSHOT") return [event];
    return [{ ...event, messages: plainMessages(event.messages) }];
  }
}

/** The words and deeds of a called agent are not told: the agent is a step while its caller goes on. */
function takeOfCalled(lane: BufferedLane, event: AgUiEvent): void {
  const stepName = `agent:${laneOf(event)}`;
  switch (event.type) {
    case "SUBAGENT_STARTED":
      lane.isHeld = false;
      lane.steps.add(stepName);
      lane.events.push({ type: "STEP_STARTED", stepName });
      return;
    case "SUBAGENT_FINISHED":
    case "SUBAGENT_ERROR":
      if (lane.steps.has(stepName)) endSteps(lane, [stepName]);
      return;
    default:
      lane.isHeld = false;
  }
}

function endSteps(lane: BufferedLane, names: Iterable<string>): void {
  for (const stepName of [...names].reverse()) {
    lane.steps.delete(stepName);
    lane.events.push({ type: "STEP_FINISHED", stepName });
  }
}

/** The lane that the event is of; empty for none. */
function laneOf(event: AgUiEvent): string {
  return ("subagentRunId" in event && event.subagentRunId) || "";
}

/** Without those of called agents. */
function plainMessages(messages: readonly AgUiMessage[]): readonly AgUiMessage[] {
  const own = messages.filter(
    (message) =>
      !("subagentRunId" in message) || callingTurnOf(message.subagentRunId ?? "") === null,
  );
  return own.map(withoutOwner);
}

function withoutOwner(message: AgUiMessage): AgUiMessage {
  if (!("subagentRunId" in message)) return message;
  const { subagentRunId: _, ...plain } = message;
  return plain;
}

function withoutLane(event: AgUiEvent): AgUiEvent {
  if (!("subagentRunId" in event)) return event;
  const { subagentRunId: _, ...plain } = event;
  return plain as AgUiEvent;
}

function plainInterrupts(event: Extract<AgUiEvent, { type: "RUN_FINISHED" }>): AgUiEvent {
  const { outcome } = event;
  if (outcome?.type !== "interrupt") return event;
  const interrupts = outcome.interrupts.map(questionWithoutLane);
  return { ...event, outcome: { ...outcome, interrupts } };
}
