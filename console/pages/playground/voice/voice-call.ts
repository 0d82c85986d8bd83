// A conversation by voice on this page: the microphone, the loudspeaker and the voice connection, from "Talk" to the end.
import type { LoggedEvent, SessionHandle, Voice } from "../../../../sdk/index.ts";
import { Loudness } from "../../../audio/loudness.ts";
import { Loudspeaker } from "../../../audio/loudspeaker.ts";
import { openMicrophone, type Microphone } from "../../../audio/microphone.ts";
import { openSound, type PageSound } from "../../../audio/open-sound.ts";
import { wordsOfDeviceFailure, wordsOfVoiceEnd } from "./voice-words.ts";

/** Hz of the audio both ways. */
const RATE = 24_000;

/** The sound of a page that talks. To be called in the answer to a click, before anything is waited for. */
export function openTalkSound(): PageSound {
  return openSound(RATE);
}

export interface VoiceCallState {
  readonly phase: "off" | "starting" | "open" | "reconnecting";
  readonly isMuted: boolean;
  /** Whether the agent is heard. */
  readonly isSpeaking: boolean;
  readonly problem: string | null;
}

const OFF: VoiceCallState = { phase: "off", isMuted: false, isSpeaking: false, problem: null };

/** The parts of a call that was begun: they come one after the other. */
interface Parts {
  readonly leave: AbortController;
  sound?: PageSound;
  loudspeaker?: Loudspeaker;
  /** Missing without one: then one writes and listens. */
  microphone?: Microphone;
  voice?: Voice;
}

export class VoiceCall {
  readonly loudness = new Loudness();
  readonly #session: SessionHandle;
  readonly #sendText: (id: string, text: string) => void;
  /** Texts that were said in writing and that the conversation does not have yet, by the ids of their messages. */
  readonly #unplaced = new Map<string, string>();
  readonly #listeners = new Set<() => void>();
  #state = OFF;
  #parts: Parts | null = null;

  /** @param sendText Sends a text that the connection has not brought, under the same id: it is one message. */
  constructor(session: SessionHandle, sendText: (id: string, text: string) => void) {
    this.#session = session;
    this.#sendText = sendText;
  }

  readonly getState = (): VoiceCallState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /**
   * Begins to talk. A failure is in the state.
   * @param given Sound that was opened in the answer to a click; without it this has to be called there.
   */
  readonly begin = async (given?: PageSound): Promise<void> => {
    if (this.#parts) return given?.close();
    const parts: Parts = { leave: new AbortController() };
    this.#parts = parts;
    this.#set({ ...OFF, phase: "starting" });
    try {
      parts.sound = given ?? openTalkSound();
      await this.#open(parts, parts.sound);
    } catch (error) {
      this.#finish(parts, wordsOfVoiceEnd(error));
    }
    // Ended meanwhile: what has come since is given back.
    if (this.#parts !== parts) close(parts);
  };

  readonly end = (): void => {
    if (this.#parts) this.#finish(this.#parts, null);
  };

  readonly toggleMute = (): void => {
    const isMuted = !this.#state.isMuted;
    this.#parts?.microphone?.setMuted(isMuted);
    this.loudness.set(0);
    this.#set({ isMuted });
  };

  /** Stops what the agent says. */
  readonly interrupt = (): void => this.#parts?.voice?.interrupt();

  /** Says a text in place of speech. @returns false where it cannot be said so. */
  readonly say = (text: string): boolean => {
    const { voice } = this.#parts ?? {};
    if (!voice) return false;
    try {
      this.#unplaced.set(voice.text(text), text);
    } catch {
      // Too much waits for the connection already.
      return false;
    }
    this.#set({ problem: null });
    return true;
  };

  /** An event of the session, by whatever connection it comes. */
  readonly note = (event: LoggedEvent): void => {
    if (event.type !== "CUSTOM" || event.name !== "message_added") return;
    const { message } = event.value as { readonly message?: { readonly id?: string } };
    if (message?.id !== undefined) this.#unplaced.delete(message.id);
  };

  async #open(parts: Parts, { output, capture, ready }: PageSound): Promise<void> {
    await ready;
    const player = new Loudspeaker(output, (isSpeaking) => this.#show(parts, { isSpeaking }));
    parts.loudspeaker = player;
    const rate = { rate: RATE };
    const { signal } = parts.leave;
    const voice = await this.#session.speak({ input: rate, output: rate, player, signal });
    parts.voice = voice;
    voice.on("error", ({ detail, ref }) => {
      this.#show(parts, { problem: detail });
      if (ref !== undefined) this.#write(ref);
    });
    voice.on("state", (state) => {
      if (state === "open" || state === "reconnecting") this.#show(parts, { phase: state });
    });
    void voice.closed.then((reason) => {
      this.#finish(parts, reason === null ? null : wordsOfVoiceEnd(reason));
    });
    // Last, so that nothing is said before somebody hears it.
    parts.microphone = await this.#openMicrophone(parts, capture);
    parts.microphone?.setMuted(this.#state.isMuted);
    if (voice.state === "open") this.#show(parts, { phase: "open" });
  }

  #openMicrophone(parts: Parts, context: AudioContext): Promise<Microphone | undefined> {
    return openMicrophone({
      context,
      rate: RATE,
      onFrame: ({ pcm, loudness }) => {
        this.loudness.set(loudness);
        parts.voice?.append(pcm);
      },
      onEnd: () => this.#finish(parts, "The microphone is gone."),
    }).catch((error: unknown) => {
      this.#show(parts, { problem: wordsOfDeviceFailure(error) });
      return undefined;
    });
  }

  #finish(parts: Parts, problem: string | null): void {
    close(parts);
    if (this.#parts !== parts) return;
    this.#parts = null;
    this.loudness.set(0);
    this.#set({ ...OFF, problem });
    for (const id of this.#unplaced.keys()) this.#write(id);
  }

  /** Sends in writing what was not said: it is not dropped without a word. */
  #write(id: string): void {
    const text = this.#unplaced.get(id);
    if (this.#unplaced.delete(id) && text !== undefined) this.#sendText(id, text);
  }

  /** A change that a call tells; one that was ended tells nothing. */
  #show(parts: Parts, change: Partial<VoiceCallState>): void {
    if (this.#parts === parts) this.#set(change);
  }

  #set(change: Partial<VoiceCallState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}

function close({ leave, sound, loudspeaker, microphone }: Parts): void {
  leave.abort();
  loudspeaker?.stopAll();
  microphone?.close();
  sound?.close();
}
