import { useEffect, useMemo, useState } from "react";

import { ApiError, type Warning } from "../../../sdk/index.ts";
import { errorsOf } from "../../components/schema-form/errors-of.ts";
import type { JsonObject } from "../../components/schema-form/json-schema.ts";

interface Validation {
  readonly state: "checking" | "valid" | "invalid" | "unknown";
  /** Faults by pointer. */
  readonly errors: ReadonlyMap<string, string>;
  /** A refusal that names no place, such as of a scope that is missing. */
  readonly problem: string | null;
  /** Parts that say nothing, of a definition that was accepted. */
  readonly warnings: readonly Warning[];
}

/** Members of a check's answer that the editor reads. */
export interface Checked {
  readonly warnings?: readonly Warning[] | undefined;
}

/** Milliseconds without a keystroke after which the platform is asked. */
const REST_MS = 500;
const NONE: ReadonlyMap<string, string> = new Map();
const NO_WARNINGS: readonly Warning[] = [];

/**
 * Validation of the definition by the platform, asked for when typing pauses. Answers to older texts are dropped.
 *
 * @param validate Sends it to be checked; stable, or it is asked again and again.
 */
export function useValidation(
  definition: JsonObject,
  validate: (definition: JsonObject, signal: AbortSignal) => Promise<Checked>,
): Validation {
  const [found, setFound] = useState<{
    of: JsonObject;
    error: unknown;
    warnings: readonly Warning[];
  } | null>(null);
  useEffect(() => {
    const leaving = new AbortController();
    const timer = setTimeout(() => {
      validate(definition, leaving.signal).then(
        ({ warnings = NO_WARNINGS }) => setFound({ of: definition, error: null, warnings }),
        (error: unknown) => {
          if (!leaving.signal.aborted) setFound({ of: definition, error, warnings: NO_WARNINGS });
        },
      );
    }, REST_MS);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [definition, validate]);
  const error = found?.error ?? null;
  const errors = useMemo(() => errorsOf(error), [error]);
  const warnings = found?.warnings ?? NO_WARNINGS;
  if (!found) return { state: "checking", errors: NONE, problem: null, warnings };
  // Faults stay at their fields until the next answer.
  if (found.of !== definition) return { state: "checking", errors, problem: null, warnings };
  if (error === null) return { state: "valid", errors, problem: null, warnings };
  const problem = errors.size === 0 ? wordsOf(error) : null;
  return { state: ApiError.isInstance(error) ? "invalid" : "unknown", errors, problem, warnings };
}

export function wordsOf(error: unknown): string {
  if (ApiError.isInstance(error)) return error.detail;
  return error instanceof Error ? error.message : String(error);
}
