// W3C Trace Context: reads the caller's trace headers and makes those of outgoing requests.
import { MAX_TRACESTATE_HEADER_CHARACTERS, MAX_TRACESTATE_CHARACTERS } from "./requests/limits.ts";

/** The trace headers of one request. */
export interface TraceContext {
  readonly traceparent: string;
  readonly tracestate?: string;
}

/** Version, trace id, parent id, flags; versions after 00 may have more fields after a dash. */
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
/** The defined flags, sampled and random; undefined ones must not be passed on. */
const KNOWN_FLAGS = 0b11;

const MAX_TRACESTATE_MEMBERS = 32;
const TRACESTATE_MEMBER =
  /^([a-z0-9][a-z0-9_\-*/@]{0,255})=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/;

/**
 * The same trace with a new parent id; null when the caller's `traceparent` is missing or invalid. An invalid or too
 * long `tracestate` is dropped.
 * @param spanId Our span: 16 digits of lower-case hex, not all zero.
 */
export function continueTrace(
  { traceparent, tracestate }: { readonly traceparent?: string; readonly tracestate?: string },
  spanId: string,
): TraceContext | null {
  const [, version = "", traceId = "", parentId = "", flags = "", more] =
    TRACEPARENT.exec(traceparent ?? "") ?? [];
  if (traceId === "" || version === "ff" || (version === "00" && more !== undefined)) return null;
  if (isZero(traceId) || isZero(parentId)) return null;
  const ownFlags = (Number.parseInt(flags, 16) & KNOWN_FLAGS).toString(16).padStart(2, "0");
  const state = parseTracestate(tracestate ?? "");
  return {
    traceparent: `00-${traceId}-${spanId}-${ownFlags}`,
    ...(state !== "" && { tracestate: state }),
  };
}

/** The trace's id, for a log. */
export function traceIdOf({ traceparent }: TraceContext): string {
  return traceparent.split("-")[1] ?? "";
}

/** The list without spaces around its members; empty when any member is invalid. */
function parseTracestate(text: string): string {
  // The pattern that trims spaces is quadratic in their number.
  if (text.length > MAX_TRACESTATE_HEADER_CHARACTERS) return "";
  const members = text
    .split(",")
    .map((member) => member.replace(/^[ \t]+|[ \t]+$/g, ""))
    .filter((member) => member !== "");
  const keys = new Set(members.map((member) => TRACESTATE_MEMBER.exec(member)?.[1]));
  const isValid = !keys.has(undefined) && keys.size === members.length;
  const state = members.join(",");
  return isValid &&
    members.length <= MAX_TRACESTATE_MEMBERS &&
    state.length <= MAX_TRACESTATE_CHARACTERS
    ? state
    : "";
}

function isZero(hex: string): boolean {
  return /^0+$/.test(hex);
}
