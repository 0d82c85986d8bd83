// Where a JSON pointer leads, as a reference has it: its steps may be written with percent signs.

/** @param pointer Without the `#`. @returns Undefined when nothing is there. */
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
