// Sound of a page, both ways. Browsers let pages make none before a click, and some, as Safari, within its handler alone.
import type { SampleOutput } from "./loudspeaker.ts";

export interface PageSound {
  readonly output: SampleOutput;
  /** For a microphone: at the rate of the device, as not every browser takes one into a context of another rate. */
  readonly capture: AudioContext;
  /** Resolves when sound can be heard. Rejects with {@link NO_SOUND} where the browser allows none. */
  readonly ready: Promise<void>;
  close(): void;
}

/** Message of the error of a page that may make no sound. */
export const NO_SOUND = "The browser lets this page make no sound. Press Talk again.";
/** Milliseconds in which a loudspeaker starts; one that may not waits without an end. */
const START_MS = 4_000;

/** To be called in the answer to a click, before anything is waited for. @param rate Of what is played, in Hz. */
export function openSound(rate: number): PageSound {
  const contexts = [new AudioContext({ sampleRate: rate }), new AudioContext()] as const;
  const [played, capture] = contexts;
  const ready = within(START_MS, Promise.all(contexts.map((context) => context.resume())));
  // A sound may be closed before anybody waits for it.
  ready.catch(() => undefined);
  return {
    output: outputOf(played),
    capture,
    ready,
    close() {
      for (const context of contexts) void context.close().catch(() => undefined);
    },
  };
}

function within(durationMs: number, started: Promise<unknown>): Promise<void> {
  return new Promise((resolve, reject) => {
    const refuse = () => reject(new Error(NO_SOUND));
    const timer = setTimeout(refuse, durationMs);
    started.then(() => resolve(), refuse).finally(() => clearTimeout(timer));
  });
}

/** The browser's loudspeaker. */
function outputOf(context: AudioContext): SampleOutput {
  const rate = context.sampleRate;
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
  };
}
