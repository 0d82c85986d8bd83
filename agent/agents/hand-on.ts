// The events that a caller's log gets of a called agent's: batches by session, questions and their ends. Pure.
import {
  SUBAGENT_EVENT,
  SUBAGENT_REQUIRE_USER_CONFIRM,
  SUBAGENT_USER_CONFIRM_RESULT,
  subagentEventOf,
  subagentRequireUserConfirmOf,
  subagentUserConfirmResultOf,
  type SubagentEventValue,
  type SubagentRequireUserConfirmValue,
  type SubagentUserConfirmResultValue,
} from "../../protocol/agents/events.ts";
import {
  MAX_SUBAGENT_BYTES,
  MAX_SUBAGENT_TREE_BYTES,
  SUBAGENT_BATCH_BYTES,
} from "../../protocol/agents/limits.ts";
import type { EventDraft, LoggedEvent } from "../../protocol/events.ts";
import { utf8Bytes } from "../../protocol/utf8-bytes.ts";
import { endedCalls, isQuestion, type Question } from "./asked-calls.ts";

/** The place up to which a called agent's log was copied, and what that has cost. */
export interface Copied {
  /** Of the called session. */
  readonly seq: number;
  /** Bytes of open results, by the ids of their calls. */
  readonly results: Readonly<Record<string, number>>;
  /** Bytes of the agent's own events. */
  readonly bytes: number;
  /** Bytes of the events of those that it has called. */
  readonly below: number;
  /** The one or the other is more than a log takes. */
  readonly is_full?: true;
  readonly is_full_below?: true;
}

export const NOTHING_COPIED: Copied = { seq: 0, results: {}, bytes: 0, below: 0 };

/** A call that a reply waits for, with the agent that works for it. */
export interface CalledAgent {
  /** The reply that has called. */
  readonly reply_id: string;
  readonly tool_call_id: string;
  readonly session_id: string;
  readonly agent_id: string;
  readonly agent_name: string;
  /** The calling session. */
  readonly parent_session_id: string;
}

/** By the id of a worker's reply, its calls that wait. */
export type OpenQuestions = ReadonlyMap<string, WaitingCalls>;
export interface WaitingCalls {
  readonly session_id: string;
  readonly tool_call_ids: ReadonlySet<string>;
}

/** Behind the size that a log takes these follow alone. */
const ALWAYS: ReadonlySet<LoggedEvent["type"]> = new Set<LoggedEvent["type"]>([
  "REPLY_START",
  "REPLY_END",
  "REQUIRE_USER_CONFIRM",
  "REQUIRE_EXTERNAL_EXECUTION",
  "USER_CONFIRM_RESULT",
  "EXTERNAL_EXECUTION_RESULT",
]);

/**
 * The drafts for the caller's log. @param events Of the called session, as `copiedEvent` has left them. @param open The
 * questions under the call that wait before. @param room Bytes that the calling reply may still add.
 */
export function handOn(
  events: readonly LoggedEvent[],
  call: CalledAgent,
  copied: Copied,
  { open, room }: { readonly open: OpenQuestions; readonly room: number },
): { readonly drafts: readonly EventDraft[]; readonly copied: Copied } {
  const writer = new CopyWriter(call, copied, open, room);
  for (const event of events) writer.take(event);
  return writer.finish();
}

type Batch = Omit<SubagentEventValue, "events" | "omitted"> & {
  events: LoggedEvent[];
  bytes: number;
  isOmitted: boolean;
};

class CopyWriter {
  readonly #call: CalledAgent;
  readonly #drafts: EventDraft[] = [];
  readonly #open: Map<string, { session_id: string; ids: Set<string> }>;
  #copied: Copied;
  #room: number;
  #batch: Batch | null = null;

  constructor(call: CalledAgent, copied: Copied, open: OpenQuestions, room: number) {
    this.#call = call;
    this.#copied = copied;
    this.#room = room;
    this.#open = new Map(
      [...open].map(([id, { session_id, tool_call_ids }]) => [
        id,
        { session_id, ids: new Set(tool_call_ids) },
      ]),
    );
  }

  take(event: LoggedEvent): void {
    if (event.type !== "CUSTOM") return this.#takeOwn(event);
    const { name, value } = event;
    const { reply_id, tool_call_id } = this.#call;
    if (name === SUBAGENT_EVENT) {
      const told = subagentEventOf(value);
      if (told) this.#takeBelow({ ...told, reply_id });
    } else if (name === SUBAGENT_REQUIRE_USER_CONFIRM) {
      const asked = subagentRequireUserConfirmOf(value);
      if (asked) this.#ask({ ...asked, tool_call_id });
    } else if (name === SUBAGENT_USER_CONFIRM_RESULT) {
      const ended = subagentUserConfirmResultOf(value);
      if (ended) this.#end(ended.reply_id, ended.tool_call_ids);
    } else this.#takeOwn(event);
  }

  finish(): { readonly drafts: readonly EventDraft[]; readonly copied: Copied } {
    this.#flush();
    return { drafts: this.#drafts, copied: this.#copied };
  }

  #takeOwn(event: LoggedEvent): void {
    this.#add(this.#call, event, "bytes");
    if (isQuestion(event)) this.#ask(questionOf(event, this.#call));
    const ended = endedCalls(event);
    // Agents below an agent end with it.
    if (ended === null) for (const [id, { ids }] of this.#open) this.#end(id, [...ids]);
    else if ("reply_id" in event && event.reply_id !== undefined) this.#end(event.reply_id, ended);
  }

  #takeBelow({ events, omitted, ...source }: SubagentEventValue): void {
    for (const event of events) this.#add(source, event, "below");
    const isTold = this.#copied.is_full_below && this.#batch?.session_id !== source.session_id;
    if (omitted && !isTold) this.#batchOf(source).isOmitted = true;
  }

  #add(source: Omit<Batch, "events" | "bytes" | "isOmitted">, event: LoggedEvent, part: Part) {
    const isAlways = ALWAYS.has(event.type);
    const bytes = utf8Bytes(JSON.stringify(event));
    const { isFull, max } = PARTS[part];
    if (!this.#copied[isFull] && (this.#copied[part] + bytes > max || bytes > this.#room)) {
      this.#copied = { ...this.#copied, [isFull]: true };
      this.#batchOf(source).isOmitted = true;
    }
    if (this.#copied[isFull] && !isAlways) return;
    const batch = this.#batchOf(source);
    if (this.#copied[isFull]) batch.isOmitted = true;
    this.#copied = { ...this.#copied, [part]: this.#copied[part] + bytes };
    this.#room -= bytes;
    if (batch.events.length > 0 && batch.bytes + bytes > SUBAGENT_BATCH_BYTES) {
      const { isOmitted } = batch;
      this.#flush();
      const next = this.#batchOf(source);
      next.isOmitted = isOmitted;
      return push(next, event, bytes);
    }
    push(batch, event, bytes);
  }

  /** The batch that is open, if it is of this session; else a new one. */
  #batchOf(source: Omit<Batch, "events" | "bytes" | "isOmitted">): Batch {
    if (this.#batch?.session_id === source.session_id) return this.#batch;
    this.#flush();
    const { reply_id, tool_call_id, session_id, agent_id, agent_name, parent_session_id } = source;
    const of = { reply_id, tool_call_id, session_id, agent_id, agent_name, parent_session_id };
    this.#batch = { ...of, events: [], bytes: 0, isOmitted: false };
    return this.#batch;
  }

  #flush(): void {
    if (!this.#batch) return;
    const { events, bytes: _, isOmitted, ...source } = this.#batch;
    this.#batch = null;
    if (events.length === 0 && !isOmitted) return;
    const value = { ...source, events, ...(isOmitted && { omitted: true as const }) };
    this.#drafts.push(draftOf(SUBAGENT_EVENT, source.reply_id, value satisfies SubagentEventValue));
  }

  #ask(value: SubagentRequireUserConfirmValue): void {
    this.#flush();
    const { worker_session_id: session_id, reply_id, event } = value;
    const ids = this.#open.get(reply_id)?.ids ?? new Set();
    for (const { id } of event.tool_calls) ids.add(id);
    this.#open.set(reply_id, { session_id, ids });
    this.#drafts.push(draftOf(SUBAGENT_REQUIRE_USER_CONFIRM, this.#call.reply_id, { ...value }));
  }

  #end(workerReplyId: string, callIds: readonly string[]): void {
    const open = this.#open.get(workerReplyId);
    const ended = callIds.filter((id) => open?.ids.delete(id));
    if (!open || ended.length === 0) return;
    this.#flush();
    const { reply_id, tool_call_id } = this.#call;
    this.#drafts.push(
      endOfQuestion(reply_id, {
        worker_session_id: open.session_id,
        reply_id: workerReplyId,
        tool_call_ids: ended,
        tool_call_id,
      }),
    );
  }
}

type Part = "bytes" | "below";

const PARTS = {
  bytes: { isFull: "is_full", max: MAX_SUBAGENT_BYTES },
  below: { isFull: "is_full_below", max: MAX_SUBAGENT_TREE_BYTES },
} as const;

/** Deltas of a block that follow each other are one. */
function push(batch: Batch, event: LoggedEvent, bytes: number): void {
  batch.bytes += bytes;
  const last = batch.events.at(-1);
  const merged = last && mergeDeltas(last, event);
  if (merged) batch.events[batch.events.length - 1] = merged;
  else batch.events.push(event);
}

function mergeDeltas(one: LoggedEvent, other: LoggedEvent): LoggedEvent | null {
  if (!("delta" in one) || !("delta" in other)) return null;
  const isSame =
    one.type === other.type && one.reply_id === other.reply_id && blockOf(one) === blockOf(other);
  return isSame ? { ...one, delta: one.delta + other.delta, seq: other.seq } : null;
}

function blockOf(event: Extract<LoggedEvent, { delta: string }>): string {
  return "block_id" in event ? event.block_id : event.tool_call_id;
}

function questionOf(event: Question, call: CalledAgent): SubagentRequireUserConfirmValue {
  return {
    worker_session_id: call.session_id,
    worker_agent_id: call.agent_id,
    worker_agent_name: call.agent_name,
    reply_id: event.reply_id,
    event_type:
      event.type === "REQUIRE_USER_CONFIRM" ? "require_user_confirm" : "require_external_execution",
    event,
    created_at: event.created_at,
    tool_call_id: call.tool_call_id,
  };
}

/** The event that calls of a worker wait no more. @param replyId The reply of the log that it goes to. */
export function endOfQuestion(replyId: string, value: SubagentUserConfirmResultValue): EventDraft {
  return draftOf(SUBAGENT_USER_CONFIRM_RESULT, replyId, { ...value });
}

function draftOf(name: string, reply_id: string, value: object): EventDraft {
  return { type: "CUSTOM", name, reply_id, value: { ...value } };
}
