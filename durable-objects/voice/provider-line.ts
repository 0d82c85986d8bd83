// The provider's side of a voice connection: opened when it is needed, with commands kept in order meanwhile, and the models
// of spoken replies, which open it anew where it was lost.
import type { ProviderCommand } from "../../agent/voice/engine/voice-effect.ts";
import type { ProviderInput } from "../../agent/voice/engine/voice-input.ts";
import type {
  VoiceConnection,
  VoiceModel,
  VoiceModelEvent,
} from "../../agent/voice/voice-model.ts";
import { modelError } from "../../agent/state/model-error.ts";
import type { Model, ModelChunk, StopSignal } from "../../agent/ports.ts";
import type { Models } from "../replies/spoken-replies.ts";
import { withInstructions } from "./with-instructions.ts";

type Opened = Awaited<ReturnType<VoiceModel["open"]>>;

interface LineOptions {
  readonly model: Pick<VoiceModel, "name" | "mode">;
  readonly open: (onEvent: (event: VoiceModelEvent) => void, stop: AbortSignal) => Promise<Opened>;
  /** Keeps the object awake while it is opened. */
  readonly inBackground: (work: Promise<unknown>) => void;
  readonly tell: (input: ProviderInput) => void;
  /** Whether somebody is there who would hear what is said. */
  readonly isHeard: () => boolean;
  /** Added to those of the agent for what is said here; null for none. */
  readonly instructions: () => string | null;
}

const NOT_THERE: Opened = { ok: false, error: modelError("connection") };

export class ProviderLine {
  readonly #options: LineOptions;
  #connection: VoiceConnection | null = null;
  #opening: Promise<Opened> | null = null;
  #stop = new AbortController();
  /** Steps to be done as soon as the connection is open. */
  #waiting: ((connection: VoiceConnection) => void)[] = [];

  constructor(options: LineOptions) {
    this.#options = options;
  }

  get isClosed(): boolean {
    return this.#connection === null && this.#opening === null;
  }

  /** @param pcm The audio of the input, for `append`. */
  perform(command: ProviderCommand, pcm: Uint8Array | null): void {
    switch (command.type) {
      case "open":
        return this.#open();
      case "close":
        return this.close();
      case "append":
        return pcm ? this.#tell((connection) => connection.appendAudio(pcm)) : undefined;
      case "commit":
        return this.#tell((connection) => connection.commit());
      case "clear":
        return this.#tell((connection) => connection.clear());
      case "cancel":
        return this.#tell((connection) => connection.cancel());
      case "truncate": {
        const { item_id, played_ms, played_text } = command;
        return this.#tell((connection) => connection.truncate(item_id, played_ms, played_text));
      }
      case "delete_item":
        return this.#tell((connection) => connection.deleteItem(command.item_id));
      default:
        return command satisfies never;
    }
  }

  close(): void {
    this.#stop.abort();
    this.#connection?.close();
    this.#connection = null;
    this.#opening = null;
    this.#waiting = [];
  }

  /** In `realtime` one model, which takes the place of all; in a cascade each says what it writes. */
  speaks(models: Models): Models {
    const { name, mode } = this.#options.model;
    const [first, ...others] = models;
    if (mode === "realtime") return [this.#spoken({ name }, models, 0)];
    return [
      this.#spoken(first, models, 0),
      ...others.map((model, index) => this.#spoken(model, models, index + 1)),
    ];
  }

  #spoken(shown: Omit<Model, "stream">, models: Models, index: number): Model {
    return {
      ...shown,
      stream: (request, stop, report) => this.#stream({ models, index }, [request, stop, report]),
    };
  }

  async *#stream(
    { models, index }: { readonly models: Models; readonly index: number },
    [request, stop, report]: Parameters<Model["stream"]>,
  ): AsyncGenerator<ModelChunk, void> {
    const opened = await this.#ready(stop);
    if (stop.aborted) return;
    // Nobody is there any more: the reply goes on as text.
    if (opened !== "unheard" && !opened.ok) {
      const { error, report: failure } = opened;
      report?.({ failure: failure ?? { kind: "unreachable", message: error.message } });
      yield { error: opened.error };
      return;
    }
    const spoken = opened === "unheard" ? models : opened.connection.speaks(models);
    const added = opened === "unheard" ? null : this.#options.instructions();
    const system_prompt = withInstructions(request.system_prompt, added);
    yield* (spoken[index] ?? spoken[0]).stream({ ...request, system_prompt }, stop, report);
  }

  async #ready(stop: StopSignal): Promise<Opened | "unheard"> {
    if (this.#connection) return { ok: true, connection: this.#connection };
    if (!this.#opening && !this.#options.isHeard()) return "unheard";
    this.#options.tell({ type: "provider_wanted" });
    const opened = await this.#opening;
    if (stop.aborted || opened) return opened ?? "unheard";
    return this.#connection ? { ok: true, connection: this.#connection } : NOT_THERE;
  }

  #open(): void {
    if (!this.isClosed) return;
    const stop = new AbortController();
    this.#stop = stop;
    const opened = this.#options
      .open((event) => this.#take(event, stop.signal), stop.signal)
      .then((result) => (stop.signal.aborted && result.ok ? abandoned(result.connection) : result))
      .catch((error: unknown) => refused(error));
    this.#opening = Promise.race([opened, untilStopped(stop.signal)]);
    this.#options.inBackground(this.#opening.then((result) => this.#opened(result, stop)));
  }

  #opened(opened: Opened, stop: AbortController): void {
    if (stop.signal.aborted) return;
    this.#opening = null;
    if (!opened.ok) {
      stop.abort();
      this.#waiting = [];
      console.warn("a voice's provider could not be opened", { error: opened.error });
      return this.#options.tell({ type: "provider_lost" });
    }
    this.#connection = opened.connection;
    this.#options.tell({ type: "provider_opened" });
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const perform of waiting) perform(opened.connection);
  }

  #take(event: VoiceModelEvent, stop: AbortSignal): void {
    if (stop.aborted) return;
    if (event.type === "session_ended") this.close();
    this.#options.tell({ type: "model", event });
  }

  #tell(perform: (connection: VoiceConnection) => void): void {
    if (this.#connection) perform(this.#connection);
    else if (this.#opening) this.#waiting.push(perform);
  }
}

function abandoned(connection: VoiceConnection): Opened {
  connection.close();
  return NOT_THERE;
}

/** Reads of the session before the provider is opened may fail. */
function refused(error: unknown): Opened {
  console.error("a voice's provider could not be opened", { error: String(error) });
  return { ok: false, error: modelError("internal") };
}

/** The engine has waited for long enough, or nobody is there any more. */
function untilStopped(stop: AbortSignal): Promise<Opened> {
  return new Promise((resolve) => {
    stop.addEventListener("abort", () => resolve(NOT_THERE), { once: true });
  });
}
