// The payload of a verified delivery: JSON, or a form that has JSON or plain fields.
import { findShapeViolation } from "../../protocol/json-shape.ts";
import { MAX_INPUT_DEPTH } from "../../protocol/requests/limits.ts";
import { MAX_PAYLOAD_VALUES } from "../../protocol/triggers/limits.ts";
import type { MalformedDelivery, ReceivedDelivery } from "./sender-form.ts";

type Payload = { readonly type: "payload"; readonly payload: unknown } | MalformedDelivery;

export function readJsonPayload(text: string): Payload {
  const violation = findShapeViolation(text, {
    depth: MAX_INPUT_DEPTH,
    values: MAX_PAYLOAD_VALUES,
  });
  if (violation === "too_deep") {
    return malformed("the payload is nested too deep", "input_too_deep");
  }
  if (violation !== null) return malformed("the payload holds too many values");
  try {
    return { type: "payload", payload: JSON.parse(text) };
  } catch {
    return malformed("the payload is not valid JSON", "malformed_json");
  }
}

/** A form has its payload in a field of that name, as GitHub and Slack's buttons do, or it is its fields. */
export function readFormOrJson({ headers, text }: ReceivedDelivery): Payload {
  const mediaType = headers.get("Content-Type")?.split(";")[0]?.trim().toLowerCase();
  if (mediaType !== "application/x-www-form-urlencoded") return readJsonPayload(text);
  const fields = new URLSearchParams(text);
  const payload = fields.get("payload");
  if (payload !== null) return readJsonPayload(payload);
  if (fields.size > MAX_PAYLOAD_VALUES) return malformed("the form has too many fields");
  return { type: "payload", payload: Object.fromEntries(fields) };
}

/** A member of the payload that is a text of some characters; null for anything else. */
export function textOf(payload: unknown, name: string): string | null {
  if (typeof payload !== "object" || payload === null || !Object.hasOwn(payload, name)) return null;
  const value = (payload as Readonly<Record<string, unknown>>)[name];
  return typeof value === "string" && value !== "" ? value : null;
}

export function malformed(
  detail: string,
  code: MalformedDelivery["code"] = "validation_failed",
): MalformedDelivery {
  return { type: "malformed", code, detail };
}
