// The realtime providers, each with its fake, for tests that go through the whole platform.
import type { ProviderTraps } from "../provider-suite.ts";
import { startFakeDashScope } from "./dashscope-realtime.ts";
import type { FakeProvider } from "./fake-provider.ts";
import { startFakeGemini } from "./gemini-realtime.ts";
import { startFakeOpenAi } from "./openai-realtime.ts";

export interface RealtimeProvider {
  readonly name: string;
  readonly start: () => Promise<{
    readonly url: string;
    readonly server: FakeProvider;
    readonly traps: ProviderTraps;
    stop(): Promise<void>;
  }>;
  /** The model of a realtime voice at the fake's address. */
  readonly model: (url: string) => object;
}

export const PROVIDERS: readonly RealtimeProvider[] = [
  {
    name: "openai",
    start: () => startFakeOpenAi(),
    model: (base_url) => ({
      provider: "openai",
      name: "speaker",
      base_url,
      parameters: { transcription: { model: "writer" } },
    }),
  },
  {
    name: "xai",
    start: () => startFakeOpenAi("xai"),
    model: (base_url) => ({ provider: "xai", name: "speaker", base_url }),
  },
  {
    name: "dashscope",
    start: startFakeDashScope,
    model: (base_url) => ({
      provider: "dashscope",
      name: "speaker",
      base_url,
      parameters: { transcription: { model: "writer" } },
    }),
  },
  {
    name: "gemini",
    start: async () => {
      const fake = await startFakeGemini();
      return { ...fake, traps: fake.behaviour };
    },
    model: (base_url) => ({ provider: "gemini", name: "speaker", base_url }),
  },
];
