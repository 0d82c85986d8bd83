// The turn of one agent in a room: a reply, translated as that of a session, as a lane of the room's run.
import type { LoggedEvent } from "../../../events.ts";
import { AgUiTranslator, type AgUiOptions } from "../ag-ui-translator.ts";
import type { AgUiHistory } from "../history.ts";
import type { AgUiEvent, AgUiFrame, AgUiInterrupt } from "../wire/events.ts";
import type { AgUiMessage } from "../wire/messages.ts";
import { interruptOfTurn, messagesOfTurn, ofTurn, type Speaker } from "./turn-events.ts";

/** The end of a turn: well, or with a code. */
export type TurnLaneEnd = { readonly code: string; readonly message: string } | null;

/** The start of a called agent's lane. */
export type CalledStart = Extract<AgUiEvent, { type: "SUBAGENT_STARTED" }>;

/** Activities and shared state are of a participant's session, and no part of the room. */
const NO_HISTORY: AgUiHistory = { activities: [], stateAt: () => ({}) };

const STOPPED = { code: "interrupted", message: "The turn was stopped." } as const;

export class TurnLane {
  readonly speaker: Speaker;
  readonly #translator: AgUiTranslator;
  #replyId: string | null = null;
  #sessionId = "";
  /** Agents that it has called, by the ids of their lanes. */
  readonly called = new Map<string, CalledStart>();
  /** Set while nothing can go on in it before somebody answers. */
  interrupts: readonly AgUiInterrupt[] = [];
  /** Undefined until it has ended. */
  end: TurnLaneEnd | undefined = undefined;

  constructor(speaker: Speaker, reader: Pick<AgUiOptions, "mayEdit" | "mustSendHash">) {
    this.speaker = speaker;
    this.#translator = new AgUiTranslator(NO_HISTORY, reader);
  }

  get isHeld(): boolean {
    return this.end === undefined && this.interrupts.length > 0;
  }

  /** Whether the event is of its reply. */
  isOf({ reply_id }: Pick<LoggedEvent, "reply_id">): boolean {
    return this.#replyId !== null && reply_id === this.#replyId;
  }

  /** @returns What the room tells of it; a `MESSAGES_SNAPSHOT` has the turn's messages alone. */
  push(event: LoggedEvent): readonly AgUiEvent[] {
    if (this.end !== undefined) return [];
    if (event.type === "REPLY_START" && this.#replyId === null) {
      this.#replyId = event.reply_id;
      this.#sessionId = event.session_id;
    }
    // A turn that may wait is one that waits: whether it does must not depend on when a reader looks.
    return this.#take([...this.#translator.push(event), ...this.#translator.flush()]);
  }

  /** The turn has ended before its reply. */
  stop(event: LoggedEvent, code: string): readonly AgUiEvent[] {
    if (this.end !== undefined) return [];
    const { id, created_at, seq } = event;
    const told =
      this.#replyId === null
        ? []
        : this.#take(
            this.#translator.push({
              type: "REPLY_END",
              id,
              created_at,
              seq,
              metadata: {},
              session_id: this.#sessionId,
              reply_id: this.#replyId,
              finished_reason: "interrupted",
              error: null,
            }),
          );
    this.end = { ...STOPPED, code };
    return told;
  }

  /** Its messages as a client holds them. */
  get messages(): readonly AgUiMessage[] {
    const snapshot = this.#translator.join().find(({ type }) => type === "MESSAGES_SNAPSHOT");
    const messages = snapshot?.type === "MESSAGES_SNAPSHOT" ? snapshot.messages : [];
    return messagesOfTurn(this.speaker, messages);
  }

  /** The starts of what is open in it, for a reader that joins and knows the lanes. */
  reopen(): readonly AgUiEvent[] {
    if (this.end !== undefined || this.isHeld) return [];
    const shown = this.#translator.join();
    const from = shown.findIndex(({ type }) => type === "MESSAGES_SNAPSHOT");
    const open = shown.slice(from + 1).filter(({ type }) => type !== "SUBAGENT_STARTED");
    return open.flatMap((event) => ofTurn(this.speaker, event) ?? []);
  }

  #take(frames: readonly AgUiFrame[]): readonly AgUiEvent[] {
    return frames.flatMap(({ event }, index): readonly AgUiEvent[] => {
      switch (event.type) {
        case "RUN_STARTED":
          this.interrupts = [];
          return [];
        case "RUN_FINISHED":
          this.#finish(event);
          return [];
        case "RUN_ERROR":
          this.#end({ code: event.code, message: event.message });
          return [];
        case "MESSAGES_SNAPSHOT": {
          const next = frames[index + 1]?.event;
          // The room's run may go on while the turn waits.
          if (next?.type === "RUN_FINISHED") return [];
          return [{ ...event, messages: messagesOfTurn(this.speaker, event.messages) }];
        }
        default: {
          const told = ofTurn(this.speaker, event);
          if (told?.type === "SUBAGENT_STARTED") this.called.set(told.subagentRunId, told);
          return told ? [told] : [];
        }
      }
    });
  }

  #finish({ outcome }: Extract<AgUiEvent, { type: "RUN_FINISHED" }>): void {
    if (outcome?.type === "interrupt") {
      this.interrupts = outcome.interrupts.map((asked) => interruptOfTurn(this.speaker, asked));
      return;
    }
    this.#end(outcome?.type === "cancelled" ? STOPPED : null);
  }

  #end(end: TurnLaneEnd): void {
    this.end = end;
    this.interrupts = [];
  }
}
