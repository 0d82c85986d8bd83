// A session's log as the events of AG-UI 1.0. Pure: what an event becomes follows from the events of its reply before it.
import type { AgentEvent, EventOf, LoggedEvent } from "../../events.ts";
import type { Msg } from "../../messages.ts";
import { AG_UI_PROTOCOL_VERSION, type AgUiEvent, type AgUiFrame } from "./events.ts";
import { toAgUiMessages, type AgUiMessage } from "./messages.ts";
import { ReplyTranslation } from "./reply-translation.ts";

const MESSAGE_ADDED = "message_added";

/** Begins before a `REPLY_START`, or before the `message_added` that go with it, and sees every event from there on. */
export class AgUiTranslator {
  #reply: ReplyTranslation | null = null;
  /** What was said since the last run began, for the next run's input. */
  #said: AgUiMessage[] = [];
  /** Where the next frame stands when no further event brings it. */
  #place = { seq: 0, k: 1 };

  /** The reply whose events it has seen from the first on; null before any. */
  get replyId(): string | null {
    return this.#reply?.run.runId ?? null;
  }

  push(event: LoggedEvent): readonly AgUiFrame[] {
    // Its place is that of the event after which the reply waited, so that it is the same for those who saw it wait.
    const reply = this.#reply;
    const late = this.#framesOf(reply && isOf(event, reply) ? reply.restBefore(event) : []);
    const events = this.#translate(event);
    const isDelta = event.type.endsWith("_DELTA");
    const timestamp = isDelta ? Number.NaN : Date.parse(event.created_at);
    const frames = events.map((translated, index) => ({
      seq: event.seq,
      k: index + 1,
      event: Number.isSafeInteger(timestamp) ? { ...translated, timestamp } : translated,
    }));
    this.#place = { seq: event.seq, k: frames.length + 1 };
    return late.length === 0 ? frames : [...late, ...frames];
  }

  /**
   * Nothing follows for now: the stream has ended, or is silent. If calls wait, that is now told; whether a reply waits
   * for them or is about to start others cannot always be seen before.
   */
  rest(): readonly AgUiFrame[] {
    return this.#framesOf(this.#reply?.rest() ?? []);
  }

  /**
   * What a client that has seen nothing needs in front of the frames that follow: the run, the messages as they are now
   * (`withHistory` adds those before the reply), and what is open. Of a reply that has ended, or waits, how.
   */
  join(): readonly AgUiEvent[] {
    const reply = this.#reply;
    if (!reply) return [];
    const { snapshot, open } = reply.show();
    return [this.#runStarted(reply, []), snapshot, ...(reply.end ? [reply.end] : open)];
  }

  /** Frames at the place behind the last one. */
  #framesOf(events: readonly AgUiEvent[]): readonly AgUiFrame[] {
    if (events.length === 0) return [];
    const { seq, k } = this.#place;
    this.#place = { seq, k: k + events.length };
    return events.map((event, index) => ({ seq, k: k + index, event }));
  }

  #translate(event: LoggedEvent): readonly AgUiEvent[] {
    if (event.type === "REPLY_START") return this.#start(event);
    const reply = this.#reply;
    if (event.type === "CUSTOM" && event.reply_id === undefined) return this.#outside(event);
    if (!reply || reply.isOver || !isOf(event, reply)) return [];
    if (reply.end === null) return reply.push(event);
    reply.resume();
    const started = this.#begin(reply);
    return [...started, ...reply.push(event)];
  }

  #start(event: EventOf<"REPLY_START">): readonly AgUiEvent[] {
    if (this.#reply && isOf(event, this.#reply)) return [];
    const abandoned = this.#reply?.abandon() ?? [];
    this.#reply = new ReplyTranslation(event);
    return [...abandoned, ...this.#begin(this.#reply)];
  }

  #begin(reply: ReplyTranslation): readonly AgUiEvent[] {
    const started = this.#runStarted(reply, this.#said);
    this.#said = [];
    return [started];
  }

  #runStarted({ run }: ReplyTranslation, messages: readonly AgUiMessage[]): AgUiEvent {
    return {
      type: "RUN_STARTED",
      ...run,
      protocolVersion: AG_UI_PROTOCOL_VERSION,
      ...(messages.length > 0 && { input: { ...run, messages, tools: [], context: [] } }),
    };
  }

  /** Of no reply. */
  #outside({ name, value }: EventOf<"CUSTOM">): readonly AgUiEvent[] {
    if (name === MESSAGE_ADDED) {
      // The log's own word for it, which nobody else can write.
      this.#said.push(...toAgUiMessages(value["message"] as Msg));
      return [];
    }
    // Between two runs nothing can be told.
    return this.#reply?.end === null ? [{ type: "CUSTOM", name, value }] : [];
  }
}

function isOf(event: AgentEvent, { run }: ReplyTranslation): boolean {
  return event.reply_id === run.runId;
}
