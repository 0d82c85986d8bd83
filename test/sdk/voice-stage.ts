// Scenes of a platform that speaks, and what an app says to it and hears of it.
import type { Voice } from "../../sdk/index.ts";
import { decodeAudioFrame } from "../../protocol/voice/audio-frame.ts";
import type { ServedSocket } from "../support/socket-server.ts";

const LIMITS = {
  text_bytes: 8_000_000,
  audio_bytes: 48_008,
  audio_ahead_ms: 10_000,
  turn_ms: 120_000,
  played_every_ms: 250,
  seconds: 3_600,
  idle_seconds: 30,
};
export const STARTED = {
  type: "started",
  cursor: 7,
  input: { rate: 16_000 },
  output: { rate: 24_000 },
  turns: "server",
  audio: "binary",
  limits: LIMITS,
};
export const START = { type: "start", input: { rate: 16_000 }, output: { rate: 24_000 } };

/** Answers the start, and then does more. */
export function begin(more: (socket: ServedSocket) => void = () => undefined) {
  return (socket: ServedSocket) => {
    socket.onFrame = (frame) => {
      if (typeof frame !== "string" || !frame.includes('"start"')) return;
      socket.send(STARTED);
      more(socket);
    };
  };
}

/** JSON frames behind the start, and binary ones as what they say. */
export function saidTo(socket: ServedSocket | undefined): readonly unknown[] {
  return (socket?.received ?? [])
    .filter((frame) => frame !== "ping")
    .slice(1)
    .map((frame) => {
      if (typeof frame === "string") return JSON.parse(frame);
      const audio = decodeAudioFrame(new Uint8Array(frame));
      return typeof audio === "string" ? audio : [audio.item, audio.ms, audio.pcm.byteLength];
    });
}

/** Everything that a voice tells, by name. */
export function hear(voice: Voice): readonly (readonly [string, unknown])[] {
  const heard: (readonly [string, unknown])[] = [];
  const names = ["audio", "event", "audio_end", "audio_clear", "error", "state"] as const;
  for (const name of names) voice.on(name, (value) => void heard.push([name, value]));
  return heard;
}

/** A loudspeaker with a clock that the test moves, and what it was asked for. */
export function playerOf() {
  let nowMs = 0;
  const played: unknown[] = [];
  const player = {
    nowMs: () => nowMs,
    play: (_: Uint8Array, startsAtMs: number, item: number) =>
      void played.push(["play", item, startsAtMs]),
    stop: (item: number) => void played.push(["stop", item]),
  };
  return { player, played, pass: (ms: number) => void (nowMs += ms) };
}
