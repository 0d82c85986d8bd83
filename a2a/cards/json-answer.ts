// Requests for JSON to servers of others, bounded in time, bytes, depth and values.
import { BodyTooBig, readBytes } from "../../outgoing/body.ts";
import { failureKindOfError, failureKindOfStatus } from "../../outgoing/failure-kind.ts";
import { OutgoingRefused, type OutgoingFetch } from "../../outgoing/outgoing.ts";
import {
  CARD_REQUEST_MS,
  MAX_CARD_BYTES,
  MAX_CARD_DEPTH,
  MAX_CARD_VALUES,
} from "../../protocol/a2a/remote-limits.ts";
import type { FailureKind } from "../../protocol/diagnostics/contract.ts";
import { findShapeViolation } from "../../protocol/json-shape.ts";

export type JsonAnswer =
  | { readonly ok: true; readonly value: unknown }
  /** `reason`: the rest of a sentence about the server, without a word of its own. */
  | {
      readonly ok: false;
      readonly kind: FailureKind;
      readonly reason: string;
      readonly http_status?: number;
    };

/** The JSON that a server answers. Contract: never rejects, and ends soon after `signal`. */
export async function readJsonAnswer(
  outgoing: OutgoingFetch,
  address: string,
  init: RequestInit & { readonly signal: AbortSignal },
): Promise<JsonAnswer> {
  const signal = AbortSignal.any([init.signal, AbortSignal.timeout(CARD_REQUEST_MS)]);
  let isAnswered = false;
  try {
    const response = await outgoing(address, { ...init, signal });
    isAnswered = true;
    const { ok, status } = response;
    if (!ok) {
      await response.body?.cancel();
      const kind = failureKindOfStatus(status);
      return { ok: false, kind, reason: `answered ${status}`, http_status: status };
    }
    return readJsonText(await textOf(response));
  } catch (error) {
    return { ok: false, ...describe(error, isAnswered) };
  }
}

/** The value of a text of JSON within the bounds of a card. */
export function readJsonText(text: string): JsonAnswer {
  const refuse = (reason: string): JsonAnswer => ({ ok: false, kind: "malformed_answer", reason });
  const violation = findShapeViolation(text, { depth: MAX_CARD_DEPTH, values: MAX_CARD_VALUES });
  if (violation) return refuse("gave JSON that is nested too deeply or has too many values");
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return refuse("gave something that is no JSON");
  }
}

async function textOf(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const piece of readBytes(response, { maxBytes: MAX_CARD_BYTES })) {
    text += decoder.decode(piece, { stream: true });
  }
  return text + decoder.decode();
}

function describe(
  error: unknown,
  isAnswered: boolean,
): { readonly kind: FailureKind; readonly reason: string } {
  if (error instanceof DOMException && error.name === "TimeoutError") {
    return { kind: "timeout", reason: "did not answer in time" };
  }
  const kind = failureKindOfError(error, isAnswered);
  if (OutgoingRefused.isInstance(error)) return { kind, reason: `is refused: ${error.message}` };
  if (error instanceof BodyTooBig) {
    return { kind, reason: `answered more than ${MAX_CARD_BYTES} bytes` };
  }
  return { kind, reason: "could not be reached" };
}
