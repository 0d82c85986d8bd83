// One run of a room's stream: a round, or a part of it that ends because all that is open waits for people.
import type { EventOf } from "../../../events.ts";
import type { RoomInputRequiredValue } from "../../../rooms/events.ts";
import { RunUsage } from "../runs/run-usage.ts";
import {
  AG_UI_PROTOCOL_VERSION,
  type AgUiEvent,
  type AgUiInterrupt,
  type AgUiOutcome,
  type AgUiRun,
} from "../wire/events.ts";
import type { AgUiMessage } from "../wire/messages.ts";
import type { CalledStart, TurnLane } from "./turn-lane.ts";

export class RoomRun {
  readonly ids: AgUiRun;
  /** Lanes that the run has opened, and has not closed. */
  readonly open = new Set<TurnLane>();
  readonly #begun = new Set<TurnLane>();
  /** Lanes of called agents that are open, by their ids, the callers before those that they have called. */
  readonly #called = new Map<string, { readonly lane: TurnLane; readonly started: CalledStart }>();
  readonly #calledBegun = new Set<string>();
  readonly #usage = new RunUsage();
  /** Messages of people that were added in it. */
  readonly added: AgUiMessage[] = [];

  constructor(ids: AgUiRun) {
    this.ids = ids;
  }

  /** @param messages Those that were added since the run before it. */
  started(messages: readonly AgUiMessage[]): AgUiEvent {
    this.added.push(...messages);
    const input = { state: {}, messages, tools: [], context: [], forwardedProps: {} };
    return {
      type: "RUN_STARTED",
      ...this.ids,
      protocolVersion: AG_UI_PROTOCOL_VERSION,
      ...(messages.length > 0 && { input: { ...this.ids, ...input } }),
    };
  }

  count(model: string, event: EventOf<"MODEL_CALL_END">): void {
    this.#usage.add(model, event);
  }

  /** Nothing when the run has had the lane. */
  openLane(lane: TurnLane): readonly AgUiEvent[] {
    if (this.#begun.has(lane)) return [];
    this.#begun.add(lane);
    this.open.add(lane);
    const { id: subagentRunId, name } = lane.speaker;
    return [{ type: "SUBAGENT_STARTED", subagentRunId, name }];
  }

  closeLane(lane: TurnLane): readonly AgUiEvent[] {
    if (!this.open.delete(lane)) return [];
    const below = this.calledOf(lane).reverse();
    for (const { subagentRunId } of below) this.#called.delete(subagentRunId);
    const ids = [...below.map(({ subagentRunId }) => subagentRunId), lane.speaker.id];
    return ids.map((id) => endOfLane(id, lane));
  }

  /** The open lanes of agents that the turn has called. */
  calledOf(lane: TurnLane): CalledStart[] {
    const own = [...this.#called.values()].filter((called) => called.lane === lane);
    return own.map(({ started }) => started);
  }

  /**
   * The beginnings and ends of a called agent's lane: each has one of both in a run. A turn that waits goes on in the run, and so
   * do the agents that it has called.
   */
  toldOfCalled(lane: TurnLane, event: AgUiEvent): readonly AgUiEvent[] {
    switch (event.type) {
      case "SUBAGENT_STARTED": {
        const { subagentRunId: id } = event;
        if (this.#calledBegun.has(id)) return [];
        this.#calledBegun.add(id);
        this.#called.set(id, { lane, started: event });
        return [event];
      }
      case "SUBAGENT_FINISHED":
        if (event.outcome.type === "suspended") return [];
        return this.#called.delete(event.subagentRunId) ? [event] : [];
      case "SUBAGENT_ERROR":
        return this.#called.delete(event.subagentRunId) ? [event] : [];
      default:
        return [event];
    }
  }

  /** The lanes of those who ask in a turn that waits, the callers first. */
  openAsking(lane: TurnLane): readonly AgUiEvent[] {
    return lane.interrupts.flatMap(({ subagentRunId }) => {
      const chain: CalledStart[] = [];
      let asking = lane.called.get(subagentRunId ?? "");
      while (asking) {
        chain.unshift(asking);
        asking = lane.called.get(asking.parentSubagentRunId ?? "");
      }
      return chain.flatMap((started) => this.toldOfCalled(lane, started));
    });
  }

  finished(outcome: AgUiOutcome, result: unknown = null): AgUiEvent {
    return {
      type: "RUN_FINISHED",
      ...this.ids,
      outcome,
      ...(result !== null && { result }),
      ...this.#usage.toMember(),
    };
  }
}

/** The end of the lane of a turn, or of an agent that it has called, as the turn is now. */
function endOfLane(subagentRunId: string, { end, interrupts }: TurnLane): AgUiEvent {
  if (end) return { type: "SUBAGENT_ERROR", subagentRunId, ...end };
  const own = interrupts.filter((asked) => asked.subagentRunId === subagentRunId);
  const ids = own.map(({ id }) => id);
  const outcome =
    end === undefined
      ? ({ type: "suspended", ...(ids.length > 0 && { interruptIds: ids }) } as const)
      : ({ type: "success" } as const);
  return { type: "SUBAGENT_FINISHED", subagentRunId, outcome };
}

/** The answer to a person's turn in words. */
const WORDS_SCHEMA = {
  type: "object",
  properties: { content: { type: "string" } },
  required: ["content"],
} as const;

/** A person's turn that is waited for: the run is ended with it, as with a call that asks. */
export function interruptOfPerson({
  turn_id: turnId,
  participant,
  form,
  expires_at,
}: RoomInputRequiredValue): AgUiInterrupt {
  return {
    id: turnId,
    reason: "agentscope:room_input",
    message: `It is the turn of ${participant}.`,
    responseSchema: form ?? WORDS_SCHEMA,
    ...(expires_at !== null && { expiresAt: expires_at }),
    metadata: { agentscope: { kind: "room_input", turnId, participant } },
  };
}
