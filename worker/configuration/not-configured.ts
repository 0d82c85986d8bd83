// The answer to a request that fails because the deployment is not configured: names, never values.
import type { ConfigurationGap } from "../../protocol/operator/readiness.ts";
import type { Refusal } from "../../protocol/errors.ts";
import { HttpError } from "../http-error.ts";

/** The refusal that names what is missing. */
export function refusalOfGaps(gaps: readonly ConfigurationGap[]): Refusal {
  const list = gaps.map(({ name, problem }) => `${name} ${problem}`).join("; ");
  return {
    code: "unavailable",
    detail: `this deployment is not configured: ${list}; see /readyz`,
  };
}

/** As an exception, and logged for the operator. */
export function notConfigured(gaps: readonly ConfigurationGap[]): HttpError {
  const { code, detail } = refusalOfGaps(gaps);
  console.error(detail);
  return new HttpError(code, detail);
}
