// Acts of a voice connection on its session: it places what the user says, begins and interrupts replies, notes what was
// heard. One act after the other, each by the way that requests take.
import { acceptedMetadata } from "../../agent/answers/answer-refusal.ts";
import type {
  SpokenTurn,
  TurnMessage,
  VoiceEffect,
} from "../../agent/voice/engine/voice-effect.ts";
import type { SessionInput } from "../../agent/voice/engine/voice-input.ts";
import { MAX_UNSETTLED_TURNS } from "../../agent/voice/limits.ts";
import type { Refusal } from "../../protocol/errors.ts";
import { TextBlockSchema, type DataBlock, type TextBlock } from "../../protocol/messages/blocks.ts";
import type { InputMessage } from "../../protocol/replies/contract.ts";
import {
  SPEECH,
  type SPEECH_KEPT,
  SPEECH_SAID,
  SPEECH_TRANSCRIBED,
  SPEECH_TRUNCATED,
  speakerOf,
  type SpeechChange,
  type SpeechMark,
} from "../../protocol/voice/events.ts";
import { addAudio } from "../../protocol/fold/add-usage.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import { decidedBy } from "../acts/confirmations.ts";
import type { Actor } from "../api/session-api.ts";
import { observeMessages } from "../sessions/observe.ts";
import type { OpenSession } from "../sessions/open-session.ts";
import { changeQueued } from "../tables/queued-speech.ts";
import { changeMessage } from "./change-message.ts";

type ActEffect = Extract<
  VoiceEffect,
  {
    type: "place_message" | "begin_reply" | "interrupt_reply" | "transcribed" | "truncate" | "said";
  }
>;

interface ActsOptions {
  readonly session: OpenSession;
  /** The actor of what is done at this moment. */
  readonly actor: () => Actor;
  readonly tell: (input: SessionInput) => void;
  /** A reply that is about to begin is said aloud. Called before anything of it runs. */
  readonly speaksReply: (replyId: string) => void;
  /** Pictures that go with the next message. */
  readonly takePictures: () => readonly DataBlock[];
  /** The message of a turn has its place, or waits in the queue. */
  readonly placed: (item: number, messageId: string) => void;
}

/** The audio of a message is a file. */
export type KeptChange = Extract<SpeechChange, { name: typeof SPEECH_KEPT }>;

type NewMessage = InputMessage & { readonly id: string };

type EventMetadata = Readonly<Record<string, unknown>>;

/** A message of a turn that no reply has begun with. */
interface PlacedTurn {
  readonly turn: number;
  /** As it is to be given when it has no place in the conversation yet, because a reply was open. */
  message: NewMessage;
}

export class VoiceActs {
  readonly #options: ActsOptions;
  #placed: PlacedTurn[] = [];
  #last: Promise<unknown> = Promise.resolve();
  /** The actors of turns, and of the messages that they have become: some of the newest. */
  readonly #actors = new Map<number | string, Actor>();

  constructor(options: ActsOptions) {
    this.#options = options;
  }

  /** Resolves when it, and all before it, was done. Contract: never rejects. */
  perform(effect: ActEffect): Promise<void> {
    const actor = this.#actorOf(effect);
    const done = this.#last
      .then(() => this.#perform(effect, actor))
      .catch((error: unknown) => {
        const { session_id } = this.#options.session.init;
        console.error("an act of a voice connection failed", { session_id, error: String(error) });
        if ("turn" in effect) this.#refuse(effect.turn, { code: "internal", detail: "" });
      });
    this.#last = done;
    return done;
  }

  /** The actor has begun a turn. */
  noteTurn(turn: number, actor: Actor): void {
    this.#noteActor(turn, actor);
  }

  #noteActor(of: number | string, actor: Actor): void {
    this.#actors.set(of, actor);
    const [oldest] = this.#actors.keys();
    if (this.#actors.size > MAX_ACTORS && oldest !== undefined) this.#actors.delete(oldest);
  }

  #actorOf(effect: ActEffect): Actor {
    const of = "turn" in effect ? effect.turn : "message_id" in effect ? effect.message_id : null;
    return (of === null ? undefined : this.#actors.get(of)) ?? this.#options.actor();
  }

  async #perform(effect: ActEffect, actor: Actor): Promise<void> {
    const { session } = this.#options;
    switch (effect.type) {
      case "place_message":
        return this.#place(effect, actor);
      case "begin_reply":
        return this.#begin(effect, actor);
      case "interrupt_reply":
        return this.#interrupt(effect.reply_id, actor);
      case "transcribed": {
        const { type: _, ...transcribed } = effect;
        const message = session.findMessage(effect.message_id)?.message;
        const spoken_by = (message && speakerOf(message)) ?? decidedBy(actor);
        this.#change({ name: SPEECH_TRANSCRIBED, ...transcribed }, { spoken_by });
        return;
      }
      case "said":
        return this.#countSaid(effect);
      case "truncate": {
        const { type: _, ...truncated } = effect;
        changeMessage(session, { name: SPEECH_TRUNCATED, ...truncated });
        return;
      }
      default:
        return effect satisfies never;
    }
  }

  /** Resolves when all that was asked for until now is done, and on disk. Contract: never rejects. */
  async settled(): Promise<void> {
    await this.#last;
    await this.#options.session.log.settled();
  }

  /**
   * Resolves when the event is on disk. Contract: never rejects.
   * @returns Whether a message has it, in the log or in the queue.
   */
  keep(change: KeptChange): Promise<boolean> {
    const done = this.#last
      .then(async () => {
        const isNamed = this.#change(change);
        await this.#options.session.log.settled();
        return isNamed;
      })
      .catch((error: unknown) => {
        console.error("audio that was stored is in no message", { error: String(error) });
        return false;
      });
    this.#last = done;
    return done;
  }

  #change(change: SpeechChange, metadata: EventMetadata = {}): boolean {
    if (changeMessage(this.#options.session, change, metadata)) return true;
    const waiting = this.#placed.find(({ message }) => message.id === change.message_id);
    if (!waiting) return false;
    const changed = changeQueued(waiting.message as Msg, change, metadata);
    waiting.message = changed as typeof waiting.message;
    return false;
  }

  #countSaid({ message_id, audio }: Extract<ActEffect, { type: "said" }>): void {
    const { session } = this.#options;
    const before = session.findMessage(message_id)?.message.usage?.audio;
    const all = before ? addAudio(before, audio) : audio;
    changeMessage(session, { name: SPEECH_SAID, message_id, audio: all });
  }

  /** A message gets its place with its own reply, behind the open one, where a reply is open. */
  async #place({ turn, ...said }: Extract<ActEffect, { type: "place_message" }>, actor: Actor) {
    const message = this.#spoken(said, actor);
    this.#noteActor(message.id, actor);
    const { session, tell, placed } = this.#options;
    const observed = await observeMessages(session, [message]);
    const isBusy = !observed.ok && BUSY.has(observed.refusal.code);
    if (!observed.ok && !isBusy) return this.#refuse(turn, observed.refusal);
    // Turns that were never written down begin no reply, and are not waited for.
    this.#placed = [...this.#placed, { turn, message }].slice(-MAX_UNSETTLED_TURNS);
    placed(said.item, message.id);
    tell({ type: "message_placed", turn, message_id: message.id });
  }

  async #begin(
    { turn, message, on_busy }: Extract<ActEffect, { type: "begin_reply" }>,
    actor: Actor,
  ) {
    const { session, tell, speaksReply, placed } = this.#options;
    const { share } = actor;
    const input = this.#inputOf(message, turn, actor);
    if (message.type === "speech" && input[0]) this.#noteActor(input[0].id, actor);
    const begun = await session.queue.start({ input, on_busy, share }, speaksReply);
    if (!begun.ok) return this.#refuse(turn, begun.refusal);
    if (message.type === "placed") this.#placed = this.#placed.filter((one) => one.turn > turn);
    const message_id = message.type === "placed" ? null : (input[0]?.id ?? null);
    if (message.type === "speech" && message_id !== null) placed(message.item, message_id);
    tell({ type: "reply_begun", turn, reply_id: begun.value.id, message_id });
  }

  #inputOf(message: TurnMessage, turn: number, actor: Actor): readonly NewMessage[] {
    const { session } = this.#options;
    switch (message.type) {
      case "speech":
        return [this.#spoken(message, actor)];
      case "text": {
        const id = message.ref ?? session.newId("msg");
        const content = [textBlock(message.text), ...this.#options.takePictures()];
        return [{ id, name: "user", role: "user", content, metadata: {} }];
      }
      case "placed":
        return this.#placed
          .filter((one) => one.turn <= turn)
          .map(({ message: own }) => (session.findMessage(own.id)?.message as typeof own) ?? own);
      default:
        return message satisfies never;
    }
  }

  #spoken({ item, start_ms, end_ms }: SpokenTurn, actor: Actor): NewMessage {
    const ms = Math.round(end_ms - start_ms);
    const spoken_by = decidedBy(actor);
    const mark: SpeechMark = { state: "transcribing", item: String(item), ms, spoken_by };
    return {
      id: this.#options.session.newId("msg"),
      name: "user",
      role: "user",
      content: [textBlock(""), ...this.#options.takePictures()],
      metadata: { [SPEECH]: { ...mark } },
    };
  }

  async #interrupt(replyId: string | null, actor: Actor): Promise<void> {
    const { session } = this.#options;
    const { openReply } = session;
    if (!openReply || (replyId !== null && openReply.id !== replyId)) return;
    const metadata = acceptedMetadata({}, decidedBy(actor));
    await session.runner.interrupt([{ type: "USER_INTERRUPT", reply_id: openReply.id, metadata }]);
  }

  #refuse(turn: number, { code, detail }: Pick<Refusal, "code" | "detail">): void {
    this.#options.tell({ type: "act_refused", turn, code, detail });
  }
}

/** Turns that are unsettled, each with its message. */
const MAX_ACTORS = 4 * MAX_UNSETTLED_TURNS;

const BUSY: ReadonlySet<string> = new Set(["reply_running", "reply_awaiting"]);

function textBlock(text: string): TextBlock {
  return TextBlockSchema.parse({ type: "text", text });
}
