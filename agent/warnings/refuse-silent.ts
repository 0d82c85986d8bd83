import { refuse, type Result } from "../../protocol/errors.ts";
import { MAX_FIELD_ERRORS } from "../../protocol/requests/limits.ts";
import type { Warning } from "../../protocol/warning.ts";

/** The refusal of a strict request with these warnings. */
export function refuseSilent(warnings: readonly Warning[]): Result<never> {
  const detail = "the request has parts that say nothing, which ?strict=true refuses; see `errors`";
  return refuse("validation_failed", detail, { errors: warnings.slice(0, MAX_FIELD_ERRORS) });
}
