// The signed address that a webhook carries for the calls that it announces. It is the credential: no key is needed.
import type { AnswerReceipt, Callback, CallbackAnswer } from "../../protocol/api/callbacks.ts";
import type { RequestOptions } from "../transport/api-request.ts";
import { readOptions, type RepriseOptions } from "../transport/reprise-options.ts";
import { postAnswer } from "./post-answer.ts";
import { Transport } from "../transport/transport.ts";

// From here, so that a bundler which goes by files keeps them out of what an app without callbacks loads first.
export { confirmEvent, toolResultEvent } from "./answer-event.ts";

export type CallbackOptions = RequestOptions &
  Pick<RepriseOptions, "fetch" | "maxRetries" | "timeoutMs">;

/** What still waits of the calls that the address is about, with their inputs and hashes. */
export async function readCallback(url: string, options: CallbackOptions = {}): Promise<Callback> {
  const { transport, path } = openCallback(url, options);
  return transport.get(path, options);
}

/**
 * Answers calls of the address; `confirmEvent` and `toolResultEvent` make the event. Sent again when nobody knows
 * whether it arrived.
 *
 * @returns Null when an earlier try was the one that arrived, and its answer was lost.
 * @throws {ApiError} such as `confirmation_used` when another answer was first.
 */
export async function answerCallback(
  url: string,
  event: CallbackAnswer,
  options: CallbackOptions = {},
): Promise<AnswerReceipt | null> {
  const { transport, path } = openCallback(url, options);
  return postAnswer(transport, path, event, options);
}

/** @throws {TypeError} when the address is no callback's. */
function openCallback(url: string, options: CallbackOptions) {
  const [, baseUrl, token] = /^(https?:.+)\/v1\/callbacks\/([^/?#]+)$/.exec(url) ?? [];
  if (!baseUrl || !token) throw new TypeError("this is not the address of a callback");
  const settings = readOptions({ ...options, baseUrl, token });
  const transport = new Transport({ ...settings, credential: () => null }, true);
  return { transport, path: ["callbacks", decodeURIComponent(token)] };
}
