// A person at a page: speaks into a microphone that the test has made, and notes what the page plays.
import type { Page } from "playwright-core";
import { expect } from "vitest";

import { readTones, toTones, TONE_RATE as RATE } from "../../support/voice/tone-audio.ts";

/** In place of the device, which a browser without one lacks. Runs before the page's own scripts. */
const DEVICE = `(() => {
  // As the browser has it, whatever a test makes of the page's own.
  const { AudioContext } = window;
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
  /** Text of the audio that the page has played since the last look. */
  heard(): Promise<string | null>;
  /** Resolves when so many seconds have passed since the page played its first sound. */
  listen(seconds: number): Promise<void>;
}

/** To be called before the page is loaded; a page keeps the microphone. */
export async function giveMicrophone(page: Page): Promise<TalkingPerson> {
  await page.addInitScript(DEVICE);
  return {
    async say(text) {
      const base64 = Buffer.from(toTones(text)).toString("base64");
      await page.evaluate(`window.person.say(${JSON.stringify(base64)})`);
    },
    async heard() {
      const pieces = await page.evaluate<number[][]>("window.person.played.splice(0)");
      return readTones(pieces.flat());
    },
    async listen(seconds) {
      const heard = () => page.evaluate<number>("window.person.secondsHeard()");
      await expect.poll(heard).toBeGreaterThan(seconds);
    },
  };
}
