// Attacks by voice connections, and by the models behind them. They go on for a while, as neighbours' do.
import { setTimeout as sleep } from "node:timers/promises";

import { openPlainSocket, type PlainSocket } from "../clients/plain-socket.ts";
import { encodeAudioFrame } from "../../protocol/voice/audio-frame.ts";
import { REALTIME_PROTOCOL } from "../../protocol/voice/sockets.ts";
import type { Attack, AttackPlace } from "./attack.ts";

const LAST_MS = 4_000;
const SPEAKERS = 20;
const CASCADES = 10;
/** Hertz at the client: audio is resampled both ways. */
const RATE = 48_000;
const FRAME_MS = 40;
/** Milliseconds of audio that come at once: about as many as may. */
const AHEAD_MS = 9_000;
/** Milliseconds between two turns. */
const TURN_MS = 400;
const FRAME = encodeAudioFrame({
  item: 0,
  ms: 0,
  pcm: new Uint8Array((RATE / 1_000) * FRAME_MS * 2).fill(40),
});
const START = { type: "start", input: { rate: RATE }, output: { rate: RATE } };

export const VOICE_ATTACKS: readonly Attack[] = [
  {
    name: "twenty voice connections that speak as fast as they may, and over each answer",
    isLong: true,
    async prepare(place) {
      const voice = {
        mode: "realtime",
        model: { provider: "scripted" },
        turns: { type: "manual" },
      };
      const sockets = await openVoices(place, SPEAKERS, voice);
      return async () => {
        for (const socket of sockets) speak(socket, AHEAD_MS);
        await forTurns(sockets, (socket) => {
          speak(socket, TURN_MS);
          say(socket, { type: "text", text: "/words 2000" });
        });
      };
    },
  },
  {
    name: "ten cascades whose models write down and say without an end",
    isLong: true,
    async prepare(place) {
      const { floodingAudioUrl: base_url } = place;
      const model = { provider: "openai", name: "flood", base_url };
      const voice = {
        mode: "cascade",
        transcription: model,
        speech: model,
        turns: { type: "manual" },
      };
      const sockets = await openVoices(place, CASCADES, voice);
      return () =>
        forTurns(sockets, (socket) => {
          speak(socket, TURN_MS);
          say(socket, { type: "commit" });
          say(socket, { type: "text", text: "/say One moment. And one more. And one more." });
        });
    },
  },
];

async function openVoices(
  { attacker, reprise }: AttackPlace,
  count: number,
  voice: object,
): Promise<readonly PlainSocket[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const socket = await openPlainSocket({
        url: `${reprise.baseUrl}${await attacker.openSession({ voice })}/realtime`,
        protocol: REALTIME_PROTOCOL,
        headers: { authorization: `Bearer ${attacker.key}` },
        onMessage: () => undefined,
        // One that was closed for what it sent has done what it may.
        onLost: () => undefined,
      });
      say(socket, START);
      return socket;
    }),
  );
}

async function forTurns(
  sockets: readonly PlainSocket[],
  turn: (socket: PlainSocket) => void,
): Promise<void> {
  for (let passedMs = 0; passedMs < LAST_MS; passedMs += TURN_MS) {
    for (const socket of sockets) turn(socket);
    await sleep(TURN_MS);
  }
  for (const socket of sockets) {
    say(socket, { type: "interrupt" });
    socket.close();
  }
}

function speak(socket: PlainSocket, ms: number): void {
  for (let sentMs = 0; sentMs < ms; sentMs += FRAME_MS) socket.send(FRAME);
}

function say(socket: PlainSocket, frame: object): void {
  socket.send(JSON.stringify(frame));
}
