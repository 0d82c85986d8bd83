// Servers of WebSockets and of audio for tests in workerd, which cannot listen themselves.
import type { TestProject } from "vitest/node";

import { startFakeAudio } from "./fake-audio.ts";
import { startFakeSockets } from "./fake-socket.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** `ws://`, without a slash at its end. */
    readonly fakeSocketsUrl: string;
    /** For `base_url`. It hears and speaks tones. */
    readonly fakeAudioUrl: string;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [sockets, audio] = await Promise.all([startFakeSockets(), startFakeAudio()]);
  project.provide("fakeSocketsUrl", sockets.url);
  project.provide("fakeAudioUrl", audio.baseUrl);
  return async () => {
    await Promise.all([sockets.stop(), audio.stop()]);
  };
}
