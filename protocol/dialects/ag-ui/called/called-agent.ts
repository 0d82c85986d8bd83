// One agent that a call has called: what it has said and done, and whom it waits for.
import type { SubagentEventValue } from "../../../agents/events.ts";
import type { EventOf, LoggedEvent } from "../../../events.ts";
import { REPLY_RECOVERED, TOOL_CALL_EDITED } from "../../../fold/append-custom.ts";
import type { ToolCallBlock } from "../../../messages/blocks.ts";
import { findBlock } from "../lanes/find-block.ts";
import { callLane, textLane } from "../lanes/lanes.ts";
import { OpenLanes } from "../lanes/open-lanes.ts";
import { translateDelta } from "../lanes/translate-delta.ts";
import { ReplyFold } from "../reply-fold.ts";
import { AwaitedCalls } from "../runs/awaited-calls.ts";
import { findParkedCalls } from "../runs/parked-calls.ts";
import {
  toInterrupts,
  type Announcement,
  type Answerer,
  type AskedBlock,
} from "../runs/waiting-outcome.ts";
import type { AgUiEvent, AgUiInterrupt } from "../wire/events.ts";
import { callParentId, toAgUiMessages, type AgUiMessage } from "../wire/messages.ts";
import { resultMessage, withoutClientMessageId } from "../wire/result-message.ts";
import { calledId, interruptOfLane, messagesOfLane, ofLane } from "./called-events.ts";

type Opened = Pick<
  SubagentEventValue,
  "session_id" | "agent_name" | "parent_session_id" | "tool_call_id"
>;

export class CalledAgent {
  /** Its session, which is its lane in every run: a run that goes on after an answer continues the same work. */
  readonly id: string;
  /** The called agent that has called it; null for one that the reply itself has called. */
  readonly parent: CalledAgent | null;
  /** The call that opened its session, in the session above it. */
  readonly callId: string;
  /** The call of the reply itself that it is under. */
  readonly rootCallId: string;
  readonly #name: string;
  readonly #lanes = new OpenLanes();
  readonly #awaited = new AwaitedCalls();
  readonly #questions = new Map<string, ToolCallBlock>();
  readonly #sent = new Set<string>();
  #fold: ReplyFold | null = null;
  #replyId: string | null = null;
  #isOmitted = false;
  #isOver = false;
  #characters = 0;

  constructor(opened: Opened, parent: CalledAgent | null) {
    this.id = opened.session_id;
    this.parent = parent;
    this.callId = opened.tool_call_id;
    this.rootCallId = parent?.rootCallId ?? opened.tool_call_id;
    this.#name = opened.agent_name;
  }

  /** Its reply, or the call that it works for, has ended: later events are ignored. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Whether the event is of the reply that the agent was called for. */
  isOf({ reply_id }: Pick<LoggedEvent, "reply_id">): boolean {
    return this.#replyId !== null && reply_id === this.#replyId;
  }

  /** Whether `other` has called it, or what has called it, at any depth. */
  isUnder(other: CalledAgent): boolean {
    const { parent } = this;
    return parent !== null && (parent === other || parent.isUnder(other));
  }

  /** Approximate characters of what is kept of it. */
  get characters(): number {
    return this.#characters;
  }

  /** Starts, ends and questions alone are told of it. */
  get isOmitted(): boolean {
    return this.#isOmitted;
  }

  /** By the call's id: its questions that have no answer. */
  get questions(): ReadonlyMap<string, ToolCallBlock> {
    return this.#questions;
  }

  get started(): AgUiEvent {
    const { parent, callId } = this;
    return {
      type: "SUBAGENT_STARTED",
      subagentRunId: this.id,
      name: this.#name,
      ...(parent && { parentSubagentRunId: parent.id }),
      parentToolCallId: parent ? calledId(parent.id, callId) : callId,
    };
  }

  /** From now on starts, ends and questions alone are told of it. */
  omit(): void {
    this.#isOmitted = true;
  }

  /** @param snapshot For a text that differs from what was told of it. */
  push(event: LoggedEvent, snapshot: () => AgUiEvent): readonly AgUiEvent[] {
    if (this.#isOver) return [];
    if (event.type === "REPLY_START" && this.#replyId === null) {
      this.#fold = new ReplyFold(event);
      this.#replyId = event.reply_id;
    }
    const fold = this.#fold;
    if (!fold || !this.isOf(event)) return [];
    this.#characters += "delta" in event ? event.delta.length : EVENT_CHARACTERS;
    return this.#translate(event, fold, snapshot).map((told) => ofLane(this.id, told));
  }

  /** A question that it asks, as it is told behind the event in its own log. */
  ask(event: Announcement): void {
    if (this.#isOver || !this.isOf(event)) return;
    this.#awaited.announce(event);
    const state = event.type === "REQUIRE_USER_CONFIRM" ? "asking" : "submitted";
    for (const call of event.tool_calls) this.#questions.set(call.id, { ...call, state });
  }

  /** Calls that wait no more. */
  settle(callIds: readonly string[]): void {
    this.#awaited.answer(callIds);
    for (const id of callIds) this.#questions.delete(id);
  }

  /** Whether it can do nothing before somebody answers. @param isHeld Whether an agent that the call has called waits. */
  isWaiting(isHeld: (callId: string) => boolean): boolean {
    if (this.#isOver || !this.#fold) return false;
    const parked = findParkedCalls(this.#fold.message, this.#awaited.answered, {
      isHeld,
      isWorking: () => false,
    });
    // An answer may be told before the event that says it in the agent's own log.
    return parked?.waiting.every(({ id }) => this.#questions.has(id)) ?? false;
  }

  /** Its questions, each with the metadata of the event that asked. */
  get asked(): readonly AskedBlock[] {
    const { announcements } = this.#awaited;
    return [...this.#questions.values()].map((call) => ({
      call,
      metadata: announcements.get(call.id)?.metadata ?? {},
    }));
  }

  interrupts(reader: Answerer): readonly AgUiInterrupt[] {
    if (this.#replyId === null) return [];
    const { announcements } = this.#awaited;
    const asked = toInterrupts(this.#replyId, [...this.#questions.values()], announcements, reader);
    return asked.map((interrupt) => interruptOfLane(this.id, interrupt, this.rootCallId));
  }

  /** Nothing more is told of it. */
  end(): void {
    this.#isOver = true;
    this.#questions.clear();
  }

  closeLanes(): readonly AgUiEvent[] {
    return this.#lanes.closeAll().map((event) => ofLane(this.id, event));
  }

  reopenLanes(): readonly AgUiEvent[] {
    return this.#lanes.reopenAll().map((event) => ofLane(this.id, event));
  }

  /** Messages of the agent, as a client holds them. */
  messages(): readonly AgUiMessage[] {
    return this.#fold ? messagesOfLane(this.id, toAgUiMessages(this.#fold.message)) : [];
  }

  /** Gives up what a snapshot has of it. */
  forget(): void {
    this.#fold = null;
    this.#characters = 0;
  }

  #translate(event: LoggedEvent, fold: ReplyFold, snapshot: () => AgUiEvent): readonly AgUiEvent[] {
    switch (event.type) {
      case "TEXT_BLOCK_DELTA":
      case "TOOL_CALL_DELTA":
      case "TOOL_RESULT_TEXT_DELTA":
        fold.pushDelta(event);
        return translateDelta(event, this.#lanes, fold);
      case "TEXT_BLOCK_START": {
        const { block_id: id } = event;
        const isKnown = findBlock(fold.message, "text", id);
        fold.push(event);
        return isKnown ? [] : this.#lanes.open("text", id, textLane(id));
      }
      case "TEXT_BLOCK_END": {
        const text = findBlock(fold.message, "text", event.block_id)?.text;
        fold.push(event);
        const closed = this.#lanes.close("text", event.block_id);
        const isSame = text === undefined || event.text === null || event.text === text;
        return isSame ? closed : [...closed, snapshot()];
      }
      case "TOOL_CALL_START": {
        const { tool_call_id: id, tool_call_name: name } = event;
        const { content } = fold.message;
        const isKnown = findBlock(fold.message, "tool_call", id);
        fold.push(event);
        if (isKnown) return [];
        return this.#lanes.open("call", id, callLane(id, name, callParentId(content, id)));
      }
      case "TOOL_CALL_END": {
        const { tool_call_id: id } = event;
        const isOpen = this.#lanes.has("call", id);
        fold.push(event);
        // A part of its input was not told, because the run in which it began has ended.
        const isCut = !isOpen && !!findBlock(fold.message, "tool_call", id);
        return isCut ? [snapshot()] : this.#lanes.close("call", id);
      }
      case "TOOL_RESULT_START":
      case "TOOL_RESULT_DATA_DELTA":
        fold.push(event);
        return [];
      case "TOOL_RESULT_END":
        fold.push(event);
        this.settle([event.tool_call_id]);
        return this.#endResult(event.tool_call_id, fold);
      case "REQUIRE_USER_CONFIRM":
      case "REQUIRE_EXTERNAL_EXECUTION":
        fold.push(event);
        return [];
      case "USER_CONFIRM_RESULT":
        fold.push(event);
        this.settle(event.confirm_results.map(({ tool_call }) => tool_call.id));
        return [];
      case "EXTERNAL_EXECUTION_RESULT":
        fold.push(event);
        this.settle(event.execution_results.map(({ id }) => id));
        return [];
      case "CUSTOM":
        return this.#custom(event, fold, snapshot);
      default:
        return [];
    }
  }

  /** Changes by the session of what it had said: parts that it took back, and inputs that a person edited. */
  #custom(
    event: EventOf<"CUSTOM">,
    fold: ReplyFold,
    snapshot: () => AgUiEvent,
  ): readonly AgUiEvent[] {
    const before = fold.message;
    fold.push(event);
    const { message } = fold;
    const isTakenBack = event.name === REPLY_RECOVERED;
    const closed = isTakenBack ? this.#lanes.closeAll() : [];
    for (const id of this.#sent) {
      if (findBlock(message, "tool_result", id)?.state === "running") this.#sent.delete(id);
    }
    const isChanged = message !== before && (isTakenBack || event.name === TOOL_CALL_EDITED);
    return isChanged ? [...closed, snapshot()] : closed;
  }

  #endResult(callId: string, fold: ReplyFold): readonly AgUiEvent[] {
    const closed = this.#lanes.close("call", callId);
    const result = findBlock(fold.message, "tool_result", callId);
    if (!result || this.#sent.has(callId)) return closed;
    this.#sent.add(callId);
    const metadata = withoutClientMessageId(result.metadata);
    const { id: messageId, ...message } = resultMessage(fold.message.id, { ...result, metadata });
    return [...closed, { type: "TOOL_CALL_RESULT", messageId, ...message }];
  }
}

/** Characters that an event counts beyond its text. */
const EVENT_CHARACTERS = 256;
