// An HTTP hook: one signed POST to the tenant's own server, through the same guard as a tool's.
import type { HookRequest, HookResponse } from "../../agent/hooks/hook-runner.ts";
import type { StopSignal } from "../../agent/ports.ts";
import { HookAnswerSchema, type HttpHook } from "../../protocol/hooks/contract.ts";
import { MAX_HOOK_ANSWER_BYTES } from "../../protocol/hooks/limits.ts";
import { BodyTooBig, readBytes } from "../../outgoing/body.ts";
import { failureKindOfError, failureKindOfStatus } from "../../outgoing/failure-kind.ts";
import type { OutgoingFetch } from "../../outgoing/outgoing.ts";
import type { SecretSource } from "../../outgoing/secret-source.ts";
import { wholeJson } from "../../outgoing/whole-letters.ts";
import { GrowingText } from "../../runtime/growing-text.ts";
import { signedRequest } from "../signed-request.ts";
import { readToolJson } from "../tool-json.ts";

/** The secret headers are those of an agent in code over HTTP, which is told of messages as a hook is. */
export interface AskedHook extends HttpHook {
  readonly secret_headers?: Readonly<Record<string, string>> | undefined;
}

export interface HookAccess {
  readonly outgoing: OutgoingFetch;
  /** Each secret for the hosts that it may be sent to. */
  readonly secrets: SecretSource;
}

/** Contract: never rejects; ends within the hook's time, or soon after `stop`. */
export async function runHttpHook(
  hook: AskedHook,
  { hook: { name }, id, ...question }: HookRequest,
  { outgoing, secrets }: HookAccess,
  stop: StopSignal,
): Promise<HookResponse> {
  const controller = new AbortController();
  let isTimedOut = false;
  let isAnswered = false;
  const timer = setTimeout(() => {
    isTimedOut = true;
    controller.abort();
  }, hook.timeout_ms);
  const release = (): void => {
    clearTimeout(timer);
    stop.removeEventListener("abort", release);
    controller.abort();
  };
  stop.addEventListener("abort", release, { once: true });
  if (stop.aborted) release();
  try {
    const body = wholeJson({ id, hook: name, ...question });
    const nowMs = Date.now();
    const prepared = await signedRequest(hook, { id, body, nowMs, secrets, of: "hook" });
    if (!prepared.ok) return { ok: false, kind: "setup" };
    const { signal } = controller;
    const response = await outgoing(hook.url, { ...prepared.init, signal });
    isAnswered = true;
    if (!response.ok) {
      void response.body?.cancel().catch(() => undefined);
      return { ok: false, kind: failureKindOfStatus(response.status) };
    }
    return readAnswer(await readText(response));
  } catch (error) {
    const kind = isTimedOut ? "timeout" : failureKindOfError(error, isAnswered);
    return { ok: false, kind };
  } finally {
    release();
  }
}

/** @throws {BodyTooBig} and the connection's own errors. */
async function readText(response: Response): Promise<string | null> {
  const announced = Number(response.headers.get("content-length") ?? 0);
  if (announced > MAX_HOOK_ANSWER_BYTES) throw new BodyTooBig();
  const growing = new GrowingText();
  for await (const piece of readBytes(response, { maxBytes: MAX_HOOK_ANSWER_BYTES })) {
    growing.add(piece);
  }
  return growing.finish();
}

/** An empty body is an answer: nothing changes. @param text Null for bytes that are no UTF-8. */
function readAnswer(text: string | null): HookResponse {
  if (text === null) return INVALID;
  if (text.trim() === "") return { ok: true, answer: null };
  const json = readToolJson(text);
  return json.kind === "value" ? checkAnswer(json.value) : INVALID;
}

const INVALID: HookResponse = { ok: false, kind: "invalid_answer" };

/** Also for functions of the deployment: their types end at `unknown` texts of the outside. */
export function checkAnswer(value: unknown): HookResponse {
  const parsed = HookAnswerSchema.safeParse(value ?? null);
  return parsed.success ? { ok: true, answer: parsed.data } : INVALID;
}
