// Translates one reply's events. A reply is one or several AG-UI runs: a run ends each time the reply waits for a
// confirmation or an external result.
import { REPLY_RECOVERED, TOOL_CALL_EDITED } from "../../fold/append-custom.ts";
import { HOOK_ANSWERED } from "../../hooks/events.ts";
import type { AgentEvent, EventOf } from "../../events.ts";
import type { Msg } from "../../messages/messages.ts";
import type { AgUiEvent, AgUiOutcome } from "./wire/events.ts";
import { findBlock } from "./lanes/find-block.ts";
import type { AgUiHistory } from "./history.ts";
import { AwaitedCalls } from "./runs/awaited-calls.ts";
import { waitingOutcome, type Answerer } from "./runs/waiting-outcome.ts";
import { CalledAgents } from "./called/called-agents.ts";
import { callLane, reasoningLane, textLane } from "./lanes/lanes.ts";
import * as content from "./wire/messages.ts";
import { discardedThoughts, messagesSnapshot } from "./messages-snapshot.ts";
import { OpenLanes } from "./lanes/open-lanes.ts";
import { ModelCalls } from "./model-calls.ts";
import { OpenRun } from "./runs/open-run.ts";
import { findParkedCalls, confirmsPark } from "./runs/parked-calls.ts";
import { ReplyFold, type TextDelta } from "./reply-fold.ts";
import { ReplyStates } from "./reply-states.ts";
import { endOfReply } from "./runs/end-of-reply.ts";
import { activity, logged, shownApp, signature } from "./side-events.ts";
import { translateDelta } from "./lanes/translate-delta.ts";
import { SentResults } from "./sent-results.ts";

/** Events without an AG-UI event of their own; a tool result is sent when it has ended. */
type UntranslatedEvent = EventOf<
  | "REPLY_START"
  | "DATA_BLOCK_DELTA"
  | "TOOL_RESULT_START"
  | "TOOL_RESULT_DATA_DELTA"
  | "EXCEED_MAX_ITERS"
>;

export class ReplyTranslation {
  readonly #start: EventOf<"REPLY_START">;
  readonly #reader: Answerer;
  readonly #fold: ReplyFold;
  readonly #state: ReplyStates;
  readonly #lanes = new OpenLanes();
  readonly #calls = new ModelCalls();
  readonly #called = new CalledAgents();
  readonly #awaited = new AwaitedCalls();
  readonly #results: SentResults;
  #run: OpenRun;
  #end: AgUiEvent | null = null;
  #isOver = false;
  /**
   * Some calls wait while others may still start: the next event, or the stream's end, decides whether the reply is
   * parked.
   */
  #mayBeParked = false;

  constructor(start: EventOf<"REPLY_START">, history: AgUiHistory, reader: Answerer) {
    this.#reader = reader;
    this.#start = start;
    this.#fold = new ReplyFold(start);
    this.#state = new ReplyStates(start, history);
    this.#results = new SentResults(start.reply_id);
    this.#run = new OpenRun(start, start);
  }

  get id(): string {
    return this.#start.reply_id;
  }

  /** The event that ended the newest run; null while a run is open. */
  get end(): AgUiEvent | null {
    return this.#end;
  }

  /** `REPLY_END` was seen: later events of this reply are ignored. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Whether only the next event decides if the run has ended. */
  get mayBeParked(): boolean {
    return this.#mayBeParked;
  }

  /**
   * Begins the first run, or the next one after a wait. Each run counts its own tokens only.
   * @param added Messages added since the previous run.
   */
  begin(event: AgentEvent, added: readonly content.AgUiMessage[]): readonly AgUiEvent[] {
    this.#end = null;
    this.#run = new OpenRun(event, this.#start);
    const messages = [...added, ...this.#results.takeRunInput(event)];
    const begun = [this.#run.started(messages), ...this.#state.snapshot()];
    const missed = this.#called.wake() ? [this.snapshot()] : [];
    return [...begun, ...missed, ...this.#state.activities()];
  }

  /** For a joining reader: the run, state and messages, then the open lanes or the end. */
  show(added: readonly Msg[]): readonly AgUiEvent[] {
    return [
      this.#run.started([]),
      ...this.#state.snapshot(),
      this.snapshot(added),
      ...this.#state.activities(),
      ...(this.#end ? [this.#end] : [...this.#lanes.reopenAll(), ...this.#called.reopenAll()]),
    ];
  }

  /** Ends the run with an interrupt if calls wait and no event has followed. */
  flush(): AgUiEvent[] {
    return this.#mayBeParked ? this.#park(false) : [];
  }

  /** As {@link flush}, if `event`, the next one, shows that the reply was parked. */
  flushBefore(event: AgentEvent): AgUiEvent[] {
    if (!this.#mayBeParked) return [];
    const wasParked = confirmsPark(event, this.#fold.message, this.#awaited.answered);
    const events = wasParked ? this.#park(false) : [];
    this.#mayBeParked = false;
    return events;
  }

  /** Whether an event behind the end of a run changes nothing for its client: see {@link CalledAgents.sleepsThrough}. */
  sleepsThrough(event: AgentEvent): boolean {
    return event.type === "CUSTOM" && this.#called.sleepsThrough(event);
  }

  /** Ends the run because another reply begins before this one has ended. */
  abandon(): AgUiEvent[] {
    return this.#end ? [] : this.#finish({ type: "cancelled" });
  }

  /** An event of no reply, or of speech. Between two runs nothing is sent: the next begins with the state as it then is. */
  pushOutside(event: EventOf<"CUSTOM">): readonly AgUiEvent[] {
    this.#fold.push(event);
    const told = this.#state.push(event);
    return this.#end ? [] : told;
  }

  push(event: AgentEvent): readonly AgUiEvent[] {
    switch (event.type) {
      case "TEXT_BLOCK_DELTA":
      case "THINKING_BLOCK_DELTA":
      case "TOOL_CALL_DELTA":
      case "TOOL_RESULT_TEXT_DELTA":
        this.#fold.pushDelta(event);
        return translateDelta(event, this.#lanes, this.#fold);
      default: {
        const before = this.#fold.message;
        this.#fold.push(event);
        return this.#translate(event, before);
      }
    }
  }

  #translate(event: Exclude<AgentEvent, TextDelta>, before: Msg): readonly AgUiEvent[] {
    switch (event.type) {
      // A second block with the same id is never visible: all references go to the first one.
      case "TEXT_BLOCK_START":
        return findBlock(before, "text", event.block_id)
          ? []
          : this.#lanes.open("text", event.block_id, textLane(event.block_id));
      case "TEXT_BLOCK_END":
        return this.#endText(event, before);
      case "THINKING_BLOCK_START":
        return findBlock(before, "thinking", event.block_id)
          ? []
          : this.#lanes.open("reasoning", event.block_id, reasoningLane(event.block_id));
      case "THINKING_BLOCK_END":
        return [...this.#lanes.close("reasoning", event.block_id), ...signature(event, before)];
      case "DATA_BLOCK_START":
      case "DATA_BLOCK_END": {
        const block = findBlock(this.#fold.message, "data", event.block_id);
        if (!block) return [];
        return [activity(block.id, content.DATA_ACTIVITY, content.dataActivity(block))];
      }
      case "HINT_BLOCK":
        return [activity(event.block_id, content.HINT_ACTIVITY, content.hintActivity(event))];
      case "TOOL_CALL_START": {
        const { tool_call_id: id, tool_call_name: name } = event;
        if (findBlock(before, "tool_call", id)) return [];
        const parent = content.callParentId(before.content, id);
        return this.#lanes.open("call", id, callLane(id, name, parent));
      }
      case "TOOL_CALL_END":
        return [...this.#lanes.close("call", event.tool_call_id), ...signature(event, before)];
      case "TOOL_RESULT_END":
        return this.#endResult(event);
      case "REQUIRE_USER_CONFIRM":
      case "REQUIRE_EXTERNAL_EXECUTION":
        this.#awaited.announce(event);
        return this.#park(true);
      case "USER_CONFIRM_RESULT":
        return [logged(event.type, { confirm_results: event.confirm_results })];
      case "EXTERNAL_EXECUTION_RESULT":
        this.#awaited.answer(event.execution_results.map(({ id }) => id));
        return [logged(event.type, { execution_results: event.execution_results })];
      case "USER_INTERRUPT":
        return [logged(event.type, {})];
      case "MODEL_CALL_START":
        return this.#calls.begin(event, this.#lanes);
      case "MODEL_CALL_END":
        return this.#calls.end(event, this.#lanes, this.#run.usage);
      case "CUSTOM":
        return this.#custom(event, before);
      case "REPLY_END":
        return this.#endReply(event);
      default:
        return ignore(event);
    }
  }

  /** An END whose text differs from the deltas requires a snapshot. */
  #endText({ block_id, text }: EventOf<"TEXT_BLOCK_END">, before: Msg): readonly AgUiEvent[] {
    const block = findBlock(before, "text", block_id);
    const closed = this.#lanes.close("text", block_id);
    const isSame = !block || text === null || text === block.text;
    return isSame ? closed : [...closed, this.snapshot()];
  }

  #endResult({ tool_call_id: id, state }: EventOf<"TOOL_RESULT_END">): readonly AgUiEvent[] {
    const result = findBlock(this.#fold.message, "tool_result", id);
    const told = result && this.#results.send(result, () => this.snapshot());
    if (!told) return [];
    const called = this.#called.endCall(id, state);
    // Results of an interrupted turn end together; the reply does not wait between them.
    const parked = state === "interrupted" ? [] : this.#park(true);
    const shown = shownApp(this.id, result, this.#fold.message.content);
    return [...this.#lanes.close("call", id), ...called, ...told, ...shown, ...parked];
  }

  #custom(event: EventOf<"CUSTOM">, before: Msg): readonly AgUiEvent[] {
    const { name } = event;
    if (name === REPLY_RECOVERED) return this.#takeBack(before);
    const called = this.#called.take(event, () => this.snapshot());
    const told = called?.isShown === false ? [] : this.#state.push(event);
    if (called) return [...called.events, ...told, ...this.#park(true)];
    const { message } = this.#fold;
    if (message === before || ![TOOL_CALL_EDITED, HOOK_ANSWERED].includes(name)) return told;
    return [...told, this.snapshot([], discardedThoughts(before, message))];
  }

  /** Closes the open lanes and sends a snapshot without the discarded blocks; the new attempt's blocks have new ids. */
  #takeBack(before: Msg): readonly AgUiEvent[] {
    const { message } = this.#fold;
    const closed = this.#lanes.closeAll();
    if (message === before) return closed;
    this.#results.takeBack(message);
    return [...closed, this.snapshot([], discardedThoughts(before, message))];
  }

  #endReply(event: EventOf<"REPLY_END">): readonly AgUiEvent[] {
    this.#isOver = true;
    const end = endOfReply(event);
    return "type" in end
      ? this.#finish(end)
      : this.#terminate(this.#run.failed(end.message, end.code));
  }

  #park(mustBeCertain: boolean): AgUiEvent[] {
    if (this.#end || this.#lanes.hasStep()) return [];
    const parked = findParkedCalls(this.#fold.message, this.#awaited.answered, this.#called);
    if (!parked) return [];
    // Nothing flushes while an agent waits; its questions come when all other calls have long begun.
    this.#mayBeParked = mustBeCertain && !parked.isCertain && !parked.hasHeld;
    if (this.#mayBeParked) return [];
    const asked = this.#called.interrupts(this.#reader);
    this.#called.isAsleep = parked.hasWorking;
    const outcome = waitingOutcome(this.id, parked.waiting, this.#awaited, this.#reader, asked);
    if (outcome.type === "success") return this.#finish(outcome);
    // The answer may come later from another device, which needs the complete state and messages.
    const closed = [...this.#called.endRun(outcome), ...this.#lanes.closeAll()];
    return [...closed, ...this.#state.snapshot(), this.snapshot(), ...this.#finish(outcome)];
  }

  #finish(outcome: AgUiOutcome): AgUiEvent[] {
    const hasResult = outcome.type === "success" && outcome.pendingToolCallIds === undefined;
    const { structured_output } = this.#fold.message;
    const end = this.#run.finished(outcome, hasResult ? structured_output : null);
    return this.#terminate(end, outcome);
  }

  #terminate(end: AgUiEvent, outcome: AgUiOutcome | null = null): AgUiEvent[] {
    this.#end = end;
    return [...this.#called.endRun(outcome), ...this.#lanes.closeAll(), end];
  }

  /**
   * The reply's own message and what was added after it; the stream that sends it puts the earlier conversation in front.
   * @param added Messages added after the reply.
   */
  snapshot(added: readonly Msg[] = [], discarded: readonly string[] = []): AgUiEvent {
    const message = this.#results.withRunInput(this.#fold.message);
    const own = this.#called.addTo(content.toAgUiMessages(message));
    return messagesSnapshot([...own, ...added.flatMap(content.toAgUiMessages)], discarded);
  }
}

/** Also called for event types newer than this version; the compiler checks that all known ones have a case. */
function ignore(_event: UntranslatedEvent): readonly AgUiEvent[] {
  return [];
}
