// A walk of the engine: a client, a provider and a session that do anything at any time. What must hold at each step is
// collected in `broken`.
import type { VoiceEffect } from "../../../agent/voice/engine/voice-effect.ts";
import type { VoiceEngineSettings } from "../../../agent/voice/engine/voice-state.ts";
import type { VoiceModelEvent } from "../../../agent/voice/voice-model.ts";
import { seededRandom } from "../../support/seeded-random.ts";
import { audioOf, VoicePlay, type Input } from "./voice-play.ts";

const WORDS = ["Hello", " there", ",", " wor", "ld", ". ", "你好", "世界。", " 👍🏽", "\n", " 3.14"];

export class EngineWalk {
  readonly broken: string[] = [];
  readonly play: VoicePlay;
  readonly #random: () => number;
  /** Texts of blocks, as the log has them. */
  readonly #texts = new Map<string, string>();
  readonly #once = new Set<string>();
  readonly #sentBytes = new Map<number, number>();
  readonly #closedItems = new Set<number>();
  #isProviderThere = false;
  #isClientThere = false;
  #count = 0;
  #openReply: { id: string; call: number; block: string | null; isCallOpen: boolean } | null = null;
  #asked: Extract<VoiceEffect, { type: "begin_reply" | "place_message" }>[] = [];

  constructor(seed: number) {
    this.#random = seededRandom(seed);
    this.play = new VoicePlay({
      mode: this.#pick<VoiceEngineSettings["mode"]>(["realtime", "cascade"]),
      truncation: this.#pick<VoiceEngineSettings["truncation"]>(["explicit", "server", "none"]),
      idle_ms: this.#pick([5_000, 30_000, 30_000]),
      keeps_audio: true,
    });
  }

  walk(steps: number): void {
    for (let step = 0; step < steps; step += 1) {
      this.play.now += this.#pick([0, 0, 1, 20, 100, 400, this.#pick([20, 20, 3_000])]);
      this.#step();
    }
    this.#rest();
  }

  /** The client goes, and the session ends what it has begun: nothing may be left. */
  #rest(): void {
    this.#tell({ type: "client_closed" });
    while (this.#asked.length > 0) this.#answer();
    this.#endReply();
    for (let minute = 0; minute < 6; minute += 1) {
      this.#check(this.play.wait(60_000));
      while (this.#asked.length > 0) this.#answer();
      this.#endReply();
    }
    const { speech, turns, held, starting, calls, scheduled_ms, provider } = this.play.state;
    const left = { speech, turns, held, starting, calls, scheduled_ms };
    const nothing = {
      speech: null,
      turns: [],
      held: [],
      starting: [],
      calls: [],
      scheduled_ms: null,
    };
    this.#hold(JSON.stringify(left) === JSON.stringify(nothing), `left: ${JSON.stringify(left)}`);
    this.#hold(provider.status === "closed", "the provider is left open");
  }

  #step(): void {
    const steps = [
      () => this.#client(),
      () => this.#client(),
      () => this.#provider(),
      () => this.#provider(),
      () => this.#response(),
      () => this.#response(),
      () => this.#response(),
      () => this.#response(),
      () => this.#session(),
      () => this.#session(),
      () => this.#answerAloud(),
      () => this.#check(this.play.wait(0)),
    ];
    this.#pick(steps)();
  }

  #client(): void {
    const item = this.#upTo(6);
    const opened: Input = {
      type: "client_opened",
      turns: this.#pick(["server", "server", "server", "manual"]),
    };
    const isThere = this.play.state.client !== null;
    if (this.#random() < (isThere ? 0.03 : 0.7)) {
      return this.#tell(isThere ? this.#pick([opened, { type: "client_closed" }]) : opened);
    }
    const newest = this.#newestItem();
    this.#tell(
      this.#pick<Input>([
        { type: "audio", ms: this.#pick([0, 20, 500]) },
        { type: "audio", ms: 100 },
        { type: "audio", ms: 100 },
        { type: "audio", ms: 100 },
        { type: "commit" },
        { type: "clear" },
        {
          type: "speaker_changed",
          turns: this.#pick(["server", "server", "server", "server", "manual"]),
          from: this.#upTo(2),
        },
        { type: "text", text: "Hi" },
        { type: "interrupt" },
        { type: "interrupt", reply_id: `rep_${this.#upTo(3)}` },
        { type: "played", item, ms: this.#upTo(3_000) },
        { type: "played", item: newest, ms: this.#upTo(400) },
        { type: "played", item: newest, ms: this.#upTo(3_000) },
      ]),
    );
  }

  #provider(): void {
    const { speech, turns } = this.play.state;
    const any = `in_${this.#upTo(4) + Math.floor(this.#count / 40)}`;
    const spoken = this.#pick([any, speech?.item_id ?? any]);
    const item_id = this.#pick([any, turns[0]?.item_id ?? any]);
    const transcript = this.#pick(["", "hello", "你好"]);
    this.#count += 1;
    const inputs: VoiceModelEvent[] = [
      { type: "input_started", item_id: any, audio_start_ms: this.#upTo(2_000) },
      { type: "input_done", item_id: spoken, audio_end_ms: this.#upTo(9_000) },
      { type: "input_done", item_id: spoken, audio_end_ms: 0 },
      { type: "error", code: "x", message: "", item_id },
      { type: "input_transcription_done", item_id, transcript, usage: null },
      { type: "input_transcription_done", item_id, transcript, usage: null },
    ];
    if (this.#random() < 0.02) return this.#tell({ type: "provider_lost" });
    if (this.play.state.provider.status !== "open") {
      return this.#tell({ type: this.#pick(["provider_opened", "provider_wanted"]) });
    }
    this.#tell({ type: "model", event: this.#pick(inputs) });
  }

  #response(): void {
    const isAwaited = this.play.state.calls.at(-1)?.response_id === null;
    const any = `resp_${this.#upTo(2) + Math.floor(this.#count / 30)}`;
    const newest = this.play.state.calls.at(-1)?.response_id ?? any;
    const response_id = this.#pick([any, newest, newest]);
    const item_id = `${response_id}_${this.#pick([0, 0, 0, 1, 2])}`;
    const ids = { response_id, item_id };
    const status = this.#pick(["completed", "cancelled", "failed", "incomplete"] as const);
    if (isAwaited && this.#random() < 0.7) {
      const event = { type: "response_created", response_id } as const;
      return this.#tell({ type: "model", event });
    }
    this.#tell({
      type: "model",
      event: this.#pick([
        { type: "response_created", response_id },
        { type: "response_audio_delta", ...ids, audio: audioOf(this.#upTo(800)) },
        { type: "response_audio_delta", ...ids, audio: audioOf(this.#upTo(800)) },
        { type: "response_audio_delta", ...ids, audio: new Uint8Array(this.#upTo(9)) },
        { type: "response_audio_transcript_delta", ...ids, delta: this.#pick(WORDS) },
        { type: "response_audio_transcript_delta", ...ids, delta: this.#pick(WORDS) },
        { type: "response_audio_done", ...ids },
        { type: "response_done", response_id, status, usage: null },
      ]),
    });
  }

  #session(): void {
    if (this.#asked.length > 0 && this.#random() < 0.7) return this.#answer();
    const open = this.#openReply;
    if (!open) return;
    const { id: reply_id } = open;
    if (!open.isCallOpen) {
      if (this.#random() < 0.5) return this.#endReply();
      open.isCallOpen = true;
      this.#check(this.play.log({ type: "MODEL_CALL_START", reply_id }));
      return;
    }
    if (open.block === null || this.#random() < 0.1) {
      open.call += 1;
      open.block = `${reply_id}_${open.call}`;
      this.#texts.set(open.block, "");
      this.#check(this.play.log({ type: "TEXT_BLOCK_START", reply_id, block_id: open.block }));
      return;
    }
    const block_id = open.block;
    if (this.#random() < 0.6) {
      const delta = this.#pick(WORDS);
      this.#texts.set(block_id, (this.#texts.get(block_id) ?? "") + delta);
      this.#check(this.play.log({ type: "TEXT_BLOCK_DELTA", reply_id, block_id, delta }));
      return;
    }
    open.block = null;
    open.isCallOpen = false;
    if (this.#random() < 0.2) {
      const value = { reply_id, discard_block_ids: [block_id] };
      this.#check(this.play.log({ type: "CUSTOM", name: "reply_recovered", reply_id, value }));
    }
    this.#check(this.play.log({ type: "MODEL_CALL_END", reply_id }));
  }

  /** A call of the open reply says some words, some of which are heard. */
  #answerAloud(): void {
    const open = this.#openReply;
    if (!open?.isCallOpen) return;
    const { id: reply_id } = open;
    open.call += 1;
    const block_id = `${reply_id}_${open.call}`;
    const response_id = this.play.state.calls.at(-1)?.response_id ?? `resp_${block_id}`;
    const ids = { response_id, item_id: `item_${block_id}` };
    open.block = block_id;
    this.#texts.set(block_id, "");
    this.#tell({ type: "model", event: { type: "response_created", response_id } });
    this.#check(this.play.log({ type: "TEXT_BLOCK_START", reply_id, block_id }));
    for (let words = 0; words < 6; words += 1) {
      const delta = this.#pick(WORDS);
      const text = { type: "response_audio_transcript_delta", ...ids, delta } as const;
      this.#tell({ type: "model", event: text });
      this.#texts.set(block_id, (this.#texts.get(block_id) ?? "") + delta);
      this.#check(this.play.log({ type: "TEXT_BLOCK_DELTA", reply_id, block_id, delta }));
      const audio = audioOf(this.#upTo(400));
      this.#tell({ type: "model", event: { type: "response_audio_delta", ...ids, audio } });
    }
    this.#tell({ type: "played", item: this.#newestItem(), ms: this.#upTo(1_500) });
  }

  #endReply(): void {
    const open = this.#openReply;
    this.#openReply = null;
    if (open) this.#check(this.play.log({ type: "REPLY_END", reply_id: open.id }));
  }

  /** The session does what it was asked for, or refuses it. */
  #answer(): void {
    const [asked] = this.#asked.splice(0, 1);
    if (!asked) return;
    const { turn } = asked;
    if (this.#random() < 0.1) {
      return this.#tell({ type: "act_refused", turn, code: "quota_exceeded", detail: "" });
    }
    const message_id = `msg_${turn}`;
    if (asked.type === "place_message")
      return this.#tell({ type: "message_placed", turn, message_id });
    this.#endReply();
    const id = `rep_${turn}`;
    this.#openReply = { id, call: 0, block: null, isCallOpen: false };
    const isEarly = this.#random() < 0.5;
    const start = () => this.#check(this.play.log({ type: "REPLY_START", reply_id: id }));
    if (isEarly) start();
    this.#tell({ type: "reply_begun", turn, reply_id: id, message_id });
    if (!isEarly) start();
  }

  #tell(input: Input): void {
    if (input.type === "client_opened") this.#isClientThere = true;
    if (input.type === "client_closed") this.#isClientThere = false;
    this.#check(this.play.tell(input));
    this.#isProviderThere = this.play.state.provider.status !== "closed";
  }

  #check(effects: readonly VoiceEffect[]): void {
    for (const effect of effects) this.#checkEffect(effect);
    const { turns, calls, held, starting, spoken, past_ids } = this.play.state;
    const isBounded =
      turns.length <= 16 &&
      calls.length <= 16 &&
      held.length + starting.length <= 16 &&
      spoken.length <= 64 &&
      past_ids.length <= 256;
    this.#hold(isBounded, "the state grows");
  }

  #checkEffect(effect: VoiceEffect): void {
    switch (effect.type) {
      case "send_audio":
        return this.#checkAudio(effect);
      case "send":
        this.#hold(this.#isClientThere, "a frame for nobody");
        if (effect.frame.type === "error") return;
        this.#hold(!this.#closedItems.has(effect.frame.item), "an item ends twice");
        if (effect.frame.type === "audio_clear") this.#closedItems.add(effect.frame.item);
        else this.#first(`end ${effect.frame.item}`);
        return;
      case "item_over":
        return this.#first(`over ${effect.item}`);
      case "truncate": {
        const whole = this.#texts.get(effect.block_id);
        this.#first(`truncate ${effect.block_id}`);
        this.#hold(
          whole?.startsWith(effect.text) === true,
          `${effect.text} is not heard of ${whole}`,
        );
        return this.#hold(effect.text !== whole, "a truncation takes nothing");
      }
      case "provider":
        return this.#checkCommand(effect);
      case "begin_reply":
        if (effect.message.type === "speech") this.#first(`spoken ${effect.message.item}`);
        this.#first(`reply ${effect.turn}`);
        this.#asked.push(effect);
        return;
      case "place_message":
        this.#first(`place ${effect.turn}`);
        this.#asked.push(effect);
        return;
      case "transcribed":
        return this.#first(`transcribed ${effect.message_id}`);
      default:
        return;
    }
  }

  #checkAudio({ item, ms, audio }: Extract<VoiceEffect, { type: "send_audio" }>): void {
    const bytes = this.#sentBytes.get(item) ?? 0;
    this.#sentBytes.set(item, bytes + audio.byteLength);
    this.#hold(this.#isClientThere, "audio for nobody");
    this.#hold(!this.#closedItems.has(item), "audio behind its end");
    this.#hold(ms === Math.floor(bytes / 16), "audio in another place");
  }

  #checkCommand({ command }: Extract<VoiceEffect, { type: "provider" }>): void {
    if (command.type === "open") {
      this.#hold(!this.#isProviderThere, "opened twice");
      this.#isProviderThere = true;
    }
    this.#hold(
      this.#isProviderThere || command.type === "close",
      `${command.type} without a provider`,
    );
    if (command.type === "close") this.#isProviderThere = false;
    if (command.type === "truncate" || command.type === "delete_item") {
      this.#first(`provider ${command.item_id}`);
    }
  }

  #newestItem(): number {
    return Math.max(
      1,
      ...this.play.state.calls.flatMap(({ items }) => items.map(({ item }) => item ?? 0)),
    );
  }

  #first(what: string): void {
    this.#hold(!this.#once.has(what), `twice: ${what}`);
    this.#once.add(what);
  }

  #hold(isSo: boolean, what: string): void {
    if (!isSo) this.broken.push(what);
  }

  #pick<Value>(values: readonly Value[]): Value {
    return values[this.#upTo(values.length - 1)] as Value;
  }

  #upTo(most: number): number {
    return Math.floor(this.#random() * (most + 1));
  }
}
