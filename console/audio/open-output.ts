import type { SampleOutput } from "./loudspeaker.ts";

export interface OpenOutput extends SampleOutput {
  close(): void;
}

/** The browser's loudspeaker. To be called in the answer to a click: pages may make no sound before one. */
export async function openOutput(rate: number): Promise<OpenOutput> {
  const context = new AudioContext({ sampleRate: rate });
  await context.resume();
  return {
    rate,
    now: () => context.currentTime,
    // Not known to every browser.
    latency: () => context.outputLatency || 0,
    play(samples, at, onEnd) {
      const buffer = context.createBuffer(1, samples.length, rate);
      buffer.copyToChannel(samples, 0);
      const source = context.createBufferSource();
      source.buffer = buffer;
      source.connect(context.destination);
      source.addEventListener("ended", onEnd, { once: true });
      source.start(at);
      return () => {
        source.stop();
        source.disconnect();
      };
    },
    close: () => void context.close().catch(() => undefined),
  };
}
