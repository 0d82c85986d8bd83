import { MAX_POINTER_CHARACTERS } from "../../protocol/limits/requests.ts";

/**
 * An RFC 6901 pointer in its URI fragment form, such as `#/input/0/text`. It stops at the last parent that fits
 * into {@link MAX_POINTER_CHARACTERS}: a client may have sent a name of any length.
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
  // A lone surrogate, which JSON may hold, has no UTF-8 and would throw.
  const wellFormed = segment.replace(/[\ud800-\udfff]/gu, "\ufffd");
  return encodeURIComponent(wellFormed.replaceAll("~", "~0").replaceAll("/", "~1"));
}
