// A room in the profile 0.0: one speaker after the other, each as a step with its name. A client of the time shows one
// run, whose texts are one agent's.
import type { AgUiEvent } from "../wire/events.ts";
import type { AgUiMessage } from "../wire/messages.ts";

/** An event of a room's run, with the lane that it is of; `held` when the lane goes on only after an answer. */
export type RoomTold =
  | { readonly lane: null; readonly event: AgUiEvent }
  | { readonly lane: string; readonly event: AgUiEvent | "held" };

interface BufferedLane {
  readonly id: string;
  readonly name: string;
  readonly events: AgUiEvent[];
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
      return { ...event, messages: sent.map(withoutOwner) };
    });
    const head = this.#head;
    if (!head) return shown;
    const step: AgUiEvent = { type: "STEP_STARTED", stepName: head.name };
    return [...shown, step, ...reopen(head.id).map(withoutLane)];
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
    if (event !== "held" && event.type === "SUBAGENT_STARTED") {
      this.#lanes.push({ id, name: event.name, events: [], isHeld: false, isClosed: false });
      return this.#advance();
    }
    const lane = this.#lanes.find((one) => one.id === id);
    if (!lane) return [];
    if (event === "held") lane.isHeld = true;
    else if (event.type === "SUBAGENT_FINISHED" || event.type === "SUBAGENT_ERROR") {
      lane.isClosed = true;
    } else {
      lane.isHeld = false;
      lane.events.push(withoutLane(event));
    }
    return this.#advance();
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
    return [{ ...event, messages: event.messages.map(withoutOwner) }];
  }
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
  const interrupts = outcome.interrupts.map(({ subagentRunId: _, ...plain }) => plain);
  return { ...event, outcome: { ...outcome, interrupts } };
}
