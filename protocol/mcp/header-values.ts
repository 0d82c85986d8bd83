// Values of headers that repeat a part of the body (`Mcp-Name`, `Mcp-Param-*`): plain text where a header can hold it,
// else base64 between `=?base64?` and `?=`.
import { encodeBase64 } from "../base64.ts";

const PREFIX = "=?base64?";
const SUFFIX = "?=";

export function encodeHeaderValue(value: string): string {
  return isPlain(value) ? value : inBase64(value);
}

/** Whether a header says the value, in either form: a sender may encode also what a header could hold. */
export function isHeaderValueOf(value: string, header: string): boolean {
  return (isPlain(value) && header === value) || header === inBase64(value);
}

function inBase64(value: string): string {
  return `${PREFIX}${encodeBase64(utf8Of(value))}${SUFFIX}`;
}

function isPlain(value: string): boolean {
  if (value === "" || value !== value.trim()) return false;
  if (value.startsWith(PREFIX) && value.endsWith(SUFFIX)) return false;
  return /^[\t\x20-\x7e]*$/.test(value);
}

/** Without the platform's encoder, which this layer does not have. */
function utf8Of(text: string): Uint8Array {
  // A lone surrogate cannot be encoded.
  const escaped = encodeURIComponent(text.replace(/\p{Surrogate}/gu, "\ufffd"));
  const units = escaped.match(/%[\dA-F]{2}|[^%]/g) ?? [];
  return Uint8Array.from(units, (unit) =>
    unit.length === 3 ? Number.parseInt(unit.slice(1), 16) : unit.charCodeAt(0),
  );
}
