// The mock model for the AI SDK, read as the SDK's own providers read theirs: by its parser of event streams, each
// chunk validated by a schema. The schema has less than theirs.
import { parseJsonEventStream, type LanguageModel } from "ai";
import * as z from "zod";

type MockLanguageModel = Extract<LanguageModel, { readonly specificationVersion: "v4" }>;
type Answer = Awaited<ReturnType<MockLanguageModel["doStream"]>>;
type Part = Answer["stream"] extends ReadableStream<infer Value> ? Value : never;

const ChunkSchema = z.looseObject({
  id: z.string().nullish(),
  created: z.number().nullish(),
  model: z.string().nullish(),
  choices: z.array(
    z.object({
      delta: z.object({
        role: z.string().nullish(),
        content: z.string().nullish(),
      }),
      finish_reason: z.string().nullish(),
    }),
  ),
  usage: z.looseObject({ completion_tokens: z.number().nullish() }).nullish(),
});

type Chunk =
  ReturnType<typeof parseJsonEventStream<z.infer<typeof ChunkSchema>>> extends ReadableStream<
    infer Value
  >
    ? Value
    : never;

export function createMockLanguageModel(baseUrl: string): MockLanguageModel {
  return {
    specificationVersion: "v4",
    provider: "mock",
    modelId: "mock",
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error("the bench only streams")),
    async doStream({ prompt, abortSignal }) {
      const response = await fetch(`${baseUrl}/chat/completions`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ model: "mock", stream: true, messages: prompt }),
        signal: abortSignal,
      });
      if (!response.ok || !response.body) throw new Error(`the model answered ${response.status}`);
      const chunks = parseJsonEventStream({ stream: response.body, schema: ChunkSchema });
      return { stream: chunks.pipeThrough(toParts()) };
    },
  };
}

function toParts(): TransformStream<Chunk, Part> {
  let isOpen = false;
  let tokens = 0;
  return new TransformStream({
    start: (controller) => controller.enqueue({ type: "stream-start", warnings: [] }),
    transform(chunk, controller) {
      if (!chunk.success) throw chunk.error;
      tokens = chunk.value.usage?.completion_tokens ?? tokens;
      const delta = chunk.value.choices[0]?.delta.content;
      if (!delta) return;
      if (!isOpen) controller.enqueue({ type: "text-start", id: "text" });
      isOpen = true;
      controller.enqueue({ type: "text-delta", id: "text", delta });
    },
    flush(controller) {
      if (isOpen) controller.enqueue({ type: "text-end", id: "text" });
      controller.enqueue({
        type: "finish",
        finishReason: { unified: "stop", raw: "stop" },
        usage: {
          inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
          outputTokens: { total: tokens, text: tokens, reasoning: 0 },
        },
      });
    },
  });
}
