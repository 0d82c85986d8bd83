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
  /** Whether typed text reaches the model; else the agent's own model answers it, said by `speech`. */
  readonly takesText: boolean;
}

/** The voice of an agent at the fake's address. */
export function voiceOf({ model, takesText }: RealtimeProvider, url: string): object {
  const speech = takesText ? {} : { speech: { provider: "scripted" } };
  return { mode: "realtime", model: model(url), ...speech };
}

export const PROVIDERS: readonly RealtimeProvider[] = [
  {
    name: "openai",
    takesText: true,
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
    takesText: true,
    start: () => startFakeOpenAi("xai"),
    model: (base_url) => ({ provider: "xai", name: "speaker", base_url }),
  },
  {
    name: "dashscope",
    takesText: false,
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
    takesText: true,
    start: () => startFakeGemini(),
    model: (base_url) => ({ provider: "gemini", name: "speaker", base_url }),
  },
];
