// Requests to OpenAI-compatible endpoints of audio, and what their failures are called. Failures are told to the tenant's
// developers in the endpoint's own words, without the secret.
import type { FailureReport } from "../../../agent/failure-report.ts";
import { describeFailure } from "../../../agent/explain-failure.ts";
import type { StopSignal } from "../../../agent/ports.ts";
import { BodyTooBig } from "../../../outgoing/body.ts";
import { hostOf } from "../../../outgoing/allowed-hosts.ts";
import { failureKindOfError } from "../../../outgoing/failure-kind.ts";
import { OutgoingRefused, type OutgoingFetch } from "../../../outgoing/outgoing.ts";
import { redact } from "../../../outgoing/redact.ts";
import { OPENAI_BASE_URL } from "../../../protocol/models/contract.ts";
import { classifyRefusal, redactCode, wordsOf } from "../../stream/model-failure.ts";
import { parseStreamEvent } from "../../stream/stream-event.ts";
import { withReadRefusals } from "../../stream/with-read-refusals.ts";
import type { SpeechFailure } from "./ports.ts";

export interface AudioEndpoint {
  readonly outgoing: OutgoingFetch;
  readonly base_url: string | undefined;
  /** Optional, because self-hosted endpoints need none. */
  readonly apiKey?: string;
  /** As messages name it: `speech` or `transcription`. */
  readonly part: "speech" | "transcription";
}

export interface AudioRequest {
  /** Below the base address, such as `/audio/speech`. */
  readonly path: string;
  readonly body: FormData | string;
  /** Milliseconds until the answer has to begin, and then without a byte of it. */
  readonly beginMs: number;
  readonly stallMs: number;
  /** Milliseconds until it has to be whole. */
  readonly wholeMs: number;
  readonly stop: StopSignal;
  /** Reads a good answer. @param heard Called for each piece of it. @returns What is wrong with it; null for nothing. */
  readonly read: (response: Response, heard: () => void) => Promise<FailureReport | null>;
}

/** Null when the answer was read, or the request was stopped. Never rejects. */
export async function askAudio(
  endpoint: AudioEndpoint,
  { path, body, beginMs, stallMs, wholeMs, stop, read }: AudioRequest,
): Promise<SpeechFailure | null> {
  if (stop.aborted) return null;
  const controller = new AbortController();
  const abort = () => controller.abort();
  stop.addEventListener("abort", abort, { once: true });
  let hasAnswered = false;
  let isLate = false;
  const giveUp = () => {
    isLate = true;
    abort();
  };
  const whole = setTimeout(giveUp, wholeMs);
  let silence: ReturnType<typeof setTimeout> | undefined;
  const wait = (ms: number) => {
    clearTimeout(silence);
    silence = setTimeout(giveUp, ms);
  };
  try {
    wait(beginMs);
    const send = withReadRefusals(endpoint.outgoing);
    const response = await send(urlOf(endpoint, path), {
      method: "POST",
      headers: headersOf(endpoint, body),
      body,
      signal: controller.signal,
    });
    hasAnswered = true;
    const report = response.ok
      ? await read(response, () => wait(stallMs))
      : await reportRefusal(response);
    return report && !stop.aborted ? toFailure(endpoint, report) : null;
  } catch (error) {
    if (stop.aborted) return null;
    if (isLate) return toFailure(endpoint, { kind: hasAnswered ? "stalled" : "timeout" });
    return toFailure(endpoint, reportOf(error, hasAnswered));
  } finally {
    clearTimeout(whole);
    clearTimeout(silence);
    stop.removeEventListener("abort", abort);
    // Closes a connection whose answer was not read to its end.
    controller.abort();
  }
}

function urlOf({ base_url = OPENAI_BASE_URL }: AudioEndpoint, path: string): string {
  return `${base_url.replace(/\/+$/, "")}${path}`;
}

function headersOf({ apiKey }: AudioEndpoint, body: FormData | string): Record<string, string> {
  return {
    ...(typeof body === "string" && { "content-type": "application/json" }),
    ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
  };
}

async function reportRefusal(response: Response): Promise<FailureReport> {
  const text = await response.text();
  const said = wordsOf(parseStreamEvent(text) ?? text);
  const { kind } = classifyRefusal(response.status, said);
  return { kind, http_status: response.status, ...said };
}

function reportOf(error: unknown, hasAnswered: boolean): FailureReport {
  if (OutgoingRefused.isInstance(error)) return { kind: "egress_refused", message: error.message };
  if (error instanceof BodyTooBig) return { kind: "too_large" };
  return { kind: failureKindOfError(error, hasAnswered) };
}

function toFailure(endpoint: AudioEndpoint, report: FailureReport): SpeechFailure {
  const { apiKey = "", part } = endpoint;
  const { kind, http_status = null, code, message } = report;
  const name = `The ${part} endpoint ${hostOf(urlOf(endpoint, ""))}`;
  const shown = code === undefined ? null : redactCode(code, apiKey);
  const happened = describeFailure(
    { kind, http_status, code: shown },
    { name, isModel: true, credential_id: null },
  );
  const words = message === undefined ? "" : redact(message, [apiKey]);
  return {
    code: `${part}_failed`,
    message: words === "" ? `${happened}.` : `${happened}: ${words}`,
  };
}
