// One connection to Gemini Live. The server answers by itself: so an activity of the user ends there only when a reply asks
// about it, and what nobody asks about is never answered.
import type { Model } from "../../../agent/ports.ts";
import type {
  VoiceConnection,
  VoiceModelEvent,
  VoiceSetup,
} from "../../../agent/voice/voice-model.ts";
import { generateId } from "../../../protocol/messages/defaults.ts";
import type { Usage } from "../../../protocol/messages/messages.ts";
import { EventLine } from "../event-line.ts";
import { SPEECH_RATE } from "../rates.ts";
import type { ConversationFeed, FeedEntry } from "../realtime/conversation-feed.ts";
import { providerFailure, type ProviderFailure } from "../realtime/provider-failure.ts";
import type { ProviderFrame, ProviderSocket } from "../realtime/provider-socket.ts";
import { SpokenResponses } from "../realtime/spoken-responses.ts";
import { pictureOf, responseOf, wordsOfPiece } from "./gemini-contents.ts";
import { readServerFrame, type ServerContent, type GeminiServerFrame } from "./gemini-frames.ts";
import { GeminiLine } from "./gemini-line.ts";
import { GeminiResponse, type WholeCall } from "./gemini-response.ts";
import { INTERRUPT_MS, LEAVE_EARLY_MS } from "./limits.ts";
import { BROKEN_CALL, failureOfReason, wholeCall } from "./refused-turn.ts";
import { SpokenTurns } from "./spoken-turns.ts";

export interface GeminiConnectionOptions {
  readonly name: string;
  readonly setup: VoiceSetup;
  readonly feed: ConversationFeed;
  /** Entries that the server is told with those that are asked about first. */
  readonly untold: readonly FeedEntry[];
  readonly socket: ProviderSocket;
  /** The server's name of the session; empty for none. */
  readonly session: string;
  readonly onEvent: (event: VoiceModelEvent) => void;
  /** A handle of the session as it is now. */
  readonly onHandle: (handle: string) => void;
}

/** The user's words where the server has been told all, and a reply asks nevertheless: a try has failed. */
const GO_ON = "[Answer what was said last.]";

export class GeminiConnection implements VoiceConnection {
  readonly #options: GeminiConnectionOptions;
  readonly #events: EventLine;
  readonly #line: GeminiLine;
  readonly #turns: SpokenTurns;
  readonly #responses: SpokenResponses;
  /** Calls that the server waits for, by the session's ids. */
  readonly #calls = new Map<string, Pick<WholeCall, "id" | "name">>();
  #response: GeminiResponse | null = null;
  /** Entries that a reply has asked about while the user speaks, or that the server is told with the next ones. */
  #waiting: { readonly entries: readonly FeedEntry[]; readonly isAsked: boolean } | null = null;
  /** Of the response under way, or of one before it that was told too late. */
  #usage: Usage | null = null;
  #handle = "";
  #isLeaving = false;
  #leaveTimer: ReturnType<typeof setTimeout> | undefined;
  #isOver = false;
  #failure = providerFailure("connection_lost");

  constructor(options: GeminiConnectionOptions) {
    const { name, setup, feed, untold, socket, session, onEvent } = options;
    this.#options = options;
    this.#events = new EventLine((event) => {
      this.#responses.take(event);
      // Not before: what was said until then would fail with it.
      if (event.type === "session_ended") this.#responses.end(this.#failure);
      onEvent(event);
      if (event.type === "response_done") this.#settle();
    });
    this.#waiting = untold.length > 0 ? { entries: untold, isAsked: false } : null;
    this.#line = new GeminiLine(socket);
    this.#turns = new SpokenTurns(setup.turns, {
      tell: (event) => this.#events.tell(event),
      mayListen: () => this.#calls.size === 0,
      sendAudio: (pcm) => this.#line.sendAudio(pcm),
      takenBack: () => this.#end(providerFailure("connection_lost"), "speech_taken_back"),
      settled: () => this.#settle(),
    });
    this.#responses = new SpokenResponses({
      name,
      feed,
      cancelMs: INTERRUPT_MS,
      port: {
        ask: (entries) => this.#ask(entries),
        cancel: () => this.#interrupt(),
        tell: (event) => this.#events.tell(event),
        working: (isWorking) => this.#note(isWorking),
      },
    });
    const session_id = session === "" ? `voice_${generateId()}` : session;
    this.#events.tell({ type: "session_created", session_id });
  }

  appendAudio(pcm: Uint8Array): void {
    if (!this.#isOver) this.#turns.append(pcm);
  }

  commit(): void {
    if (!this.#isOver) this.#turns.commit();
  }

  clear(): void {
    if (!this.#isOver) this.#turns.clear();
  }

  speaks(): readonly [Model] {
    return [this.#responses.model()];
  }

  cancel(): void {
    if (!this.#isOver) this.#responses.cancel();
  }

  /** The server has cut what it has not sent; of what it has sent nothing can be taken out. */
  truncate(): void {
    return;
  }

  deleteItem(): void {
    return;
  }

  close(): void {
    this.#stop();
    this.#responses.end();
    this.#events.close();
  }

  /** The socket has gone. */
  lost(failure: ProviderFailure): void {
    this.#end(failure, failure.report.kind);
  }

  take(frame: ProviderFrame): void {
    if (this.#isOver) return;
    const read = readServerFrame(frame);
    this.#usage = read.usage ?? this.#usage;
    if (read.content) this.#takeContent(read.content);
    if (read.calls.length > 0) this.#takeCalls(read.calls);
    this.#forgetCalls(read.cancelled);
    if (read.handle !== null) this.#handle = read.handle;
    if (read.leavesInMs !== null) this.#leaveWithin(read.leavesInMs);
    this.#settle();
  }

  #takeContent(content: ServerContent): void {
    if (content.heard) this.#turns.take(content.heard);
    const place = this.#line.place(content);
    if (place === "ended" && !this.#waiting?.isAsked) this.#response?.end("cancelled");
    if (place !== "own") return;
    if (content.audio.some(({ rate }) => rate !== null && rate !== SPEECH_RATE)) {
      return this.#refuse(providerFailure("malformed_answer", { code: "audio_rate" }));
    }
    if (content.reason !== "") return this.#refuse(failureOfReason(content.reason));
    this.#response?.take(content);
  }

  #takeCalls(calls: GeminiServerFrame["calls"]): void {
    if (!this.#line.admitsCalls()) return;
    const known = new Set([...this.#calls.values()].map(({ id }) => id));
    const isNew = ({ id }: GeminiServerFrame["calls"][number]) => !known.has(id);
    const whole = calls.filter(isNew).map(wholeCall);
    this.#line.noteCalls();
    if (whole.includes(null)) return this.#refuse(failureOfReason(BROKEN_CALL));
    this.#response?.call(whole.filter((call) => call !== null));
  }

  #forgetCalls(wireIds: readonly string[]): void {
    for (const [id, call] of this.#calls) if (wireIds.includes(call.id)) this.#calls.delete(id);
  }

  /** A reply has no answer, for a reason that has a name. */
  #refuse(failure: ProviderFailure): void {
    if (!this.#response) return;
    this.#responses.refuse(failure);
    const code = failure.report.code ?? failure.report.kind;
    this.#events.tell({ type: "error", code, message: failure.error.message });
  }

  #ask(entries: readonly FeedEntry[]): void {
    this.#response = new GeminiResponse({
      tell: (event) => this.#tell(event),
      called: (call, { id, name }) => this.#calls.set(call, { id, name }),
      usage: () => this.#takeUsage(),
    });
    this.#response.begin();
    const all = [...(this.#waiting?.entries ?? []), ...entries];
    this.#waiting = null;
    // The server would answer half of what the user says.
    if (this.#turns.isSpeaking) this.#waiting = { entries: all, isAsked: true };
    else this.#send(all);
  }

  #send(entries: readonly FeedEntry[]): void {
    const results = entries.flatMap((entry) => {
      if (entry.type !== "told" || entry.block.type !== "tool_result") return [];
      const call = this.#calls.get(entry.block.id);
      return call ? [{ id: call.id, name: call.name, response: responseOf(entry.block) }] : [];
    });
    const isUsers = entries.some(
      ({ type, message }) => type === "heard" || message.role === "user",
    );
    const words = entries.flatMap((entry) => this.#wordsOf(entry));
    if (results.length > 0 && !isUsers && !this.#line.isFilled) {
      const [last] = results.splice(-1);
      // Words beside results would begin a turn of the user's, and interrupt the answer.
      const response = { ...last?.response, ...(words.length > 0 && { note: words.join("\n") }) };
      this.#line.sendResults(last ? [...results, { ...last, response }] : results);
    } else {
      for (const entry of entries) this.#tellEntry(entry);
      this.#line.endActivity(GO_ON);
    }
    this.#calls.clear();
  }

  /** Of what is no answer to a call of the server's. */
  #wordsOf(entry: FeedEntry): readonly string[] {
    if (entry.type === "heard") return [];
    if (entry.block.type === "tool_result" && this.#calls.has(entry.block.id)) return [];
    const words = wordsOfPiece(entry);
    return words === "" ? [] : [words];
  }

  #tellEntry(entry: FeedEntry): void {
    if (entry.type === "heard") return this.#turns.place(entry.message);
    const picture = entry.block.type === "data" ? pictureOf(entry.block) : null;
    if (picture) return this.#line.sendPicture(picture);
    const words = wordsOfPiece(entry);
    if (words !== "") this.#line.sendText(words);
  }

  #interrupt(): void {
    const waiting = this.#waiting;
    if (!waiting?.isAsked) return this.#line.beginActivity();
    this.#waiting = { ...waiting, isAsked: false };
    this.#response?.end("cancelled");
  }

  #tell(event: VoiceModelEvent): void {
    if (this.#responses.admits(event)) this.#events.tell(event);
  }

  #takeUsage(): Usage | null {
    const usage = this.#usage;
    this.#usage = null;
    return usage;
  }

  #note(isWorking: boolean): void {
    if (isWorking) return;
    this.#response?.drop();
    this.#response = null;
    this.#options.socket.rest();
  }

  #leaveWithin(ms: number): void {
    this.#isLeaving = true;
    clearTimeout(this.#leaveTimer);
    const inMs = Math.max(0, ms - LEAVE_EARLY_MS);
    this.#leaveTimer = setTimeout(() => this.#leave(), inMs);
  }

  #leave(): void {
    this.#end(providerFailure("connection_lost", { code: "go_away" }), "go_away");
  }

  /** Does what waits for a quiet moment. */
  #settle(): void {
    if (this.#isOver || this.#turns.isSpeaking) return;
    const waiting = this.#waiting;
    if (waiting?.isAsked) {
      this.#waiting = null;
      this.#send(waiting.entries);
    }
    const isQuiet = !this.#responses.isWorking && this.#calls.size === 0 && !this.#line.isFilled;
    if (!isQuiet) return;
    if (this.#handle !== "") this.#options.onHandle(this.#handle);
    this.#handle = "";
    if (this.#isLeaving && !this.#turns.isWriting) this.#leave();
  }

  #end(failure: ProviderFailure, reason: string): void {
    if (this.#isOver) return;
    this.#failure = failure;
    this.#stop();
    this.#events.tell({ type: "session_ended", reason });
  }

  #stop(): void {
    this.#isOver = true;
    clearTimeout(this.#leaveTimer);
    this.#turns.close();
    this.#line.close();
    this.#response?.drop();
    this.#options.socket.close();
  }
}
