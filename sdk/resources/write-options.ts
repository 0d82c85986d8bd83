import type { RequestOptions } from "../transport/api-request.ts";

/** Options of a write whose answer may have `warnings`. */
export interface WriteOptions extends RequestOptions {
  /** Refuses what the answer would have `warnings` about, with `validation_failed`, and writes nothing. */
  readonly strict?: boolean;
}

/** The query of a request that is checked and writes nothing. */
export const VALIDATION = { query: { validate_only: "true" } } as const;

/** Options of the request, with `strict` in its query. */
export function strictly<Options extends WriteOptions>(options?: Options) {
  const { strict, ...others } = options ?? {};
  return strict ? { ...others, query: { strict } } : others;
}
