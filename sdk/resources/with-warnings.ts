import type { Warning } from "../../protocol/warning.ts";

/** Warnings of the answer to a write, as a member of what it made. */
export interface Warned {
  /** Warnings about parts of the request that say nothing; left out when there are none. */
  readonly warnings?: readonly Warning[];
}

/** The value with the warnings of the answer that it came with, as a member of its own; as it is without any. */
export function withWarnings<Value extends object>(
  value: Value,
  { warnings }: { readonly warnings?: readonly Warning[] | undefined },
): Value & Warned {
  return warnings ? Object.assign(value, { warnings }) : value;
}
