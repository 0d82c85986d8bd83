// Gemini Live as a voice: opens a connection, which goes on with the session before it where that can be resumed.
import type { VoiceModel, VoiceSetup } from "../../../agent/voice/voice-model.ts";
import { findRateRefusal, SPEECH_RATE, TRANSCRIPTION_RATE } from "../rates.ts";
import {
  ConversationFeed,
  conversationPieces,
  type FeedEntry,
} from "../realtime/conversation-feed.ts";
import { providerFailure, type ProviderFailure } from "../realtime/provider-failure.ts";
import { openProviderSocket, type ProviderFrame } from "../realtime/provider-socket.ts";
import type { RealtimeOptions } from "../realtime/realtime-options.ts";
import { GeminiConnection } from "./gemini-connection.ts";
import { historyContents } from "./gemini-contents.ts";
import { readServerFrame } from "./gemini-frames.ts";
import { addressOf, setupFrame } from "./gemini-setup.ts";
import { SessionHandles, type Resumption } from "./session-handles.ts";

const RATES = { input: TRANSCRIPTION_RATE, output: SPEECH_RATE } as const;

interface GeminiOptions extends RealtimeOptions<"gemini"> {
  /** Of the connections of one voice; of this model alone when left out. */
  readonly handles?: SessionHandles | undefined;
}

type Opened = Awaited<ReturnType<VoiceModel["open"]>>;
type OnEvent = Parameters<VoiceModel["open"]>[1];
type Stop = Parameters<VoiceModel["open"]>[2];

export function createGeminiVoice(options: GeminiOptions): VoiceModel {
  const { model, truncation } = options;
  const handles = options.handles ?? new SessionHandles();
  const { name, base_url = null, credential_id = null } = model;
  const opener = new Opener(options, handles, JSON.stringify([name, base_url, credential_id]));
  return {
    name,
    mode: "realtime",
    rates: RATES,
    truncation: truncation ?? "server",
    open: async (setup, onEvent, stop) => {
      const error = findRateRefusal(RATES, setup.rates);
      if (error) return { ok: false, error };
      return opener.open(setup, onEvent, stop);
    },
  };
}

class Opener {
  readonly #options: GeminiOptions;
  readonly #handles: SessionHandles;
  readonly #owner: string;

  constructor(options: GeminiOptions, handles: SessionHandles, owner: string) {
    this.#options = options;
    this.#handles = handles;
    this.#owner = owner;
  }

  /** A handle that the server refuses is forgotten, and the conversation told. */
  async open(setup: VoiceSetup, onEvent: OnEvent, stop: Stop): Promise<Opened> {
    const resumption = this.#handles.resume(this.#owner, setup);
    if (!resumption) return this.#connect(setup, null, { onEvent, stop });
    const opened = await this.#connect(setup, resumption, { onEvent, stop });
    if (opened.ok || stop.aborted) return opened;
    const isClosed = isClosing(opened);
    // One that the server is silent about would hold up every connection to come.
    if (isClosed || opened.report?.kind === "timeout") this.#handles.drop();
    if (!isClosed) return opened;
    return this.#connect(setup, null, { onEvent, stop });
  }

  async #connect(
    setup: VoiceSetup,
    resumption: Resumption | null,
    { onEvent, stop }: { readonly onEvent: OnEvent; readonly stop: Stop },
  ): Promise<Opened> {
    const { model, outgoing, secrets, limits } = this.#options;
    let connection: GeminiConnection | null = null;
    const first = new FirstAnswer();
    const opened = await openProviderSocket({
      outgoing,
      secrets,
      credentialId: model.credential_id,
      url: addressOf(model),
      place: (key) => ({ query: { key } }),
      ...(limits && { limits }),
      stop,
      onFrame: (frame) => (connection ? connection.take(frame) : first.take(frame)),
      onEnd: (failure) => {
        if (isRefusing(failure)) this.#handles.drop();
        if (connection) connection.lost(failure);
        else first.end(failure);
      },
    });
    if (!opened.ok) return opened;
    const { socket } = opened;
    const stopped = () => first.end(providerFailure("connection_lost"));
    if (stop.aborted) stopped();
    stop.addEventListener("abort", stopped, { once: true });
    const { told, untold, feed } = resumption ? { told: [], ...resumption } : splitHistory(setup);
    const history = historyContents(told);
    const hasHistory = history.length > 0;
    const { handle } = resumption ?? {};
    socket.send(setupFrame(model, setup, { ...(handle !== undefined && { handle }), hasHistory }));
    socket.expect("ready");
    const answer = await first.answer;
    stop.removeEventListener("abort", stopped);
    if (!answer.ok) {
      socket.close();
      return answer;
    }
    socket.rest();
    const onHandle = (kept: string) =>
      this.#handles.keep({ owner: this.#owner, handle: kept, memory: feed.memory });
    const { session } = answer;
    const parts = { setup, feed, untold, socket, session, onEvent, onHandle };
    connection = new GeminiConnection({ name: model.name, ...parts });
    const close = () => connection?.close();
    stop.addEventListener("abort", close, { once: true });
    if (hasHistory) socket.send({ clientContent: { turns: history, turnComplete: true } });
    for (const frame of first.later()) connection.take(frame);
    const lost = first.lost();
    if (lost) connection.lost(lost);
    return { ok: true, connection };
  }
}

type Answer =
  | { readonly ok: true; readonly session: string }
  | ({ readonly ok: false } & ProviderFailure);

/** The answer to a setup. All before it means nothing; what follows at once is for the connection. */
class FirstAnswer {
  readonly answer: Promise<Answer>;
  #resolve: (answer: Answer) => void = () => undefined;
  #isReady = false;
  #later: ProviderFrame[] = [];
  #lost: ProviderFailure | null = null;

  constructor() {
    this.answer = new Promise((resolve) => (this.#resolve = resolve));
  }

  take(frame: ProviderFrame): void {
    if (this.#isReady) {
      this.#later.push(frame);
      return;
    }
    const { session } = readServerFrame(frame);
    if (session === null) return;
    this.#isReady = true;
    this.#resolve({ ok: true, session });
  }

  end(failure: ProviderFailure): void {
    this.#lost ??= failure;
    this.#resolve({ ok: false, ...failure });
  }

  later(): readonly ProviderFrame[] {
    return this.#later;
  }

  lost(): ProviderFailure | null {
    return this.#isReady ? this.#lost : null;
  }
}

/**
 * The last messages of the user, which nobody has answered, are told when a reply asks: a history asks for nothing. Their
 * words are those of the history: a reply that began before they were written down has none.
 */
function splitHistory({ history, unheard = [] }: Pick<VoiceSetup, "history" | "unheard">) {
  const last = history.findLastIndex(({ role }) => role !== "user");
  const rest = conversationPieces(history.slice(last + 1));
  return {
    told: history.slice(0, last + 1),
    untold: rest.map((piece): FeedEntry => ({ type: "told", ...piece })),
    feed: new ConversationFeed({ history, unheard }),
  };
}

/** The server has closed the socket in answer to the setup. */
function isClosing(opened: Opened): boolean {
  return !opened.ok && opened.report?.code !== undefined && opened.report.http_status === undefined;
}

const REFUSING = ["1007", "1008"];

function isRefusing({ report }: ProviderFailure): boolean {
  return REFUSING.includes(report.code ?? "");
}
