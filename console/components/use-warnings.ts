import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";

import type { Warning } from "../../sdk/index.ts";

/** Milliseconds without a change after which the platform is asked. */
const REST_MS = 500;
const NONE: readonly Warning[] = [];

interface Checking<Draft> {
  /** Names the check among those of the console. */
  readonly name: string;
  /** Asks the platform, which writes nothing. */
  readonly check: (
    draft: Draft,
    options: { readonly signal: AbortSignal },
  ) => Promise<{ readonly warnings?: readonly Warning[] | undefined }>;
}

/**
 * Warnings about what a person is about to write, or has written, asked for when typing pauses. Those of the draft before
 * stay until the answer. A refusal is none: it is shown where the draft is sent.
 *
 * @param draft JSON; null while there is nothing to check.
 */
export function useWarnings<Draft extends object>(
  draft: Draft | null,
  { name, check }: Checking<Draft>,
): readonly Warning[] {
  const [rested, setRested] = useState(draft);
  const text = JSON.stringify(draft);
  useEffect(() => {
    const timer = setTimeout(() => setRested(JSON.parse(text) as Draft | null), REST_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const { data } = useQuery({
    queryKey: ["warnings", name, rested],
    enabled: rested !== null,
    retry: false,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const { warnings = NONE } = rested === null ? {} : await check(rested, { signal });
      return warnings;
    },
  });
  return draft === null || rested === null ? NONE : (data ?? NONE);
}
