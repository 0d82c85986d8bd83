// One request to a model whose answer is not part of any log: retried like a model call of a reply, and bounded in time and
// size, whatever the model does.
import { BYTES_PER_TOKEN, MAX_SUMMARY_ANSWER_CHARACTERS } from "../../protocol/context/limits.ts";
import type { ErrorInfo, Usage } from "../../protocol/messages/messages.ts";
import { estimateInputTokens } from "../model-turn/estimate-usage.ts";
import { decideRetry } from "../model-turn/retry-policy.ts";
import type { Model, ModelChunk, ModelRequest, Random, Sleep, StopSignal } from "../ports.ts";
import { modelError } from "../state/model-error.ts";

export interface ModelAccess {
  readonly model: Model;
  readonly sleep: Sleep;
  readonly random: Random;
  readonly stop: StopSignal;
}

export type Answer =
  | {
      readonly type: "answer";
      /** The input of its last call; its text when it made none. */
      readonly text: string;
      /** As the provider counted; estimated when it did not. */
      readonly usage: Usage;
      readonly isEstimated: boolean;
    }
  | {
      readonly type: "failed";
      readonly error: ErrorInfo;
      readonly isTooLong: boolean;
      /** Estimated, of an answer that was too long to be read; left out where none was begun. */
      readonly usage?: Usage;
    }
  | {
      readonly type: "stopped";
      /** Estimated, of a call that was cut: the model may have read the request. Left out where none was under way. */
      readonly usage?: Usage;
    };

type Failure = Extract<Answer, { type: "failed" }> & { readonly retryAfterMs?: number };

/** Contract: never rejects, unless the model breaks its own contract by a throw of something that is no error. */
export async function askModel(request: ModelRequest, access: ModelAccess): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await askOnce(request, access);
    if (answer.type !== "failed" || answer.isTooLong) return answer;
    const { retryAfterMs, ...failure } = answer;
    const retry = decideRetry(attempt, failure.error, { retryAfterMs, random: access.random() });
    if (!retry) return failure;
    await access.sleep(retry.waitMs, access.stop);
    if (access.stop.aborted) return { type: "stopped" };
  }
}

type OneAnswer = Exclude<Answer, { type: "failed" }> | Failure;

/** One race for the whole answer: a model that does not heed the signal is left behind. */
async function askOnce(request: ModelRequest, access: ModelAccess): Promise<OneAnswer> {
  if (access.stop.aborted) return { type: "stopped" };
  const read = { size: 0 };
  const cut = (): Stopped => ({ type: "stopped", usage: estimatedUsage(request, read.size) });
  const stopped = whenStopped(access.stop, cut);
  try {
    return await Promise.race([readAnswer(request, access, read, cut), stopped.promise]);
  } catch {
    return failed("internal");
  } finally {
    stopped.forget();
  }
}

/** @param read Counts what has come, in UTF-16 units. */
async function readAnswer(
  request: ModelRequest,
  { model, stop }: ModelAccess,
  read: { size: number },
  cut: () => Stopped,
): Promise<OneAnswer> {
  const calls = new Map<number, string>();
  let text = "";
  let usage: Usage | null = null;
  for await (const chunk of model.stream(request, stop)) {
    if (stop.aborted) return cut();
    if (chunk.error) {
      const { error, context_too_long: isTooLong = false, retry_after_ms: retryAfterMs } = chunk;
      return { type: "failed", error, isTooLong, retryAfterMs };
    }
    read.size += sizeOf(chunk);
    if (read.size > MAX_SUMMARY_ANSWER_CHARACTERS) {
      return { ...failed("output_limit"), usage: estimatedUsage(request, read.size) };
    }
    text += chunk.text ?? "";
    for (const { index, delta } of chunk.tool_calls ?? []) {
      calls.set(index, (calls.get(index) ?? "") + delta);
    }
    usage = chunk.usage ?? usage;
  }
  if (stop.aborted) return cut();
  const isCounted = usage !== null && usage.input_tokens + usage.output_tokens > 0;
  return {
    type: "answer",
    text: [...calls.values()].at(-1) ?? text,
    usage: usage && isCounted ? usage : estimatedUsage(request, read.size),
    isEstimated: !isCounted,
  };
}

type Stopped = Extract<Answer, { type: "stopped" }>;

function failed(type: "output_limit" | "internal"): Failure {
  return { type: "failed", error: modelError(type), isTooLong: false };
}

/** UTF-16 units. */
function sizeOf({ text, thinking, tool_calls = [], data = [] }: ModelChunk): number {
  const said = (text?.length ?? 0) + (thinking?.length ?? 0);
  const called = tool_calls.reduce(
    (sum, { name = "", delta }) => sum + name.length + delta.length,
    0,
  );
  return said + called + data.reduce((sum, one) => sum + one.data.length, 0) + 1;
}

function estimatedUsage(request: ModelRequest, characters: number): Usage {
  return {
    input_tokens: estimateInputTokens(request),
    output_tokens: Math.ceil(characters / BYTES_PER_TOKEN),
    cache_input_tokens: 0,
    cache_creation_input_tokens: 0,
  };
}

function whenStopped(
  stop: StopSignal,
  cut: () => Stopped,
): {
  readonly promise: Promise<Stopped>;
  readonly forget: () => void;
} {
  let listener: () => void = () => undefined;
  const promise = new Promise<Stopped>((resolve) => {
    listener = () => resolve(cut());
    stop.addEventListener("abort", listener, { once: true });
  });
  return { promise, forget: () => stop.removeEventListener("abort", listener) };
}
