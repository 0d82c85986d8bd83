// From the request's bytes to a value that fits its schema. Each step bounds what the next one costs.
import type { z } from "zod";

import { findShapeViolation } from "../protocol/json-shape.ts";
import {
  MAX_BODY_BYTES,
  MAX_INPUT_DEPTH,
  MAX_INPUT_VALUES,
  MAX_MEDIA_BODY_BYTES,
} from "../protocol/limits.ts";
import type { AppContext } from "./app-env.ts";
import { toFieldErrors } from "./field-errors.ts";
import { fieldError, HttpError } from "./http-error.ts";

/**
 * @param normalize Brings accepted older forms into the schema's before it is asked.
 * @param maxValues How many values the body may hold.
 * @throws HttpError 400, 413 or 415 with a pointer to what is wrong.
 */
export async function readBody<Schema extends z.ZodType>(
  context: AppContext,
  schema: Schema,
  normalize?: (body: unknown) => unknown,
  maxValues?: number,
): Promise<z.output<Schema>> {
  return parseBody(await readText(context), schema, normalize, maxValues);
}

/** The second half of {@link readBody}, for a body whose text had to be looked at before it was believed. */
export function parseBody<Schema extends z.ZodType>(
  text: string,
  schema: Schema,
  normalize: (body: unknown) => unknown = (body) => body,
  maxValues: number = MAX_INPUT_VALUES,
): z.output<Schema> {
  checkShape(text, maxValues);
  const parsed = schema.safeParse(normalize(parseJson(text)));
  if (parsed.success) return parsed.data;
  throw new HttpError("validation_failed", "the body does not fit; `errors` says where", {
    errors: toFieldErrors(parsed.error),
  });
}

/** The whole body as text, also when it is asked for again. */
export async function readText(context: AppContext): Promise<string> {
  const text = context.get("bodyText") ?? (await readOnce(context));
  context.set("bodyText", text);
  return text;
}

/** Bytes are counted as they come: `Content-Length` may be missing or wrong. */
async function readOnce(context: AppContext): Promise<string> {
  const limitBytes = context.get("route").body === "media" ? MAX_MEDIA_BODY_BYTES : MAX_BODY_BYTES;
  const { body, headers } = context.req.raw;
  if (!body) throw fieldError("malformed_json", "#", "the body is empty; send a JSON object");
  const mediaType = headers.get("Content-Type")?.split(";")[0]?.trim().toLowerCase();
  if (mediaType !== "application/json") {
    throw new HttpError(
      "unsupported_media_type",
      "send the header `Content-Type: application/json`",
    );
  }
  if (Number(headers.get("Content-Length") ?? 0) > limitBytes) throw tooLarge(limitBytes);

  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });
  let text = "";
  let readBytes = 0;
  try {
    for await (const chunk of body) {
      readBytes += chunk.byteLength;
      if (readBytes > limitBytes) throw tooLarge(limitBytes);
      text += decoder.decode(chunk, { stream: true });
    }
    text += decoder.decode();
  } catch (error) {
    if (error instanceof TypeError)
      throw fieldError("malformed_json", "#", "the body is not UTF-8");
    throw error;
  }
  if (text.trim() === "")
    throw fieldError("malformed_json", "#", "the body is empty; send a JSON object");
  return text;
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
    throw fieldError("malformed_json", "#", "the body is not valid JSON");
  }
}
