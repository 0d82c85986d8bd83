// W3C Trace Context: what a caller says of the trace that its request belongs to, and what is told to those that we ask.
import { MAX_TRACESTATE_HEADER_CHARACTERS, MAX_TRACESTATE_CHARACTERS } from "./limits/requests.ts";

/** The headers of one request. */
export interface TraceContext {
  readonly traceparent: string;
  readonly tracestate?: string;
}

/** Version, trace id, parent id, flags; a later version than 00 may go on after a dash. */
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
/** The flags that have a meaning, sampled and random; the others must not be passed on. */
const KNOWN_FLAGS = 0b11;

const MAX_TRACESTATE_MEMBERS = 32;
const TRACESTATE_MEMBER =
  /^([a-z0-9][a-z0-9_\-*/@]{0,255})=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/;

/**
 * The same trace with a parent of ours; null when the caller's `traceparent` is missing or not valid. A `tracestate`
 * that is not valid, or too long, is left out.
 * @param spanId 16 digits of lower-case hex, not all zero: the span that we are in this trace.
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

/** The list without spaces around its members; empty when any of it is wrong. */
function parseTracestate(text: string): string {
  // Taking spaces off a member costs the square of them.
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
