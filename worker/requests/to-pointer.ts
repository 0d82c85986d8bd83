import { MAX_POINTER_CHARACTERS } from "../../protocol/requests/limits.ts";

/**
 * An RFC 6901 pointer in URI fragment form, such as `#/input/0/text`, cut at the last parent that fits into {@link
 * MAX_POINTER_CHARACTERS}: a client may send names of any length.
 */
export function toPointer(path: readonly PropertyKey[]): string {
  let pointer = "#";
  for (const segment of path) {
    const name = String(segment);
    if (name.length > MAX_POINTER_CHARACTERS) break;
    const escaped = escapeSegment(name);
    if (pointer.length + 1 + escaped.length > MAX_POINTER_CHARACTERS) break;
    pointer += `/${escaped}`;
  }
  return pointer;
}

function escapeSegment(segment: string): string {
  // JSON may contain lone surrogates, for which encodeURIComponent throws.
  const wellFormed = segment.replace(/[\ud800-\udfff]/gu, "\ufffd");
  return encodeURIComponent(wellFormed.replaceAll("~", "~0").replaceAll("/", "~1"));
}
