// Client for the signed callback URL in a webhook. The URL is the credential: no key is needed.
import type { AnswerReceipt, Callback, CallbackAnswer } from "../../protocol/inbound/callbacks.ts";
import type { RequestOptions } from "../transport/api-request.ts";
import { readOptions, type RepriseOptions } from "../transport/reprise-options.ts";
import { postAnswer } from "./post-answer.ts";
import { Transport } from "../transport/transport.ts";

// Re-exported here so that apps without callbacks do not load these in their first chunk.
export { confirmEvent, toolResultEvent } from "./answer-event.ts";

export type CallbackOptions = RequestOptions &
  Pick<RepriseOptions, "fetch" | "maxRetries" | "timeoutMs">;

/** The calls of the callback URL that still wait, with their inputs and hashes. */
export async function readCallback(url: string, options: CallbackOptions = {}): Promise<Callback> {
  const { transport, path } = openCallback(url, options);
  return transport.get(path, options);
}

/**
 * Answers calls of the callback URL; `confirmEvent` and `toolResultEvent` build the event. Retried when the outcome is
 * unknown.
 *
 * @returns Null when an earlier attempt succeeded and its response was lost.
 * @throws {ApiError} such as `confirmation_used` when another answer came first.
 */
export async function answerCallback(
  url: string,
  event: CallbackAnswer,
  options: CallbackOptions = {},
): Promise<AnswerReceipt | null> {
  const { transport, path } = openCallback(url, options);
  return postAnswer(transport, path, event, options);
}

/** @throws {TypeError} when the URL is not a callback URL. */
function openCallback(url: string, options: CallbackOptions) {
  const [, baseUrl, token] = /^(https?:.+)\/v1\/callbacks\/([^/?#]+)$/.exec(url) ?? [];
  if (!baseUrl || !token) throw new TypeError("this is not the address of a callback");
  const settings = readOptions({ ...options, baseUrl, token });
  const transport = new Transport({ ...settings, credential: () => null }, true, false);
  return { transport, path: ["callbacks", decodeURIComponent(token)] };
}
