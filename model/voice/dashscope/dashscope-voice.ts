// Qwen-Omni over the realtime server of Alibaba Cloud's Model Studio (DashScope).
import type { VoiceModel, VoiceModelEvent, VoiceSetup } from "../../../agent/voice/voice-model.ts";
import type { StopSignal } from "../../../agent/ports.ts";
import { realtimeBaseUrlOf } from "../../../protocol/voice/realtime-models.ts";
import type { SpeechPort } from "../cascade/ports.ts";
import { findRateRefusal, SPEECH_RATE, TRANSCRIPTION_RATE } from "../rates.ts";
import { providerFailure, type ProviderFailure } from "../realtime/provider-failure.ts";
import { openProviderSocket, type ProviderSocket } from "../realtime/provider-socket.ts";
import type { RealtimeOptions } from "../realtime/realtime-options.ts";
import { SOCKET_LIMITS } from "../realtime/socket-limits.ts";
import { DashScopeConnection } from "./dashscope-connection.ts";
import { readFrame, type DashScopeFrame, type ErrorWords } from "./dashscope-frames.ts";
import { sessionUpdate } from "./dashscope-session.ts";
import { WAITS, type DashScopeWaits } from "./limits.ts";
import { ToldConversation } from "./told-conversation.ts";

const RATES = { input: TRANSCRIPTION_RATE, output: SPEECH_RATE } as const;

interface DashScopeOptions extends RealtimeOptions<"dashscope"> {
  /** Says the answers to typed text; null for a voice that takes none. */
  readonly speech: SpeechPort | null;
  /** Other than {@link WAITS}, for tests. */
  readonly waits?: Partial<DashScopeWaits>;
}

type Opened = Awaited<ReturnType<VoiceModel["open"]>>;

export function createDashScopeVoice(options: DashScopeOptions): VoiceModel {
  const { model, truncation, speech } = options;
  return {
    name: model.name,
    mode: "realtime",
    rates: RATES,
    truncation: truncation ?? "none",
    takesText: speech !== null,
    open: (setup, onEvent, stop) => {
      const error = findRateRefusal(RATES, setup.rates);
      if (error) return Promise.resolve({ ok: false, error });
      return open(options, { setup, onEvent, stop });
    },
  };
}

async function open(
  options: DashScopeOptions,
  {
    setup,
    onEvent,
    stop,
  }: {
    readonly setup: VoiceSetup;
    readonly onEvent: (event: VoiceModelEvent) => void;
    readonly stop: StopSignal;
  },
): Promise<Opened> {
  const { model, outgoing, secrets, limits } = options;
  const opening = new Opening(options, setup, onEvent, stop);
  const base = realtimeBaseUrlOf(model).replace(/\/+$/, "");
  const opened = await openProviderSocket({
    outgoing,
    secrets,
    credentialId: model.credential_id,
    url: `${base}/realtime?model=${encodeURIComponent(model.name)}`,
    place: (secret) => ({ headers: { authorization: `Bearer ${secret}` } }),
    ...(limits && { limits }),
    stop,
    onFrame: (raw) => opening.take(readFrame(raw)),
    onEnd: (failure) => opening.lose(failure),
  });
  if (!opened.ok) return opened;
  opening.attach(opened.socket);
  return opening.done;
}

/** A connection from its socket on: the server says that it is there, is sent the setup, and says that it has taken it. */
class Opening {
  readonly done: Promise<Opened>;
  readonly #options: DashScopeOptions;
  readonly #setup: VoiceSetup;
  readonly #onEvent: (event: VoiceModelEvent) => void;
  readonly #stop: StopSignal;
  readonly #told: ToldConversation;
  #resolve: (opened: Opened) => void = () => undefined;
  #socket: ProviderSocket | null = null;
  /** The server's id of the session; null until it is there. */
  #sessionId: string | null = null;
  #isSet = false;
  #connection: DashScopeConnection | null = null;

  constructor(
    options: DashScopeOptions,
    setup: VoiceSetup,
    onEvent: (event: VoiceModelEvent) => void,
    stop: StopSignal,
  ) {
    this.#options = options;
    this.#setup = setup;
    this.#onEvent = onEvent;
    this.#stop = stop;
    this.#told = new ToldConversation(setup.history);
    this.done = new Promise((resolve) => (this.#resolve = resolve));
    stop.addEventListener("abort", () => this.#abort(), { once: true });
  }

  attach(socket: ProviderSocket): void {
    this.#socket = socket;
    socket.expect("ready");
    if (this.#stop.aborted) this.#abort();
    else this.#set();
  }

  take(frame: DashScopeFrame | null): void {
    if (this.#connection) return this.#connection.take(frame);
    if (!frame) return;
    if (frame.type === "session_created") {
      this.#sessionId ??= frame.id;
      this.#set();
    } else if (frame.type === "session_updated" && this.#isSet) this.#connect();
    else if (frame.type === "error") this.#refuse(frame.words);
  }

  lose(failure: ProviderFailure): void {
    if (this.#connection) this.#connection.lose(failure);
    else this.#resolve({ ok: false, ...failure });
  }

  #set(): void {
    if (!this.#socket || this.#sessionId === null || this.#isSet) return;
    this.#isSet = true;
    const { model } = this.#options;
    const instructions = this.#told.instructions(this.#setup.instructions);
    this.#socket.send(sessionUpdate(this.#setup, model.parameters, instructions));
  }

  #connect(): void {
    if (!this.#socket) return;
    const { model, speech, waits, limits } = this.#options;
    this.#socket.rest();
    const connection = new DashScopeConnection({
      name: model.name,
      parameters: model.parameters,
      speech,
      setup: this.#setup,
      told: this.#told,
      waits: { ...WAITS, ...waits },
      limits: { ...SOCKET_LIMITS, ...limits },
      socket: this.#socket,
      onEvent: this.#onEvent,
    });
    this.#connection = connection;
    connection.begin(this.#sessionId ?? "");
    this.#resolve({ ok: true, connection });
  }

  /** Settings that the server does not take, such as a voice that it does not have. */
  #refuse({ code, message }: ErrorWords): void {
    const socket = this.#socket;
    if (!socket) return;
    const words = { code: socket.redact(code), message: socket.redact(message) };
    socket.fail(providerFailure("invalid_request", words));
  }

  #abort(): void {
    this.#connection?.close();
    this.#socket?.close();
    this.#resolve({ ok: false, ...providerFailure("connection_lost") });
  }
}
