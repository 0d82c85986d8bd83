// The responses of one connection: one is under way at a time. The server begins those to spoken turns by itself, maybe before
// the reply is there that they belong to; they are held until then. Others are asked for.
import { refusalOf } from "./dashscope-refusals.ts";
import type { VoiceModelEvent } from "../../../agent/voice/voice-model.ts";
import { modelError } from "../../../agent/state/model-error.ts";
import type { ErrorWords, ResponseFrame, ResponseStatus } from "./dashscope-frames.ts";
import type { DashScopeWaits } from "./limits.ts";
import type { WireIds } from "../realtime/wire-ids.ts";
import { OpenResponse } from "./open-response.ts";

interface ResponsesOptions {
  readonly ids: WireIds;
  readonly waits: DashScopeWaits;
  readonly send: (frame: object) => void;
  readonly tell: (event: VoiceModelEvent) => void;
  /** A response is under way that a reply waits for, or none is. */
  readonly expect: (isUnderWay: boolean) => void;
  /** A response that was told is over: the conversation has it. */
  readonly said: (said: OpenResponse["said"]) => void;
  /** Words of the server about the failure of a response that was told. */
  readonly failed: (words: ErrorWords) => void;
}

interface Current {
  /** The server's id. */
  readonly wireId: string;
  readonly response: OpenResponse;
  /** Held for a reply that comes, told to one that is there, or dropped. */
  state: "held" | "told" | "dropped";
  held: VoiceModelEvent[];
  isCancelled: boolean;
}

type DoneFrame = Extract<ResponseFrame, { type: "response_done" }>;

export class Responses {
  readonly #options: ResponsesOptions;
  #current: Current | null = null;
  /** The server is about to begin one by itself. */
  #isExpected = false;
  /** A call waits for one: `asked` once the server was told. */
  #waiting: "expecting" | "asked" | null = null;
  /** One that was asked for has not begun, and nobody waits for it any more. */
  #isAbandoned = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #whenQuiet: (() => void)[] = [];

  constructor(options: ResponsesOptions) {
    this.#options = options;
  }

  /** Resolves when a response may begin. */
  quiet(): Promise<void> {
    return this.#isQuiet ? Promise.resolve() : new Promise((done) => this.#whenQuiet.push(done));
  }

  /** The server has something to answer, and does without being asked. */
  expectOwn(): void {
    this.#isExpected = true;
  }

  /** The user speaks: what nobody has waited for is not heard any more. */
  dropHeld(): void {
    if (this.#current?.state === "held") this.#drop(this.#current);
  }

  /** The response to what the server has heard or was told last, for a call that is there. */
  claim(): void {
    this.#options.expect(true);
    if (this.#current?.state === "held") return this.#release(this.#current);
    if (!this.#isExpected) return this.#ask();
    this.#waiting = "expecting";
    this.#after(this.#options.waits.ownResponseMs, () => this.#ask());
  }

  /** The call that has claimed a response waits no more. */
  abandon(): void {
    if (this.#waiting === "asked") {
      this.#isAbandoned = true;
      this.#after(this.#options.waits.cancelMs, () => this.#forgetAbandoned());
    }
    this.#waiting = null;
    this.#options.expect(false);
    this.cancel();
  }

  /** Ends what is said. One that comes too late is no failure. */
  cancel(): void {
    if (this.#current?.state === "told") this.#cancel(this.#current);
  }

  /** The server has refused something. @returns Whether it was the response that a call waits for. */
  refuse(): boolean {
    const isWaiting = this.#waiting === "asked";
    if (isWaiting) {
      this.#waiting = null;
      this.#clear();
    }
    if (this.#isAbandoned) this.#forgetAbandoned();
    return isWaiting;
  }

  take(frame: ResponseFrame): void {
    if (frame.type === "response_created") return this.#begin(frame.response);
    const current = this.#current;
    const isOther = frame.response !== "" && frame.response !== current?.wireId;
    if (!current || isOther || current.response.isOver) return;
    if (frame.type === "response_done") return this.#finish(current, frame.status, frame);
    if (current.state !== "dropped") current.response.take(frame);
    // Some models say of a cancelled response no more than this.
    if (current.isCancelled && (frame.type === "item_done" || frame.type === "call_done")) {
      return this.#finish(current, "cancelled");
    }
    if (!current.isCancelled && current.response.isTooLarge) {
      current.response.end("incomplete");
      if (current.state === "told") this.#options.said(current.response.said);
      this.#drop(current);
    }
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#waiting = null;
    this.#isAbandoned = false;
    this.#current = null;
    this.#settle();
  }

  #begin(wireId: string): void {
    if (this.#current?.wireId === wireId) return;
    // The server begins another one only when one is over.
    if (this.#current) this.#finish(this.#current, "cancelled");
    const state = this.#stateOfNext();
    this.#clear();
    this.#waiting = null;
    this.#isAbandoned = false;
    const { ids } = this.#options;
    const response = new OpenResponse(wireId, ids, (event) => this.#route(current, event));
    const current: Current = { wireId, response, state, held: [], isCancelled: false };
    this.#current = current;
    response.begin();
    if (state === "dropped") this.#drop(current);
    if (state === "held") this.#after(this.#options.waits.unclaimedMs, () => this.#drop(current));
  }

  #route({ state, held }: Current, event: VoiceModelEvent): void {
    if (state === "told") this.#options.tell(event);
    else if (state === "held") held.push(event);
  }

  #stateOfNext(): Current["state"] {
    if (this.#waiting !== null) {
      this.#isExpected = false;
      return "told";
    }
    if (this.#isAbandoned || !this.#isExpected) return "dropped";
    this.#isExpected = false;
    return "held";
  }

  #ask(): void {
    this.#waiting = "asked";
    this.#isExpected = false;
    this.#options.send({ type: "response.create" });
  }

  #release(current: Current): void {
    this.#clear();
    current.state = "told";
    for (const event of current.held) this.#options.tell(event);
    current.held = [];
    if (current.response.isOver) this.#over(current);
  }

  #drop(current: Current): void {
    const isOver = current.response.isOver && current.state === "held";
    current.state = "dropped";
    current.held = [];
    if (isOver) this.#over(current);
    else this.#cancel(current);
  }

  #cancel(current: Current): void {
    if (current.isCancelled || current !== this.#current) return;
    current.isCancelled = true;
    this.#options.send({ type: "response.cancel" });
    this.#after(this.#options.waits.cancelMs, () => this.#finish(current, "cancelled"));
  }

  #finish(current: Current, status: ResponseStatus, done?: DoneFrame): void {
    const usage = done?.usage ?? null;
    const failure = done?.words ? refusalOf(done.words).error : modelError("upstream");
    const error = status === "failed" ? { error: failure } : {};
    if (current.state === "told" && done?.words) this.#options.failed(done.words);
    current.response.end(status, { usage, ...error });
    // A held one waits on, unless it is none any more.
    const isKept = current.state === "held" && (status === "completed" || status === "incomplete");
    if (!isKept) this.#over(current, status !== "failed");
  }

  #over(current: Current, isSaid = true): void {
    if (this.#current !== current) return;
    this.#clear();
    this.#current = null;
    if (current.state === "told" && isSaid) this.#options.said(current.response.said);
    if (this.#waiting === null) this.#options.expect(false);
    this.#settle();
  }

  #forgetAbandoned(): void {
    this.#isAbandoned = false;
    this.#clear();
    this.#settle();
  }

  get #isQuiet(): boolean {
    const isFree = this.#current === null || this.#current.state === "held";
    return isFree && !this.#isAbandoned;
  }

  #settle(): void {
    if (!this.#isQuiet) return;
    const waiting = this.#whenQuiet;
    this.#whenQuiet = [];
    for (const done of waiting) done();
  }

  #after(ms: number, act: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(act, ms);
  }

  #clear(): void {
    clearTimeout(this.#timer);
  }
}
