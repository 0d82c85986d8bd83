export interface ByteRange {
  readonly offset: number;
  readonly length: number;
}

/**
 * The range that a header asks for (RFC 9110). Null for the whole file: no header, another unit, several ranges or a
 * malformed one. `unsatisfiable` when it begins behind the end.
 */
export function parseRange(
  header: string | undefined,
  bytes: number,
): ByteRange | "unsatisfiable" | null {
  const [, first = "", last = ""] = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/i.exec(header ?? "") ?? [];
  if (first === "" && last === "") return null;
  if (first === "") {
    const length = Math.min(Number(last), bytes);
    return length === 0 ? "unsatisfiable" : { offset: bytes - length, length };
  }
  const offset = Number(first);
  if (last !== "" && Number(last) < offset) return null;
  if (offset >= bytes) return "unsatisfiable";
  const end = last === "" ? bytes - 1 : Math.min(Number(last), bytes - 1);
  return { offset, length: end - offset + 1 };
}
