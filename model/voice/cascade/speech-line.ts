// The sentences by which the answers of a voice connection are said: one after the other, over all answers, each asked for
// while the one before is still coming, and none too long before it is heard.
import type { VoiceModelEvent } from "../../../agent/voice/voice-model.ts";
import { SAMPLE_BYTES } from "../../../protocol/voice/limits.ts";
import type { SpeechFailure, SpeechOutcome, SpeechPort } from "./ports.ts";
import { SpokenAnswer, type SpokenSentence } from "./spoken-answer.ts";

/** Sentences that are asked for: the one that is told, and one ahead. */
const MAX_ASKED = 2;

/** A sentence that was asked for. */
interface Asked {
  readonly sentence: SpokenSentence;
  /** Audio that waits until the sentences before were told. */
  held: Uint8Array[];
  isTold: boolean;
  outcome: SpeechOutcome | "pending";
}

export interface SpeechLineSettings {
  readonly speech: SpeechPort;
  readonly tell: (event: VoiceModelEvent) => void;
  /** Milliseconds of audio that are told ahead of time, before more is asked for. */
  readonly aheadMs: number;
  readonly now: () => number;
}

export class SpeechLine {
  readonly #settings: SpeechLineSettings;
  #answers: SpokenAnswer[] = [];
  #waiting: SpokenSentence[] = [];
  #asked: Asked[] = [];
  /** When what was told has been heard, if it is heard at once. */
  #heardAtMs = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(settings: SpeechLineSettings) {
    this.#settings = settings;
  }

  /** An answer behind all others. */
  begin(): SpokenAnswer {
    const answer = new SpokenAnswer(this.#settings.tell, {
      said: (sentences) => {
        this.#waiting.push(...sentences);
        this.#advance();
      },
      changed: () => this.#advance(),
    });
    this.#answers.push(answer);
    return answer;
  }

  /** Ends an answer, or all: before the next one is looked at, so that nothing more is asked for. */
  cancel(answer?: SpokenAnswer): void {
    if (!answer) this.#heardAtMs = 0;
    for (const one of answer ? [answer] : this.#answers) one.cancel();
    this.#advance();
  }

  #advance(): void {
    clearTimeout(this.#timer);
    this.#waiting = this.#waiting.filter(({ answer }) => !answer.isOver);
    this.#asked = this.#asked.filter(({ sentence }) => !sentence.answer.isOver);
    this.#tell();
    while (this.#waiting.length > 0 && this.#asked.length < MAX_ASKED && !this.#isAhead()) {
      const sentence = this.#waiting.shift();
      if (sentence) this.#ask(sentence);
      this.#tell();
    }
    this.#end();
  }

  /** Tells the sentences in front as far as they have come. */
  #tell(): void {
    for (let first = this.#asked[0]; first; first = this.#asked[0]) {
      const { sentence, outcome } = first;
      if (!first.isTold) {
        first.isTold = true;
        sentence.answer.tellText(sentence.delta);
        for (const pcm of first.held) this.#tellAudio(sentence, pcm);
        first.held = [];
      }
      if (outcome === "pending") return;
      this.#asked.shift();
      if (outcome) this.#break(sentence.answer, outcome);
      else sentence.answer.noteTold();
    }
  }

  #ask(sentence: SpokenSentence): void {
    const asked: Asked = { sentence, held: [], isTold: false, outcome: "pending" };
    this.#asked.push(asked);
    if (sentence.text === "") {
      asked.outcome = null;
      return;
    }
    const { answer, text } = sentence;
    const said = this.#settings.speech.speak(text, answer.stop, (pcm) => {
      if (answer.isOver) return;
      if (asked.isTold) this.#tellAudio(sentence, pcm);
      else asked.held.push(pcm);
    });
    void said.then((outcome) => {
      asked.outcome = outcome;
      this.#advance();
    });
  }

  #tellAudio({ answer }: SpokenSentence, pcm: Uint8Array): void {
    const { now, speech } = this.#settings;
    const ms = (pcm.byteLength / SAMPLE_BYTES / speech.rate) * 1_000;
    this.#heardAtMs = Math.max(this.#heardAtMs, now()) + ms;
    answer.tellAudio(pcm);
  }

  /** The answer's text stays as it is; the rest of it is not said. */
  #break(answer: SpokenAnswer, failure: SpeechFailure): void {
    this.#settings.tell({ type: "error", ...failure });
    this.#asked = this.#asked.filter(({ sentence }) => sentence.answer !== answer);
    this.#waiting = this.#waiting.filter((sentence) => sentence.answer !== answer);
    answer.break();
  }

  /** Whether enough was said for now; then it goes on by itself. */
  #isAhead(): boolean {
    const { now, aheadMs } = this.#settings;
    const waitMs = this.#heardAtMs - now() - aheadMs;
    if (waitMs <= 0) return false;
    this.#timer = setTimeout(() => this.#advance(), waitMs);
    return true;
  }

  /** Answers end in order. */
  #end(): void {
    for (let first = this.#answers[0]; first; first = this.#answers[0]) {
      if (!first.endIfTold()) return;
      this.#answers.shift();
    }
  }
}
