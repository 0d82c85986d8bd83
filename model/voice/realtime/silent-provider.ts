// A provider that finds turns itself and says nothing of speech that was heard here. A socket that has gone without a close
// is silent, and so is one that takes the speech for noise: it is asked for something that it has to answer.
import { TurnDetector } from "../../../agent/voice/detect-turns.ts";
import type { TurnSettings } from "../../../protocol/voice/contract.ts";
import { SOCKET_LIMITS, type SocketLimits } from "./socket-limits.ts";

interface SilentProviderOptions {
  readonly turns: TurnSettings;
  readonly rate: number;
  readonly limits: Partial<Pick<SocketLimits, "unheardMs" | "readyMs">>;
  /** Asks for something that is answered by a frame. */
  readonly ask: () => void;
  /** Not even that was answered. */
  readonly lost: () => void;
}

export class SilentProvider {
  readonly #options: SilentProviderOptions;
  readonly #detector: TurnDetector;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: SilentProviderOptions) {
    this.#options = options;
    this.#detector = new TurnDetector(options.turns, options.rate);
  }

  /** Audio of the user, as the provider is sent it. */
  append(pcm: Uint8Array): void {
    const isBegun = this.#detector.push(pcm).some(({ type }) => type === "started");
    if (!isBegun || this.#timer !== undefined) return;
    const { ask, lost, limits } = this.#options;
    const { unheardMs, readyMs } = { ...SOCKET_LIMITS, ...limits };
    this.#timer = setTimeout(() => {
      this.#timer = setTimeout(lost, readyMs);
      ask();
    }, unheardMs);
  }

  /** The provider is there: a frame of any kind has come. */
  note(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
