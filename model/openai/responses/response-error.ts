// Maps the errors within a stream of the Responses API to the error types of a reply.
import { classifyEventError, wordsOf, type ModelFailure } from "../../stream/model-failure.ts";
import { statusOfCode } from "../status-of-code.ts";

/** Classifies the error of a `response.failed` or an `error` event. */
export function classifyResponseError(error: unknown): ModelFailure {
  return classifyEventError(statusOfCode(wordsOf(error).code ?? "") ?? 500, error);
}
