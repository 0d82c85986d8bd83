// Follows from the log when a task waits for its client. No single event says it: a reply waits when calls ask, or agents
// that it has called do, and nothing else runs or may start.
import type { AgentEvent, EventOf } from "../../events.ts";
import { REPLY_RECOVERED } from "../../fold/append-custom.ts";
import { elicitationOf } from "../../mcp/events.ts";
import { authorizationOf } from "../../messages/authorization.ts";
import type { ToolCallBlock } from "../../messages/blocks.ts";
import type { Msg } from "../../messages/messages.ts";
import { CalledAgents } from "../ag-ui/called/called-agents.ts";
import { findBlock } from "../ag-ui/lanes/find-block.ts";
import { ReplyFold } from "../ag-ui/reply-fold.ts";
import { AwaitedCalls } from "../ag-ui/runs/awaited-calls.ts";
import { confirmsPark, findParkedCalls } from "../ag-ui/runs/parked-calls.ts";
import { ofCall, questionOf, type AskedBlock } from "../ag-ui/runs/waiting-outcome.ts";
import type { AgUiEvent } from "../ag-ui/wire/events.ts";
import type { AskedCall } from "./questions.ts";

export class TaskWaits {
  readonly #fold: ReplyFold;
  readonly #called = new CalledAgents();
  readonly #awaited = new AwaitedCalls();
  readonly #ended = new Set<string>();
  #waiting: readonly ToolCallBlock[] | null = null;
  #isCalling = false;
  #mayWait = false;

  constructor(start: EventOf<"REPLY_START">) {
    this.#fold = new ReplyFold(start);
  }

  get message(): Msg {
    return this.#fold.message;
  }

  get isWaiting(): boolean {
    return this.#waiting !== null;
  }

  /** Whether only the next event, or that none follows, decides if it waits. */
  get mayWait(): boolean {
    return this.#mayWait;
  }

  /** The calls that it waits for: its own, then those of agents that it has called. */
  get asked(): readonly AskedCall[] {
    const own = (this.#waiting ?? []).map((call) => ({
      call,
      metadata: this.#awaited.announcements.get(call.id)?.metadata ?? {},
    }));
    return [...own, ...this.#called.asked].map(toAsked);
  }

  /** No event follows for now. */
  flush(): void {
    if (this.#mayWait) this.#look(false);
  }

  /** `event` is the next one: it shows whether the task waited before it. */
  decide(event: AgentEvent): void {
    if (!this.#mayWait) return;
    if (confirmsPark(event, this.#fold.message, this.#awaited.answered)) this.#look(false);
    this.#mayWait = false;
  }

  /** Whether the event leaves a waiting task as it is: an agent that it has called works on, and asks nothing new. */
  sleepsThrough(event: AgentEvent): boolean {
    return event.type === "CUSTOM" && this.#called.sleepsThrough(event);
  }

  /** A waiting task goes on. */
  wake(): void {
    this.#waiting = null;
    this.#called.wake();
  }

  push(event: AgentEvent): void {
    switch (event.type) {
      case "TEXT_BLOCK_DELTA":
      case "THINKING_BLOCK_DELTA":
      case "TOOL_CALL_DELTA":
      case "TOOL_RESULT_TEXT_DELTA":
        this.#fold.pushDelta(event);
        break;
      default:
        this.#fold.push(event);
        this.#note(event);
    }
  }

  #note(event: AgentEvent): void {
    switch (event.type) {
      case "MODEL_CALL_START":
      case "MODEL_CALL_END":
        this.#isCalling = event.type === "MODEL_CALL_START";
        break;
      case "REQUIRE_USER_CONFIRM":
      case "REQUIRE_EXTERNAL_EXECUTION":
        this.#awaited.announce(event);
        this.#look(true);
        break;
      case "EXTERNAL_EXECUTION_RESULT":
        this.#awaited.answer(event.execution_results.map(({ id }) => id));
        break;
      case "TOOL_RESULT_END":
        this.#endCall(event);
        break;
      case "CUSTOM":
        if (event.name === REPLY_RECOVERED) this.#takeBack();
        else if (this.#called.take(event, () => UNSEEN)) this.#look(true);
        break;
      default:
    }
  }

  #endCall({ tool_call_id: id, state }: EventOf<"TOOL_RESULT_END">): void {
    if (this.#ended.has(id) || !findBlock(this.#fold.message, "tool_result", id)) return;
    this.#ended.add(id);
    this.#called.endCall(id, state);
    // Results of an interrupted turn end together; the reply does not wait between them.
    if (state !== "interrupted") this.#look(true);
  }

  #takeBack(): void {
    this.#isCalling = false;
    for (const id of this.#ended) {
      const isRunning = findBlock(this.#fold.message, "tool_result", id)?.state === "running";
      if (isRunning) this.#ended.delete(id);
    }
  }

  #look(mustBeCertain: boolean): void {
    if (this.isWaiting || this.#isCalling) return;
    const parked = findParkedCalls(this.#fold.message, this.#awaited.answered, this.#called);
    if (!parked) return;
    this.#mayWait = mustBeCertain && !parked.isCertain && !parked.hasHeld;
    if (this.#mayWait) return;
    this.#called.isAsleep = parked.hasWorking;
    this.#waiting = parked.waiting;
  }
}

/** A frame of AG-UI that nobody is sent. */
const UNSEEN: AgUiEvent = { type: "CUSTOM", name: "", value: {} };

function toAsked({ call, metadata }: AskedBlock): AskedCall {
  const isConfirmation = call.state === "asking";
  const elicitation = isConfirmation ? null : elicitationOf(metadata, call.id);
  const authorization = isConfirmation ? null : authorizationOf(metadata, call.id);
  const question = questionOf(metadata, call.id);
  return {
    kind: isConfirmation ? "permission" : "external_result",
    tool_call: call,
    input_hash: (isConfirmation && ofCall(metadata["input_hashes"], call.id)) || null,
    expires_at: ofCall(metadata["expires_at"], call.id) ?? null,
    ...(question !== undefined && { question }),
    ...(elicitation && { elicitation }),
    ...(authorization && { authorization }),
  };
}
