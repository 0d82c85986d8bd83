// The mock model for the AI SDK: the least that its interface asks for, lighter than the SDK's own providers, which
// validate each chunk.
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from "@ai-sdk/provider";

interface Chunk {
  readonly choices: readonly {
    readonly delta: { readonly content?: string | null; readonly reasoning_content?: string };
    readonly finish_reason: string | null;
  }[];
}

const USAGE: LanguageModelV4Usage = {
  inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
};

export function createMockLanguageModel(baseUrl: string): LanguageModelV4 {
  return {
    specificationVersion: "v4",
    provider: "mock",
    modelId: "mock",
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error("the bench only streams")),
    async doStream({ prompt, abortSignal }: LanguageModelV4CallOptions) {
      const response = await fetch(`${baseUrl}/chat/completions`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ model: "mock", stream: true, messages: prompt }),
        signal: abortSignal,
      });
      if (!response.ok || !response.body) throw new Error(`the model answered ${response.status}`);
      return {
        stream: response.body.pipeThrough(new TextDecoderStream()).pipeThrough(readParts()),
      };
    },
  };
}

function readParts(): TransformStream<string, LanguageModelV4StreamPart> {
  let rest = "";
  let isOpen = false;
  return new TransformStream({
    start: (controller) => controller.enqueue({ type: "stream-start", warnings: [] }),
    transform(text, controller) {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        if (!line.startsWith("data: {")) continue;
        const [choice] = (JSON.parse(line.slice("data: ".length)) as Chunk).choices;
        if (choice?.delta.content) {
          if (!isOpen) controller.enqueue({ type: "text-start", id: "text" });
          isOpen = true;
          controller.enqueue({ type: "text-delta", id: "text", delta: choice.delta.content });
        }
      }
    },
    flush(controller) {
      if (isOpen) controller.enqueue({ type: "text-end", id: "text" });
      const finishReason = { unified: "stop", raw: "stop" } as const;
      controller.enqueue({ type: "finish", usage: USAGE, finishReason });
    },
  });
}
