// A model whose requests are kept, and whose answers the test decides: chat completions at the seam of `fetch`.
import { vi } from "vitest";

/** Between two looks of an answer that waits. */
const LOOK_MS = 5;
const MODEL_URL = "https://models.example/v1";

interface SentMessage {
  readonly role: string;
  readonly content: unknown;
}

export interface ModelRequest {
  /** The name of the model, by which a test tells its agents apart. */
  readonly model: string;
  readonly messages: readonly SentMessage[];
}

interface ModelAnswer {
  readonly text?: string;
  readonly call?: { readonly name: string; readonly arguments: string };
  readonly waitMs?: number;
  /** Answers once this is true. */
  readonly until?: () => boolean;
  /** Never answers. */
  readonly hangs?: true;
  /** The status of an error. */
  readonly fails?: number;
}

export interface MockModel {
  readonly requests: ModelRequest[];
  /** Bodies as they were sent, by the model's name. */
  readonly bodies: Map<string, string[]>;
  decide: (request: ModelRequest, number: number) => ModelAnswer | string;
  readonly restore: () => void;
}

/** @param decide The answer to a request, which is the model's own `number`-th. */
export function mockModel(decide: MockModel["decide"]): MockModel {
  const mock: MockModel = {
    requests: [],
    bodies: new Map(),
    decide,
    restore: () => spy.mockRestore(),
  };
  const original = globalThis.fetch;
  const spy = vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    if (!url.startsWith(MODEL_URL)) return original(input, init);
    const body = await new Response(init?.body ?? (input as Request).body).text();
    const request = JSON.parse(body) as ModelRequest;
    const own = mock.bodies.get(request.model) ?? [];
    mock.bodies.set(request.model, [...own, body]);
    mock.requests.push(request);
    const decided = mock.decide(request, own.length + 1);
    const answer = typeof decided === "string" ? { text: decided } : decided;
    return respond(answer, init?.signal ?? null);
  });
  return mock;
}

async function respond(answer: ModelAnswer, signal: AbortSignal | null): Promise<Response> {
  if (answer.hangs) {
    return new Promise((_resolve, reject) => {
      const stop = (): void => reject(new DOMException("stopped", "AbortError"));
      if (signal?.aborted) stop();
      signal?.addEventListener("abort", stop);
    });
  }
  if (answer.waitMs) await scheduler.wait(answer.waitMs);
  while (answer.until?.() === false) await scheduler.wait(LOOK_MS);
  if (answer.fails) {
    const error = { message: "no", type: "error", param: null, code: null };
    return Response.json({ error }, { status: answer.fails });
  }
  const { text, call } = answer;
  const delta = call
    ? { tool_calls: [{ index: 0, id: "call_1", type: "function", function: call }] }
    : { content: text ?? "" };
  const chunk = (choices: unknown, more: object = {}): string =>
    `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices, ...more })}\n\n`;
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
  const body = [
    chunk([{ index: 0, delta: { role: "assistant", ...delta }, finish_reason: null }]),
    chunk([{ index: 0, delta: {}, finish_reason: call ? "tool_calls" : "stop" }]),
    chunk([], { usage }),
    "data: [DONE]\n\n",
  ].join("");
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

export function mocked(name: string): object {
  return { provider: "openai", name, base_url: MODEL_URL, parameters: {} };
}
