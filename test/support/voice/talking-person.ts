// A person at a page: speaks into a microphone that the test has made, and notes what the page plays.
import type { Page } from "playwright-core";
import { expect } from "vitest";

import { pcmToText, textToPcm } from "../../../model/voice/tones.ts";

/** Hz of what is said; the page's own audio has the same. */
const RATE = 24_000;

/** In place of the device, which a browser without one lacks. Runs before the page's own scripts. */
const DEVICE = `(() => {
  const start = AudioBufferSourceNode.prototype.start;
  const voices = [];
  let begun = null;
  window.person = {
    played: [],
    say: null,
    secondsHeard: () => (begun ? begun.context.currentTime - begun.at : 0),
  };
  AudioBufferSourceNode.prototype.start = function (at = 0) {
    if (!voices.includes(this)) {
      begun ??= { context: this.context, at };
      window.person.played.push(Array.from(this.buffer.getChannelData(0)));
    }
    return start.call(this, at);
  };
  navigator.mediaDevices.getUserMedia = async () => {
    const context = new AudioContext({ sampleRate: ${RATE} });
    const device = context.createMediaStreamDestination();
    await context.resume();
    window.person.say = (base64) => new Promise((resolve) => {
      const bytes = Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));
      const samples = Float32Array.from(new Int16Array(bytes.buffer), (one) => one / 32768);
      const buffer = context.createBuffer(1, samples.length, ${RATE});
      buffer.copyToChannel(samples, 0);
      const source = context.createBufferSource();
      voices.push(source);
      source.buffer = buffer;
      source.connect(device);
      source.onended = resolve;
      source.start();
    });
    return device.stream;
  };
})()`;

export interface TalkingPerson {
  /** Says something; resolves when it was said. */
  say(text: string): Promise<void>;
  /** What the page has played since the last look, as text. */
  heard(): Promise<string | null>;
  /** Resolves when so many seconds have passed since the page played its first sound. */
  listen(seconds: number): Promise<void>;
}

/** To be called before the page is loaded; a page keeps the microphone. */
export async function giveMicrophone(page: Page): Promise<TalkingPerson> {
  await page.addInitScript(DEVICE);
  return {
    async say(text) {
      const base64 = Buffer.from(textToPcm(text, RATE)).toString("base64");
      await page.evaluate(`window.person.say(${JSON.stringify(base64)})`);
    },
    async heard() {
      const pieces = await page.evaluate<number[][]>("window.person.played.splice(0)");
      const samples = Int16Array.from(pieces.flat(), (sample) => Math.round(sample * 32_767));
      return pcmToText(new Uint8Array(samples.buffer), RATE);
    },
    async listen(seconds) {
      const heard = () => page.evaluate<number>("window.person.secondsHeard()");
      await expect.poll(heard).toBeGreaterThan(seconds);
    },
  };
}

/** Speech in a file, as browsers take it in place of a device, with silence around: a device repeats the end of its file. */
export function toWav(text: string): Uint8Array {
  const speech = textToPcm(text, RATE);
  const pcm = new Uint8Array(2 * SILENCE_BYTES + speech.byteLength);
  pcm.set(speech, SILENCE_BYTES);
  const bytes = new Uint8Array(WAV_HEAD_BYTES + pcm.byteLength);
  const head = new DataView(bytes.buffer);
  const write = (at: number, name: string) => bytes.set(new TextEncoder().encode(name), at);
  write(0, "RIFF");
  head.setUint32(4, bytes.byteLength - 8, true);
  write(8, "WAVEfmt ");
  head.setUint32(16, 16, true);
  // PCM of one channel.
  head.setUint16(20, 1, true);
  head.setUint16(22, 1, true);
  head.setUint32(24, RATE, true);
  head.setUint32(28, RATE * 2, true);
  head.setUint16(32, 2, true);
  head.setUint16(34, 16, true);
  write(36, "data");
  head.setUint32(40, pcm.byteLength, true);
  bytes.set(pcm, WAV_HEAD_BYTES);
  return bytes;
}

const WAV_HEAD_BYTES = 44;
/** Half a second. */
const SILENCE_BYTES = RATE;
