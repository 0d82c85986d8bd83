// Translates a reply's events into the updates of its task. Pure: the output depends on the log and the task's names alone.
import { A2A_EXTENSION } from "../../a2a/extension.ts";
import type { A2aMetadata, A2aStreamResponse, A2aTask, A2aTaskStatus } from "../../a2a/wire.ts";
import type { EventOf, LoggedEvent } from "../../events.ts";
import type { ToolCallBlock, ToolResultBlock } from "../../messages/blocks.ts";
import type { ErrorInfo, Msg } from "../../messages/messages.ts";
import { STRUCTURED_OUTPUT_TOOL } from "../../schemas/structured-output.ts";
import { speechChangeOf } from "../../voice/events.ts";
import { DIALECTS } from "../dialects.ts";
import { findBlock } from "../ag-ui/lanes/find-block.ts";
import { artifactsOf } from "./artifacts.ts";
import { ArtifactUpdates, type ArtifactChange } from "./artifact-updates.ts";
import { taskStatus, type A2aTaskNames, type TaskPhase } from "./task-status.ts";
import { usageOf } from "./to-a2a-task.ts";
import { TaskWaits } from "./task-waits.ts";

/** An update at its place: the seq of the event behind it, and its number among the updates of that event, from 1. */
export interface A2aFrame {
  readonly seq: number;
  readonly k: number;
  readonly response: A2aStreamResponse;
}

type Change = ArtifactChange | { readonly status: A2aTaskStatus; readonly metadata?: A2aMetadata };

const { write: writeId } = DIALECTS.a2a.cursor;

/** Our extension's member of an update's metadata. `seq` is the position of the update, as the id of its frame has it. */
export function placeMetadata(seq: number, k: number | null, more: A2aMetadata = {}): A2aMetadata {
  return { [A2A_EXTENSION]: { seq: writeId(seq, k), ...more } };
}

/** Must be given the events of one reply, from its `REPLY_START`; those of others have no effect. */
export class A2aTranslator {
  readonly #names: A2aTaskNames;
  readonly #artifacts = new ArtifactUpdates();
  #waits: TaskWaits | null = null;
  #status: TaskPhase = "submitted";
  #error: ErrorInfo | null = null;
  /** The time since which the status is so; null before the reply has begun. */
  #at: string | null = null;
  /** The time of the last event. */
  #lastAt = "";
  /** Position of the next update that no further event causes. */
  #place = { seq: 0, k: 1 };

  constructor(names: A2aTaskNames) {
    this.#names = names;
  }

  /** The task as the updates so far have made it. @param hasArtifacts Left out for a reader that has them. */
  task(hasArtifacts = true): A2aTask {
    const { task_id: id, context_id: contextId } = this.#names;
    const message = this.#waits?.message;
    const artifacts = hasArtifacts && message ? artifactsOf(message) : [];
    const shown = artifacts.length > 0 && { artifacts };
    return { id, contextId, status: this.#statusNow(), ...shown };
  }

  /** The artifacts of {@link task} that more is said in. */
  isOpen(artifactId: string): boolean {
    const message = this.#waits?.message;
    const block = message && findBlock(message, "text", artifactId);
    return block?.finished_at === null;
  }

  /** The task waits for its client, as its updates so far say. */
  get isWaiting(): boolean {
    return isWaiting(this.#status);
  }

  /** The task is over: nothing follows. */
  get isEnded(): boolean {
    return !WORKS.has(this.#status) && !isWaiting(this.#status);
  }

  push(event: LoggedEvent): readonly A2aFrame[] {
    if (event.reply_id !== this.#names.task_id || this.isEnded) return [];
    const waits = this.#waits;
    if (!waits) return event.type === "REPLY_START" ? this.#begin(event) : [];
    if (speechChangeOf(event)) return this.#takeSpeech(waits, event);
    waits.decide(event);
    const late = this.#park(waits);
    if (waits.isWaiting && waits.sleepsThrough(event)) return late;
    const goesOn = waits.isWaiting ? [this.#become("running", event.created_at)] : [];
    if (waits.isWaiting) waits.wake();
    const changes = [...goesOn, ...this.#translate(waits, event)];
    this.#lastAt = event.created_at;
    const frames = this.#placed(event.seq, changes);
    return [...late, ...frames, ...this.#park(waits)];
  }

  /** The updates that are due when no event follows for now. */
  flush(): readonly A2aFrame[] {
    const waits = this.#waits;
    if (!waits || this.isEnded) return [];
    waits.flush();
    return this.#park(waits);
  }

  /** Speech changes no status: a task that waits, or may, shows it when it is asked for. */
  #takeSpeech(waits: TaskWaits, event: LoggedEvent): readonly A2aFrame[] {
    const before = waits.message;
    waits.push(event);
    if (waits.isWaiting || waits.mayWait) return [];
    return this.#placed(event.seq, this.#compare(event, before, waits.message));
  }

  #begin(start: LoggedEvent & EventOf<"REPLY_START">): readonly A2aFrame[] {
    this.#waits = new TaskWaits(start);
    this.#lastAt = start.created_at;
    return this.#placed(start.seq, [this.#become("running", start.created_at)]);
  }

  /** The update of a task that waits from now on, behind the last event, whoever reads it when. */
  #park(waits: TaskWaits): readonly A2aFrame[] {
    if (!waits.isWaiting || this.#status !== "running") return [];
    const change = this.#become("awaiting_permission", this.#lastAt);
    const { seq, k } = this.#place;
    this.#place = { seq, k: k + 1 };
    return [this.#frame(seq, k, change)];
  }

  #translate(waits: TaskWaits, event: LoggedEvent): readonly Change[] {
    switch (event.type) {
      case "TEXT_BLOCK_DELTA":
        waits.push(event);
        return this.#artifacts.appendText(event.block_id, event.delta);
      case "THINKING_BLOCK_DELTA":
      case "TOOL_CALL_DELTA":
      case "TOOL_RESULT_TEXT_DELTA":
        waits.push(event);
        return [];
      default: {
        const before = waits.message;
        waits.push(event);
        return this.#compare(event, before, waits.message);
      }
    }
  }

  #compare(event: LoggedEvent, before: Msg, after: Msg): readonly Change[] {
    switch (event.type) {
      case "TEXT_BLOCK_START":
        this.#artifacts.beginText(event.block_id);
        return [];
      case "TEXT_BLOCK_END":
      case "DATA_BLOCK_END":
      case "CUSTOM":
        return this.#artifacts.compare(before, after);
      case "TOOL_CALL_END":
        return this.#tellCall(event, findBlock(after, "tool_call", event.tool_call_id));
      case "TOOL_RESULT_END":
        return this.#tellCall(event, findBlock(after, "tool_result", event.tool_call_id));
      case "REPLY_END":
        this.#error = event.error;
        return [{ ...this.#become(event.finished_reason, event.created_at), ...used(after) }];
      default:
        return [];
    }
  }

  /** Its name and state: what it was given and has brought stays inside. */
  #tellCall(
    { created_at }: LoggedEvent,
    block: ToolCallBlock | ToolResultBlock | undefined,
  ): readonly Change[] {
    if (!block || block.name === STRUCTURED_OUTPUT_TOOL) return [];
    const tool_call = { call_id: block.id, tool: block.name, state: block.state };
    this.#at = created_at;
    return [{ status: this.#statusNow(), metadata: { tool_call } }];
  }

  #become(status: TaskPhase, at: string): Change {
    this.#status = status;
    this.#at = at;
    return { status: this.#statusNow() };
  }

  #statusNow(): A2aTaskStatus {
    const asked = (isWaiting(this.#status) && this.#waits?.asked) || [];
    const state = { status: this.#status, asked, error: this.#error, at: this.#at };
    return taskStatus(this.#names, state);
  }

  #placed(seq: number, changes: readonly Change[]): readonly A2aFrame[] {
    this.#place = { seq, k: changes.length + 1 };
    return changes.map((change, index) => this.#frame(seq, index + 1, change));
  }

  #frame(seq: number, k: number, change: Change): A2aFrame {
    const { task_id: taskId, context_id: contextId } = this.#names;
    const names = { taskId, contextId };
    if ("artifact" in change) {
      const artifactUpdate = { ...names, ...change, metadata: placeMetadata(seq, k) };
      return { seq, k, response: { artifactUpdate } };
    }
    const { status, metadata } = change;
    const statusUpdate = { ...names, status, metadata: placeMetadata(seq, k, metadata) };
    return { seq, k, response: { statusUpdate } };
  }
}

/** Metadata of the last status: what the task has used. */
function used(message: Msg): { readonly metadata?: A2aMetadata } {
  const usage = usageOf(message);
  return usage ? { metadata: { ...usage } } : {};
}

const WORKS: ReadonlySet<TaskPhase> = new Set(["submitted", "running"]);

function isWaiting(status: TaskPhase): boolean {
  return status === "awaiting_permission" || status === "awaiting_external_result";
}
