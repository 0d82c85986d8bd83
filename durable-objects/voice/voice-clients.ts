// The clients of a session's voice: all hear the same, each in its own form, and the floor says whose audio is heard.
import { advanceFloor, type FloorInput } from "../../agent/voice/floor/advance-floor.ts";
import { EMPTY_FLOOR, floorDueMs } from "../../agent/voice/floor/floor-state.ts";
import type { ClientInput, VoiceInput } from "../../agent/voice/engine/voice-input.ts";
import type { VoiceState } from "../../agent/voice/engine/voice-state.ts";
import type { VoiceEffect } from "../../agent/voice/engine/voice-effect.ts";
import type { ErrorCode } from "../../protocol/errors.ts";
import { ServerTurnsSchema, type VoiceSettings } from "../../protocol/voice/contract.ts";
import { DEFAULT_VOICE_CONNECTIONS } from "../../protocol/voice/limits.ts";
import { closeSocket } from "../sockets/close-sockets.ts";
import { ConnectionEar } from "./connection-ear.ts";
import type { StartedVoice } from "./voice-attachment.ts";
import type { VoiceClient } from "./voice-client.ts";

interface ClientsOptions {
  readonly voice: VoiceSettings;
  /** Hertz of what the model hears. */
  readonly rate: number;
  readonly isTurnOpen: () => boolean;
  /** An input of the engine. @param from The client whose frame it is. @param pcm Of an input of audio. */
  readonly tell: (input: ClientInput, from: VoiceClient | null, pcm: Uint8Array | null) => void;
}

/** Frames for the engine: each names its connection. */
type ClientFrameInput = Extract<
  ClientInput,
  { type: "commit" | "clear" | "text" | "interrupt" | "played" }
>;

interface Joined {
  readonly client: VoiceClient;
  /** Null where there is one connection at most, which needs none. */
  readonly ear: ConnectionEar | null;
}

const SECOND_MS = 1_000;
const SPENT = "it was sent as much audio as one connection is; go on with the cursor on a new one";

export class VoiceClients {
  readonly #options: ClientsOptions;
  readonly #joined = new Map<number, Joined>();
  #floor = EMPTY_FLOOR;
  #nextId = 1;
  #nowMs = 0;

  constructor(options: ClientsOptions) {
    this.#options = options;
  }

  get isEmpty(): boolean {
    return this.#joined.size === 0;
  }

  /** The client whose audio is heard. */
  get speaker(): VoiceClient | null {
    const { holder } = this.#floor;
    return holder === null ? null : (this.#joined.get(holder)?.client ?? null);
  }

  /** Instructions that a client has added to those of the agent, the newest one that has; null for none. */
  get instructions(): string | null {
    const added = [...this.#joined.values()].map(({ client }) => client.realtime?.instructions);
    return added.findLast((instructions) => typeof instructions === "string") ?? null;
  }

  /** The time at which one of them is over, or this one if it is sooner; null for never. */
  dueBefore(atMs: number | null): number | null {
    const dueMs = floorDueMs(this.#floor);
    return dueMs === null || atMs === null ? (dueMs ?? atMs) : Math.min(dueMs, atMs);
  }

  /** The client's `start` was taken, now or before the object slept. One too many takes the place of another. */
  connect(client: VoiceClient): void {
    const { voice, rate } = this.#options;
    const id = this.#nextId;
    this.#nextId += 1;
    const { connections: most = DEFAULT_VOICE_CONNECTIONS } = voice;
    const ear = most > 1 ? new ConnectionEar(earsOf(voice), rate) : null;
    this.#joined.set(id, { client, ear });
    const { turns, since_ms } = client.started;
    const { actor } = client;
    this.#step({
      type: "joined",
      id,
      actor: `${actor.kind} ${actor.id}`,
      turns,
      ends_ms: since_ms + voice.max_seconds * SECOND_MS,
      most,
    });
  }

  /** The client of this socket; null when another one has taken its place. */
  clientOf(socket: WebSocket): VoiceClient | null {
    const id = this.#idOf(socket);
    return id === null ? null : (this.#joined.get(id)?.client ?? null);
  }

  /** The client's socket has gone. */
  left(socket: WebSocket): void {
    const id = this.#idOf(socket);
    if (id === null) return;
    this.#remove(id);
    this.#step({ type: "left", id });
  }

  /** Closes the socket of one of them, or of all. */
  disconnect(code: ErrorCode, detail: string, only?: VoiceClient): void {
    for (const { client } of this.#joined.values()) {
      if (only && client !== only) continue;
      this.left(client.socket);
      closeSocket(client.socket, { code, detail });
    }
  }

  /** Audio of a client, at the model's rate. */
  hear(client: VoiceClient, audio: { readonly pcm: Uint8Array; readonly ms: number }): void {
    const { tell } = this.#options;
    const id = this.#idOf(client.socket);
    if (id === null) return;
    const ear = this.#joined.get(id)?.ear ?? null;
    const is_speech = ear?.hears(audio.pcm) ?? true;
    if (!this.#step({ type: "audio", id, ms: audio.ms, is_speech })) return ear?.keep(audio);
    for (const piece of [...(ear?.take() ?? []), audio]) {
      tell({ type: "audio", ms: piece.ms }, client, piece.pcm);
    }
  }

  /** A frame for the engine. */
  take(client: VoiceClient, input: ClientFrameInput): void {
    const id = this.#idOf(client.socket);
    if (id === null) return;
    const { type } = input;
    if (type === "commit" || type === "clear") {
      this.#joined.get(id)?.ear?.forget();
      const ref = input.ref === undefined ? {} : { ref: input.ref };
      if (this.#step({ type, id, ...ref })) this.#options.tell(input, client, null);
      return;
    }
    if (this.#step({ type: "frame", id })) this.#options.tell({ ...input, from: id }, client, null);
  }

  /** Any other frame, of which a client may send so many. @returns False when it was one too many. */
  count(client: VoiceClient): boolean {
    const id = this.#idOf(client.socket);
    return id !== null && this.#step({ type: "frame", id });
  }

  /** The time may have come at which one of them is over. */
  tick(): void {
    this.#step({ type: "tick" });
  }

  /** A step of the engine, before its effects, for clients whose dialect tells of it. */
  watch(before: VoiceState, after: VoiceState, input: Omit<VoiceInput, "now">): void {
    for (const { client } of this.#joined.values()) client.realtime?.watch(before, after, input);
  }

  /** To all of them; an answer to a frame to its client alone. */
  send({ frame }: Extract<VoiceEffect, { type: "send" }>, from: VoiceClient | null): void {
    for (const { client } of this.#joined.values()) {
      if (frame.type === "error" && from && client !== from) continue;
      if (frame.type === "audio_end") client.endAudio(frame.item);
      if (frame.type === "audio_clear") client.dropAudio(frame.item);
      client.send(frame);
      // Behind the frame that ends the item.
      if (client.isSpent) this.disconnect("unavailable", SPENT, client);
    }
  }

  sendAudio({ item, ms, audio }: Extract<VoiceEffect, { type: "send_audio" }>): void {
    for (const { client } of this.#joined.values()) client.sendAudio(item, ms, audio);
  }

  fail(code: ErrorCode, detail: string): void {
    for (const { client } of this.#joined.values()) client.fail(code, detail);
  }

  note(change: Partial<Pick<StartedVoice, "next_item" | "spoken">>): void {
    for (const { client } of this.#joined.values()) client.note(change);
  }

  /** Nothing is told of it any more. */
  dispose(): void {
    for (const { client } of this.#joined.values()) client.stop();
    this.#joined.clear();
    this.#floor = EMPTY_FLOOR;
  }

  /** @returns Whether the input is for the engine. */
  #step(input: WithoutNow<FloorInput>): boolean {
    this.#nowMs = Math.max(this.#nowMs, Date.now());
    const timed = { ...input, now: this.#nowMs } as FloorInput;
    const { state, effects, passes } = advanceFloor(this.#floor, timed, this.#options.isTurnOpen());
    this.#floor = state;
    for (const effect of effects) {
      if (effect.type === "engine") {
        this.#options.tell(effect.input, null, null);
        continue;
      }
      const { id, code, detail, ref } = effect;
      if (effect.type === "refuse") this.#joined.get(id)?.client.fail(code, detail, ref);
      else this.#close(id, code, detail);
    }
    return passes;
  }

  #close(id: number, code: ErrorCode, detail: string): void {
    const client = this.#joined.get(id)?.client;
    this.#remove(id);
    if (client) closeSocket(client.socket, { code, detail });
  }

  #remove(id: number): void {
    this.#joined.get(id)?.client.stop();
    this.#joined.delete(id);
  }

  #idOf(socket: WebSocket): number | null {
    for (const [id, { client }] of this.#joined) if (client.socket === socket) return id;
    return null;
  }
}

type WithoutNow<Input> = Input extends unknown ? Omit<Input, "now"> : never;

/** The agent's detection, or the usual one: it finds out who speaks, not where a turn ends. */
function earsOf({ turns }: VoiceSettings) {
  return turns.type === "server_vad" ? turns : ServerTurnsSchema.parse({ type: "server_vad" });
}
