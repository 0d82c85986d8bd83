// A client that is heard and answered at once: it measures how long each frame of audio takes to a provider and back.
import { openPlainSocket } from "../clients/plain-socket.ts";
import type { Reprise } from "../peers/reprise.ts";
import { readString } from "../../scripts/local-api.ts";
import { AUDIO_HEADER_BYTES, encodeAudioFrame } from "../../protocol/voice/audio-frame.ts";
import { PLAYED_EVERY_MS, SAMPLE_BYTES } from "../../protocol/voice/limits.ts";
import { REALTIME_PROTOCOL } from "../../protocol/voice/sockets.ts";

export interface AudioLoad {
  readonly frameMs: number;
  /** Hertz at the client. */
  readonly rate: number;
}

export interface EchoLine {
  sendFrame(): void;
  /** Of each frame, milliseconds until its last sample was back. */
  readonly tripsMs: readonly number[];
  /** @throws when the connection was lost. */
  check(): void;
  close(): Promise<void>;
}

const WAIT_MS = 20_000;

/** Over the relay object, which passes bytes of any kind. */
export async function openRelayLine(url: string, load: AudioLoad): Promise<EchoLine> {
  const trips = new Trips();
  const socket = await openPlainSocket({
    url,
    onMessage: () => trips.came(trips.received),
    onLost: (reason) => trips.lose(reason),
  });
  const frame = frameOf(load);
  return {
    ...trips.line,
    sendFrame() {
      trips.left();
      socket.send(frame);
    },
    close: async () => socket.close(),
  };
}

/** Over the voice connection of a session, whose one reply says all that comes back. */
export async function openPlatformLine(
  reprise: Reprise,
  providerUrl: string,
  load: AudioLoad,
): Promise<EchoLine> {
  const { baseUrl, tenant } = reprise;
  const voice = {
    mode: "realtime",
    model: { provider: "scripted" },
    voice: providerUrl,
    turns: { type: "manual" },
  };
  const agent_id = await reprise.createAgent({ voice });
  const session = readString(await tenant.api.call("POST", "/v1/sessions", { agent_id }), "id");
  const { rate, frameMs } = load;
  const frameBytes = bytesOf(load);
  const trips = new Trips();
  const speaking = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  let [bytes, item] = [0, 0];
  const socket = await openPlainSocket({
    url: `${baseUrl}/v1/sessions/${session}/realtime`,
    protocol: REALTIME_PROTOCOL,
    headers: { authorization: `Bearer ${tenant.key}` },
    onMessage(data, isText) {
      if (isText) {
        if (data.includes('"TEXT_BLOCK_DELTA"')) speaking.resolve();
        if (data.includes('"REPLY_END"')) ended.resolve();
        if (data.includes('"type":"error"')) trips.lose(data.toString());
        return;
      }
      item = data.readUInt16BE(2);
      bytes += data.length - AUDIO_HEADER_BYTES;
      // Audio at another rate comes with the filter's delay, which is shorter than half a frame.
      trips.came(Math.round(bytes / frameBytes) - 1);
    },
    onLost(reason) {
      trips.lose(reason);
      speaking.reject(new Error(reason));
      ended.resolve();
    },
  });
  socket.send(JSON.stringify({ type: "start", input: { rate }, output: { rate } }));
  socket.send(JSON.stringify({ type: "text", text: "Repeat what I say." }));
  const timer = setTimeout(() => speaking.reject(new Error("no reply began")), WAIT_MS);
  await speaking.promise.finally(() => clearTimeout(timer));
  const frame = frameOf(load);
  // As a client that plays.
  const playing = setInterval(() => {
    if (item === 0) return;
    const ms = Math.max(0, (trips.received - 1) * frameMs);
    socket.send(JSON.stringify({ type: "played", item, ms }));
  }, PLAYED_EVERY_MS);
  return {
    ...trips.line,
    sendFrame() {
      trips.left();
      socket.send(frame);
    },
    async close() {
      clearInterval(playing);
      // The reply would go on, and its model be asked again.
      socket.send(JSON.stringify({ type: "interrupt" }));
      await ended.promise;
      socket.close();
    },
  };
}

/** When frames left, and how long they took. */
class Trips {
  readonly #leftMs: number[] = [];
  readonly #tripsMs: number[] = [];
  #lost: string | null = null;

  get received(): number {
    return this.#tripsMs.length;
  }

  readonly line = {
    tripsMs: this.#tripsMs,
    check: (): void => {
      if (this.#lost !== null) throw new Error(`a voice connection was lost: ${this.#lost}`);
    },
  };

  left(): void {
    this.#leftMs.push(performance.now());
  }

  /** @param last Index of the newest frame that is back. */
  came(last: number): void {
    const nowMs = performance.now();
    for (let index = this.#tripsMs.length; index <= last; index += 1) {
      this.#tripsMs.push(nowMs - (this.#leftMs[index] ?? Number.NaN));
    }
  }

  lose(reason: string): void {
    this.#lost ??= reason;
  }
}

function bytesOf({ frameMs, rate }: AudioLoad): number {
  return (rate / 1_000) * frameMs * SAMPLE_BYTES;
}

function frameOf(load: AudioLoad): Uint8Array {
  const pcm = new Uint8Array(bytesOf(load));
  const samples = new DataView(pcm.buffer);
  for (let at = 0; at < pcm.byteLength; at += SAMPLE_BYTES) {
    samples.setInt16(at, ((at * 97) % 16_000) - 8_000, true);
  }
  return encodeAudioFrame({ item: 0, ms: 0, pcm });
}
