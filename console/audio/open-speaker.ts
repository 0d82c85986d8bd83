import type { Speaker } from "./player.ts";

export interface OpenSpeaker extends Speaker {
  close(): void;
}

/** The browser's loudspeaker. To be called in the answer to a click: pages may make no sound before one. */
export async function openSpeaker(rate: number): Promise<OpenSpeaker> {
  const context = new AudioContext({ sampleRate: rate });
  await context.resume();
  return {
    rate,
    now: () => context.currentTime,
    // Not known to every browser.
    heard: () => context.currentTime - (context.outputLatency || 0),
    play(samples, at) {
      const buffer = context.createBuffer(1, samples.length, rate);
      buffer.copyToChannel(samples, 0);
      const source = context.createBufferSource();
      source.buffer = buffer;
      source.connect(context.destination);
      source.start(at);
      return () => {
        source.stop();
        source.disconnect();
      };
    },
    close: () => void context.close().catch(() => undefined),
  };
}
