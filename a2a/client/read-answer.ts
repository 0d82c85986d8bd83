// Reads what an agent answers: JSON with a result or an error, alone or in the events of a stream, within bounds that are
// checked before the text is parsed.
import { BodyTooBig, readBytes, readEvents } from "../../outgoing/body.ts";
import { isJsonObject } from "../../protocol/json-object.ts";
import { findShapeViolation } from "../../protocol/json-shape.ts";
import {
  MAX_REMOTE_DEPTH,
  MAX_REMOTE_FRAME_CHARACTERS,
  MAX_REMOTE_VALUES,
} from "../../protocol/a2a/client-limits.ts";

type Fields = Readonly<Record<string, unknown>>;

export type WireAnswer =
  | { readonly type: "result"; readonly value: unknown }
  | { readonly type: "error"; readonly code: number | null; readonly message: string }
  /** No answer of the protocol; the rest of a sentence about the agent. */
  | { readonly type: "malformed"; readonly problem: string };

const SHAPE = { depth: MAX_REMOTE_DEPTH, values: MAX_REMOTE_VALUES };

/** @param id Of the request in JSON-RPC; null for HTTP and JSON, where the body is the result itself. */
export function readAnswer(text: string, id: string | null): WireAnswer {
  if (findShapeViolation(text, SHAPE) !== null) {
    return malformed("answered with more JSON than there is room for");
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return malformed("answered with what is no JSON");
  }
  if (!isJsonObject(value)) return malformed("answered with what is no object");
  const { error } = value;
  if (isJsonObject(error)) return errorOf(error);
  if (id === null) return { type: "result", value };
  // Some servers answer each event of a stream with an id of their own, or none: the connection says whose it is.
  if (value["result"] === undefined) return malformed("answered without a result");
  return { type: "result", value: value["result"] };
}

/** The error of an answer whose status is no success; null when its body has none. */
export function readError(text: string): Extract<WireAnswer, { type: "error" }> | null {
  const read = readAnswer(text, null);
  return read.type === "error" ? read : null;
}

/** Names of the protocol's errors in `ErrorInfo`, where HTTP has no code of JSON-RPC. */
const REASONS: Readonly<Record<string, number>> = {
  TASK_NOT_FOUND: -32_001,
  TASK_NOT_CANCELABLE: -32_002,
  PUSH_NOTIFICATION_NOT_SUPPORTED: -32_003,
  UNSUPPORTED_OPERATION: -32_004,
  CONTENT_TYPE_NOT_SUPPORTED: -32_005,
  INVALID_AGENT_RESPONSE: -32_006,
  EXTENSION_SUPPORT_REQUIRED: -32_008,
  VERSION_NOT_SUPPORTED: -32_009,
};

function errorOf({ code, message, data, details }: Fields): WireAnswer {
  const listed = Array.isArray(details) ? details : Array.isArray(data) ? data : [];
  const reason = (listed as readonly unknown[])
    .map((one) => (isJsonObject(one) ? one["reason"] : undefined))
    .find((one) => typeof one === "string" && Object.hasOwn(REASONS, one));
  const named = typeof reason === "string" ? (REASONS[reason] ?? null) : null;
  // Of HTTP and JSON the code is the status, which the answer has already.
  const own = typeof code === "number" && Number.isSafeInteger(code) && code < 0 ? code : null;
  return {
    type: "error",
    code: named ?? own,
    message: typeof message === "string" ? message : "",
  };
}

function malformed(problem: string): WireAnswer {
  return { type: "malformed", problem };
}

/** The body as text. @throws {BodyTooBig} and what the connection throws. @param take Counts the bytes. */
export async function readText(response: Response, take: (bytes: number) => void): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const piece of readBytes(response, { onPiece: take })) {
    text += decoder.decode(piece, { stream: true });
    if (text.length > MAX_REMOTE_FRAME_CHARACTERS) throw new BodyTooBig();
  }
  return text + decoder.decode();
}

/** The answers in the events of a stream. @throws as {@link readText}. */
export async function* readAnswers(
  response: Response,
  id: string | null,
  take: (bytes: number) => void,
): AsyncGenerator<WireAnswer, void> {
  const options = { maxEventCharacters: MAX_REMOTE_FRAME_CHARACTERS, onPiece: take };
  for await (const batch of readEvents(response, options, ({ data }) => data)) {
    for (const data of batch) {
      if (data.trim() === "") continue;
      yield data.length > MAX_REMOTE_FRAME_CHARACTERS
        ? malformed("sent a frame that is too long")
        : readAnswer(data, id);
    }
  }
}
