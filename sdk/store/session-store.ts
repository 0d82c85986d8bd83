// The state of one session for a user interface, without a framework.
import type { EventReceipt } from "../../protocol/events/contract.ts";
import type { InterruptResult, Reply } from "../../protocol/replies/contract.ts";
import type { LoggedEvent } from "../../protocol/events.ts";
import { isBase64Delta } from "../../protocol/fold/append-data.ts";
import type { ConfirmAnswer, ToolOutput } from "../answers/answer-event.ts";
import { loadGrowData } from "../events/load-parts.ts";
import type { ReplyRequestOptions } from "../resources/reply-input.ts";
import type { InterruptOptions, SessionHandle } from "../session/session-handle.ts";
import { ConnectionError } from "../transport/connection-error.ts";
import { callAll } from "./call-all.ts";
import { CallAnswers, type CallChoice, type PostAnswer } from "./call-answers.ts";
import { CalledAgentsPart } from "./called-agents-part.ts";
import { ConnectionWaiters } from "./connection-waiters.ts";
import {
  addOlder,
  addQueued,
  indexOfMessage,
  isPartlyTaken,
  takeEvent,
  type ConversationState,
} from "./conversation.ts";
import { loadConversation } from "./load-conversation.ts";
import { nextFrame } from "./next-frame.ts";
import { SendQueue } from "./send-queue.ts";
import type { SendInput } from "./outgoing-draft.ts";
import { quiet } from "./quiet.ts";
import { SessionReader } from "./session-reader.ts";
import { PAGE_SIGNALS } from "./session-signals.ts";
import type { SessionError, SessionState } from "./session-state.ts";
import type { SessionStoreOptions } from "./session-store-options.ts";
import { ToldState } from "./told-state.ts";
import { tabStorage, UnsentMessages } from "./unsent-storage.ts";
import { allWaitingCalls } from "./waiting-calls.ts";
import { INITIAL_STATE, viewSession } from "./view-session.ts";

/**
 * Reads while it has subscribers: the conversation, then each event once, over lost connections and time in the
 * background. Without subscribers it keeps its state and goes on there.
 *
 * Its actions reject with the platform's refusal. The state shows that too, so a promise that is not awaited is never
 * reported as unhandled.
 */
export class SessionStore {
  readonly session: SessionHandle | null;
  readonly #options: SessionStoreOptions;
  readonly #sendQueue: SendQueue | null;
  readonly #answers = new CallAnswers();
  readonly #called = new CalledAgentsPart();
  readonly #told: ToldState<SessionState>;
  readonly #eventListeners = new Set<(event: LoggedEvent) => void>();
  readonly #initial: SessionState;
  readonly #waiters = new ConnectionWaiters();
  #conversation: ConversationState | null = null;
  #mustLoad = true;
  #hasStartedOver = false;
  #loadingOlder: Promise<void> | null = null;
  #isConnectionLost = false;
  #isOffline = false;
  #error: SessionError | null = null;
  #reader: SessionReader | null = null;
  #removeSignals: () => void = () => undefined;

  /** Sends no request. @param session Null while there is none: the state is `idle` and empty. */
  constructor(session: SessionHandle | null, options: SessionStoreOptions = {}) {
    this.session = session;
    this.#options = options;
    this.#initial = session ? INITIAL_STATE : { ...INITIAL_STATE, status: "idle" };
    const { schedule = nextFrame, storage = tabStorage() } = options;
    this.#told = new ToldState(this.#initial, (before) => this.#view(before), schedule);
    this.#sendQueue =
      session &&
      new SendQueue(session, new UnsentMessages(storage, session.id), {
        untilConnected: (failure) => this.#untilConnected(failure),
        hasMessage: (id) => indexOfMessage(this.#conversation?.messages ?? [], id) >= 0,
        onAccepted: (replyId) => {
          this.#conversation &&= addQueued(this.#conversation, replyId);
        },
        onChange: () => this.#told.tell(),
      });
  }

  /** The state; the same object until something changes. */
  readonly getState = (): SessionState => this.#told.state;

  /** The state before anything was read, for rendering on a server. */
  readonly getInitialState = (): SessionState => this.#initial;

  /** @returns removes the listener. The last one that goes ends requests and streams, not replies. */
  readonly subscribe = (listener: () => void): (() => void) => {
    const remove = this.#told.add(listener);
    if (!this.#reader) this.#start();
    return () => {
      remove();
      // React's StrictMode subscribes again at once.
      setTimeout(() => this.#told.hasListeners || this.#stop(), 0);
    };
  };

  /** Each event behind the state that was loaded, once and in order. @returns removes the listener. */
  readonly onEvent = (listener: (event: LoggedEvent) => void): (() => void) => {
    this.#eventListeners.add(listener);
    return () => void this.#eventListeners.delete(listener);
  };

  /**
   * Sends a message, which is shown at once, and resolves when the platform has it. While the connection is lost it waits.
   * By default it is queued when a reply runs.
   */
  readonly send = (input: SendInput, options: ReplyRequestOptions = {}): Promise<Reply> =>
    this.#act(async (_, queue) => queue.send(input, { onBusy: "queue", ...options }));

  /** Sends a failed message again, under its id: the platform answers it once. */
  readonly retry = (messageId: string): Promise<Reply> =>
    this.#act((_, queue) => queue.retry(messageId));

  /** Forgets a failed message. */
  readonly discard = (messageId: string): void => this.#sendQueue?.discard(messageId);

  /** Allows calls, with another input or with rules as the answer says. */
  readonly confirm = (
    calls: CallChoice,
    answer: Omit<ConfirmAnswer, "confirmed"> = {},
  ): Promise<EventReceipt> =>
    this.#answer(calls, (session, chosen) => session.confirm(chosen, answer));

  /** Refuses calls. The model is told the reason. */
  readonly deny = (calls: CallChoice, why?: Pick<ConfirmAnswer, "reason">): Promise<EventReceipt> =>
    this.#answer(calls, (session, chosen) => session.deny(chosen, why));

  /** The result of external calls. */
  readonly submitResult = (calls: CallChoice, result: ToolOutput): Promise<EventReceipt> =>
    this.#answer(calls, (session, chosen) => session.submitToolResults(chosen, result));

  /** Ends the reply that runs or waits. */
  readonly interrupt = (options?: Pick<InterruptOptions, "queued">): Promise<InterruptResult> =>
    this.#act((session) => session.interrupt(options));

  /** Reads the page before the oldest message. Calls at the same time are one. */
  readonly loadOlder = (): Promise<void> => {
    if (this.session && !this.#conversation?.olderPage) return Promise.resolve();
    this.#loadingOlder ??= this.#act((session) => this.#readOlder(session)).finally(() => {
      this.#loadingOlder = null;
      this.#told.tell();
    });
    this.#told.tell();
    return quiet(this.#loadingOlder);
  };

  /** Reads the session anew, also after an error. */
  readonly reload = (): void => {
    this.#mustLoad = true;
    this.#error = null;
    if (this.#reader) {
      this.#reader.reopen();
      this.#reader.begin();
    }
    this.#told.tell();
  };

  #start(): void {
    const { session } = this;
    if (!session) return;
    this.#error = null;
    const reader = new SessionReader({
      load: (signal) => this.#load(session, signal),
      events: (signal, onConnectionChange) => {
        const after = this.#conversation?.cursor;
        return session.events({ after, follow: true, signal, onConnectionChange });
      },
      take: (event, signal) => this.#take(event, signal),
      onConnection: (isOpen, isOffline) => this.#setConnection(isOpen, isOffline),
      onEnd: (error) => this.#end(error),
    });
    const { onForeground, onNetworkChange } = { ...PAGE_SIGNALS, ...this.#options.signals };
    const removals = [
      onForeground(() => reader.wake()),
      onNetworkChange((isOnline) => reader.setOffline(!isOnline)),
    ];
    this.#reader = reader;
    this.#removeSignals = () => removals.forEach((remove) => remove());
    reader.begin();
  }

  #stop(): void {
    this.#removeSignals();
    this.#called.stop();
    this.#reader?.stop();
    this.#reader = null;
  }

  async #load(session: SessionHandle, signal: AbortSignal): Promise<void> {
    this.#error = null;
    if (!this.#mustLoad) return;
    const loaded = await loadConversation(session, this.#options.pageSize, signal);
    await this.#called.load(session, loaded, () => this.#told.change());
    if (signal.aborted) return;
    this.#conversation = loaded;
    this.#mustLoad = false;
    this.#sendQueue?.settleKnown();
    void this.#sendQueue?.restore();
    this.#told.tell();
  }

  async #take(event: LoggedEvent, signal: AbortSignal): Promise<void> {
    const growth = isBase64Delta(event) ? await loadGrowData() : null;
    await this.#called.prepare(event, this.#conversation?.replyId ?? null);
    const conversation = this.#conversation;
    if (signal.aborted || !conversation || event.seq <= conversation.cursor) return;
    if (isPartlyTaken(conversation, event)) return this.reload();
    this.#conversation = takeEvent(conversation, event, growth);
    if (event.type === "CUSTOM" && event.name === "message_added") {
      this.#sendQueue?.settle((event.value["message"] as { readonly id: string }).id);
    }
    this.#answers.take(event);
    this.#called.take(event);
    callAll(this.#eventListeners, event);
    this.#told.change();
  }

  #setConnection(isOpen: boolean, isOffline: boolean): void {
    this.#isConnectionLost = !isOpen;
    this.#isOffline = isOffline;
    if (isOpen && !isOffline) {
      this.#hasStartedOver = false;
      this.#waiters.open();
    }
    this.#told.tell();
  }

  #end(error: SessionError): void {
    // The log is shorter than it was, as after a restored backup: it is read from its present state.
    if ("code" in error && error.code === "cursor_ahead" && !this.#hasStartedOver) {
      this.#hasStartedOver = true;
      this.#mustLoad = true;
      this.#reader?.begin();
      return;
    }
    this.#error = error;
    this.#waiters.fail(error);
    this.#told.tell();
  }

  /** @param failure Of the request that waits; null before its first try. */
  #untilConnected(failure: unknown): Promise<void> {
    const reader = this.#reader;
    if (!reader || this.#error)
      return failure === null ? Promise.resolve() : Promise.reject(failure);
    if (ConnectionError.isInstance(failure)) reader.reopen();
    const isLost = failure === null ? this.#isConnectionLost || this.#isOffline : !reader.isOpen;
    if (!isLost) return Promise.resolve();
    return this.#waiters.wait();
  }

  async #readOlder(session: SessionHandle): Promise<void> {
    const from = this.#conversation;
    if (!from?.olderPage) return;
    const { pageSize: limit = 20 } = this.#options;
    const page = await session.messages.list({ limit }).page(from.olderPage);
    // Read anew meanwhile: these are not the messages before it.
    if (this.#conversation?.olderPage !== from.olderPage) return;
    this.#conversation = addOlder(this.#conversation, page.data, page.next_page);
  }

  #answer(calls: CallChoice, post: PostAnswer): Promise<EventReceipt> {
    return this.#act((session) =>
      this.#answers.give(
        calls,
        allWaitingCalls(this.#told.state),
        (chosen) => post(session, chosen),
        () => this.#told.tell(),
      ),
    );
  }

  #act<Value>(act: (session: SessionHandle, queue: SendQueue) => Promise<Value>): Promise<Value> {
    const { session } = this;
    const queue = this.#sendQueue;
    if (!session || !queue) return quiet(Promise.reject(new TypeError("there is no session yet")));
    const acting = quiet(act(session, queue));
    this.#told.tell();
    return acting;
  }

  #view(before: SessionState): SessionState {
    return viewSession(
      {
        conversation: this.#conversation,
        outgoing: this.#sendQueue?.shownBeside(this.#conversation?.replyId ?? null) ?? [],
        answers: this.#answers.fates,
        calledAgents: this.#called.view(this.#answers.fates),
        isLoadingOlder: this.#loadingOlder !== null,
        isConnectionLost: this.#isConnectionLost,
        isOffline: this.#isOffline,
        error: this.#error,
      },
      before,
    );
  }
}
