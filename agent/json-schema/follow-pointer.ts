// Resolves a JSON pointer in URI fragment form: its steps may be percent-encoded.

/**
 * @param pointer Without the `#`.
 * @returns Undefined when it points to nothing.
 */
export function followPointer(base: unknown, pointer: string): unknown {
  let found = base;
  for (const step of pointer.split("/").slice(1)) {
    const name = decode(step).replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, name)) {
      return undefined;
    }
    found = (found as Readonly<Record<string, unknown>>)[name];
  }
  return found;
}

function decode(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}
