// Reads and validates request bodies. Each step limits the cost of the next one.
import type * as z from "zod";

import { A2A_MEDIA_TYPE } from "../../protocol/a2a/headers.ts";
import { BODY_BYTES } from "../../protocol/routes.ts";
import { findShapeViolation } from "../../protocol/json-shape.ts";
import {
  MAX_INPUT_DEPTH,
  MAX_INPUT_VALUES,
  BODY_BUFFER_BYTES,
  BODY_FIRST_BUFFER_BYTES,
  LARGE_VALUE_CHARACTERS,
} from "../../protocol/requests/limits.ts";
import { GrowingText } from "../../runtime/growing-text.ts";
import { timeSlice } from "../../runtime/time-slice.ts";
import type { AppContext } from "../app-env.ts";
import { checkFields } from "./check-fields.ts";
import { findJsonError } from "./find-json-error.ts";
import { fieldError, HttpError } from "../http-error.ts";
import { quoteShort } from "./quote-short.ts";

/**
 * Reads, parses and validates the body, and releases its text, so that a request that waits for a reply does not hold
 * it in memory.
 * @param normalize Converts accepted older forms before validation.
 * @param maxValues Maximum number of JSON values in the body.
 * @throws HttpError 400, 413 or 415 with a pointer to what is wrong.
 */
export async function readBody<Schema extends z.ZodType>(
  context: AppContext,
  schema: Schema,
  normalize?: (body: unknown) => unknown,
  maxValues?: number,
): Promise<z.output<Schema>> {
  const { length } = await readText(context);
  const isLarge = length > LARGE_VALUE_CHARACTERS;
  context.set("isLarge", isLarge);
  if (isLarge) await timeSlice();
  const body = parseBody(takeText(context), schema, normalize, maxValues);
  // A slice of its own, because the next steps copy the value.
  if (isLarge) await timeSlice();
  return body;
}

/** Returns the text and clears the reference to it. */
function takeText(context: AppContext): string {
  const text = context.get("bodyText") ?? "";
  context.set("bodyText", undefined);
  return text;
}

/** The second half of {@link readBody}, for a body whose text was first needed to verify its signature. */
export function parseBody<Schema extends z.ZodType>(
  text: string,
  schema: Schema,
  normalize: (body: unknown) => unknown = (body) => body,
  maxValues: number = MAX_INPUT_VALUES,
): z.output<Schema> {
  checkShape(text, maxValues);
  const checked = checkFields(schema, normalize(parseJson(text)));
  if (checked.ok) return checked.value;
  const { errors } = checked;
  throw new HttpError("validation_failed", "the body does not fit; `errors` says where", {
    errors,
  });
}

/** The complete body as text; may be called repeatedly before {@link readBody} releases it. */
export async function readText(context: AppContext): Promise<string> {
  const text = context.get("bodyText") ?? (await readOnce(context));
  context.set("bodyText", text);
  return text;
}

/** Counts bytes as they arrive: `Content-Length` may be missing or wrong, and no memory is reserved by it. */
async function readOnce(context: AppContext): Promise<string> {
  const { body: kind, path } = context.get("route");
  const { body, headers } = context.req.raw;
  if (!body) throw emptyBody();
  checkMediaType(headers, { isDelivery: kind === "delivery", isA2a: path.includes("/a2a/") });
  const limitBytes = BODY_BYTES[kind];
  if (Number(headers.get("Content-Length") ?? 0) > limitBytes) throw tooLarge(limitBytes);

  const growing = new GrowingText();
  for await (const piece of readPieces(body)) {
    growing.add(piece);
    if (growing.length > limitBytes) throw tooLarge(limitBytes);
  }
  // The text was received in pieces, which are joined here.
  if (growing.length > LARGE_VALUE_CHARACTERS) await timeSlice();
  const text = growing.finish();
  if (text === null) throw fieldError("malformed_json", "#", "the body is not UTF-8");
  if (text.trim() === "") throw emptyBody();
  return text;
}

/**
 * The body in chunks, larger ones once the first buffer was filled: a default reader returns four kilobytes at a time.
 * A chunk is valid until the next one is requested.
 */
async function* readPieces(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const reader = body.getReader({ mode: "byob" });
  let buffer = new ArrayBuffer(BODY_FIRST_BUFFER_BYTES);
  try {
    for (;;) {
      const { done, value } = await reader.read(new Uint8Array(buffer));
      if (done) return;
      yield value;
      // The same memory for the whole body, once a chunk has filled the first: garbage of its size brings collections.
      const isOutgrown =
        value.byteLength === value.buffer.byteLength && value.byteLength < BODY_BUFFER_BYTES;
      buffer = isOutgrown ? new ArrayBuffer(BODY_BUFFER_BYTES) : value.buffer;
    }
  } finally {
    // Stops the transfer of a body that was not read completely.
    await reader.cancel().catch(() => undefined);
  }
}

/** Systems of others send forms, whose fields are signed as they are. A2A has a name of its own for its JSON. */
function checkMediaType(
  headers: Headers,
  { isDelivery, isA2a }: { readonly isDelivery: boolean; readonly isA2a: boolean },
): void {
  const mediaType = headers.get("Content-Type")?.split(";")[0]?.trim().toLowerCase();
  const isForm = isDelivery && mediaType === "application/x-www-form-urlencoded";
  const isA2aJson = isA2a && mediaType === A2A_MEDIA_TYPE;
  if (mediaType !== "application/json" && !isForm && !isA2aJson) {
    const given = mediaType ? `, not ${quoteShort(mediaType)}` : "; there is none";
    const detail = `send the header \`Content-Type: application/json\`${given}`;
    throw new HttpError("unsupported_media_type", detail);
  }
  const coding = headers.get("Content-Encoding")?.trim().toLowerCase() ?? "identity";
  if (coding !== "identity") {
    const detail = "send the body as it is: a compressed one is not unpacked";
    throw new HttpError("unsupported_media_type", detail, {
      headers: { "Accept-Encoding": "identity" },
    });
  }
}

function emptyBody(): HttpError {
  return fieldError("malformed_json", "#", "the body is empty; send a JSON object");
}

function tooLarge(limitBytes: number): HttpError {
  const detail = `the body may have ${limitBytes} bytes at most`;
  return new HttpError("body_too_large", detail, {
    errors: [{ pointer: "#", detail }],
    extensions: { max_bytes: limitBytes },
  });
}

function checkShape(text: string, maxValues: number): void {
  const violation = findShapeViolation(text, { depth: MAX_INPUT_DEPTH, values: maxValues });
  if (violation === "too_deep") {
    throw fieldError(
      "input_too_deep",
      "#",
      `the body may be nested ${MAX_INPUT_DEPTH} levels at most`,
    );
  }
  if (violation === "too_many_values") {
    throw fieldError("validation_failed", "#", `the body may hold ${maxValues} values at most`);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw fieldError("malformed_json", "#", `the body is not valid JSON: ${findJsonError(text)}`);
  }
}
