// One reply's events as AG-UI's. A reply is one run, or several: each time that it waits for somebody a run ends.
import { REPLY_RECOVERED, TOOL_CALL_EDITED } from "../../append-custom.ts";
import type { AgentEvent, EventOf } from "../../events.ts";
import type { Msg } from "../../messages.ts";
import type { AgUiEvent, AgUiOutcome, AgUiRun } from "./events.ts";
import { findBlock } from "./find-block.ts";
import { toInterrupts, type Announcement } from "./interrupts.ts";
import { callLane, reasoningLane, stepLane, textLane } from "./lanes.ts";
import * as content from "./messages.ts";
import { messagesSnapshot, type MessagesSnapshot } from "./messages-snapshot.ts";
import { OpenLanes } from "./open-lanes.ts";
import { findParkedCalls, tellsOfPark } from "./parked-calls.ts";
import { ReplyFold, type TextDelta } from "./reply-fold.ts";
import { RunUsage } from "./run-usage.ts";
import { activity, logged, signature } from "./side-events.ts";

/** Of these nothing is told, or not yet: a result is told when it has ended. */
type UntoldEvent = EventOf<
  | "REPLY_START"
  | "DATA_BLOCK_DELTA"
  | "TOOL_RESULT_START"
  | "TOOL_RESULT_DATA_DELTA"
  | "EXCEED_MAX_ITERS"
>;

export class ReplyTranslation {
  readonly run: AgUiRun;
  readonly #fold: ReplyFold;
  readonly #lanes = new OpenLanes();
  readonly #announcements = new Map<string, Announcement>();
  /** Calls whose result somebody outside has given. */
  readonly #answered = new Set<string>();
  /** Results that were told. */
  readonly #told = new Set<string>();
  #usage = new RunUsage();
  #modelCalls = 0;
  #model = "";
  #end: AgUiEvent | null = null;
  #isOver = false;
  /** Calls wait, and others stand by: the next event, or the stream's end, tells whether this is a park. */
  #mayBeParked = false;

  constructor(start: EventOf<"REPLY_START">) {
    this.run = { threadId: start.session_id, runId: start.reply_id };
    this.#fold = new ReplyFold(start);
  }

  /** What ended the newest run; null while one goes on. */
  get end(): AgUiEvent | null {
    return this.#end;
  }

  /** `REPLY_END` came: nothing of this reply counts any more. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** The reply goes on after it had waited. The new run counts its own tokens only. */
  resume(): void {
    this.#end = null;
    this.#usage = new RunUsage();
  }

  /** The reply's messages as they are now, and what opens again that is open. */
  show(): { readonly snapshot: MessagesSnapshot; readonly open: readonly AgUiEvent[] } {
    return { snapshot: messagesSnapshot(this.#fold.message), open: this.#lanes.reopenAll() };
  }

  /** Ends the run with an interrupt if calls seem to wait, now that nothing else has followed. */
  rest(): AgUiEvent[] {
    return this.#mayBeParked ? this.#park(false) : [];
  }

  /** As {@link rest}, if `event`, which comes next, says that they did. */
  restBefore(event: AgentEvent): AgUiEvent[] {
    if (!this.#mayBeParked) return [];
    const wasParked = tellsOfPark(event, this.#fold.message, this.#answered);
    const events = wasParked ? this.#park(false) : [];
    this.#mayBeParked = false;
    return events;
  }

  /** Another reply begins before this one has ended. */
  abandon(): AgUiEvent[] {
    return this.#end ? [] : this.#finish({ type: "cancelled" });
  }

  push(event: AgentEvent): readonly AgUiEvent[] {
    switch (event.type) {
      case "TEXT_BLOCK_DELTA":
      case "THINKING_BLOCK_DELTA":
        return this.#grow(event);
      case "TOOL_CALL_DELTA": {
        const { tool_call_id, delta } = event;
        this.#fold.pushDelta(event);
        return delta && this.#lanes.has("call", tool_call_id)
          ? [{ type: "TOOL_CALL_ARGS", toolCallId: tool_call_id, delta }]
          : [];
      }
      case "TOOL_RESULT_TEXT_DELTA":
        this.#fold.pushDelta(event);
        return [];
      default: {
        const before = this.#fold.message;
        this.#fold.push(event);
        return this.#translate(event, before);
      }
    }
  }

  #translate(event: Exclude<AgentEvent, TextDelta>, before: Msg): readonly AgUiEvent[] {
    switch (event.type) {
      // Of a second block with the same id nothing is ever seen: all that names it is the first one's.
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
        return this.#lanes.close("call", event.tool_call_id);
      case "TOOL_RESULT_END":
        return this.#endResult(event);
      case "REQUIRE_USER_CONFIRM":
      case "REQUIRE_EXTERNAL_EXECUTION":
        for (const { id } of event.tool_calls) this.#announcements.set(id, event);
        return this.#park(true);
      case "USER_CONFIRM_RESULT":
        return [logged(event.type, { confirm_results: event.confirm_results })];
      case "EXTERNAL_EXECUTION_RESULT":
        for (const { id } of event.execution_results) this.#answered.add(id);
        return [logged(event.type, { execution_results: event.execution_results })];
      case "USER_INTERRUPT":
        return [logged(event.type, {})];
      case "MODEL_CALL_START": {
        const closed = this.#lanes.close("step", this.#step);
        this.#modelCalls += 1;
        this.#model = event.model_name;
        return [...closed, ...this.#lanes.open("step", this.#step, stepLane(this.#step))];
      }
      case "MODEL_CALL_END":
        if (event.finished_reason === "completed") this.#usage.add(this.#model, event);
        return this.#lanes.close("step", this.#step);
      case "CUSTOM":
        return this.#custom(event, before);
      case "REPLY_END":
        return this.#endReply(event);
      default:
        return ignore(event);
    }
  }

  get #step(): string {
    return `model_call:${this.#modelCalls}`;
  }

  #grow(event: EventOf<"TEXT_BLOCK_DELTA" | "THINKING_BLOCK_DELTA">): readonly AgUiEvent[] {
    const { block_id: messageId, delta } = event;
    const isText = event.type === "TEXT_BLOCK_DELTA";
    const kind = isText ? "text" : "reasoning";
    const type = isText ? "TEXT_MESSAGE_CONTENT" : "REASONING_MESSAGE_CONTENT";
    this.#fold.pushDelta(event);
    if (delta === "") return [];
    if (this.#lanes.has(kind, messageId)) return [{ type, messageId, delta }];
    // What comes after the END counts too: its message is opened again for it.
    if (!findBlock(this.#fold.message, isText ? "text" : "thinking", messageId)) return [];
    const { starts, ends } = isText ? textLane(messageId) : reasoningLane(messageId);
    return [...starts, { type, messageId, delta }, ...ends];
  }

  /** An END that brings another text than the deltas did can only be told by a snapshot. */
  #endText({ block_id, text }: EventOf<"TEXT_BLOCK_END">, before: Msg): readonly AgUiEvent[] {
    const block = findBlock(before, "text", block_id);
    const closed = this.#lanes.close("text", block_id);
    const isSame = !block || text === null || text === block.text;
    return isSame ? closed : [...closed, messagesSnapshot(this.#fold.message)];
  }

  #endResult({ tool_call_id: id, state }: EventOf<"TOOL_RESULT_END">): readonly AgUiEvent[] {
    const result = findBlock(this.#fold.message, "tool_result", id);
    if (!result || this.#told.has(id)) return [];
    this.#told.add(id);
    const told: AgUiEvent = {
      type: "TOOL_CALL_RESULT",
      messageId: content.resultMessageId(this.run.runId, id),
      toolCallId: id,
      role: "tool",
      content: content.resultContent(result.output),
      metadata: { agentscope: { state: result.state } },
    };
    // Calls that are brought to their end together are not waited for one by one.
    const parked = state === "interrupted" ? [] : this.#park(true);
    return [...this.#lanes.close("call", id), told, ...parked];
  }

  #custom({ name, value }: EventOf<"CUSTOM">, before: Msg): readonly AgUiEvent[] {
    const { message } = this.#fold;
    const event: AgUiEvent = { type: "CUSTOM", name, value };
    if (name === REPLY_RECOVERED) return this.#takeBack(before);
    if (name === TOOL_CALL_EDITED && message !== before) return [event, messagesSnapshot(message)];
    return [event];
  }

  /** What the client has of it is closed, and taken away by a snapshot; what comes instead has ids of its own. */
  #takeBack(before: Msg): readonly AgUiEvent[] {
    const { message } = this.#fold;
    const closed = this.#lanes.closeAll();
    if (message === before) return closed;
    const discarded = before.content.flatMap(({ type, id }) =>
      type === "thinking" && !findBlock(message, type, id) ? [id] : [],
    );
    for (const id of this.#told) {
      if (findBlock(message, "tool_result", id)?.state === "running") this.#told.delete(id);
    }
    return [...closed, messagesSnapshot(message, discarded)];
  }

  #endReply({ finished_reason, error }: EventOf<"REPLY_END">): readonly AgUiEvent[] {
    this.#isOver = true;
    switch (finished_reason) {
      case "completed":
        return this.#finish({ type: "success" });
      case "interrupted":
        return this.#finish({ type: "cancelled" });
      case "exceed_max_iters":
        return this.#fail("The reply reached its limit of rounds.", finished_reason);
      case "error":
        return this.#fail(error?.message ?? "The reply failed.", error?.type ?? "unknown");
      default:
        return finished_reason satisfies never;
    }
  }

  #park(mustBeCertain: boolean): AgUiEvent[] {
    if (this.#end || this.#lanes.hasStep()) return [];
    const parked = findParkedCalls(this.#fold.message, this.#answered);
    if (!parked) return [];
    this.#mayBeParked = mustBeCertain && !parked.isCertain;
    if (this.#mayBeParked) return [];
    const interrupts = toInterrupts(this.run.runId, parked.waiting, this.#announcements);
    return this.#finish({ type: "interrupt", interrupts });
  }

  #finish(outcome: AgUiOutcome): AgUiEvent[] {
    const { structured_output } = this.#fold.message;
    return this.#terminate({
      type: "RUN_FINISHED",
      ...this.run,
      outcome,
      ...(outcome.type === "success" && structured_output && { result: structured_output }),
      ...this.#usage.toMember(),
    });
  }

  #fail(message: string, code: string): AgUiEvent[] {
    return this.#terminate({ type: "RUN_ERROR", message, code, ...this.#usage.toMember() });
  }

  #terminate(end: AgUiEvent): AgUiEvent[] {
    this.#end = end;
    return [...this.#lanes.closeAll(), end];
  }
}

/** Also one of a type that this version does not know; the compiler sees to it that every other has its case. */
function ignore(_event: UntoldEvent): readonly AgUiEvent[] {
  return [];
}
