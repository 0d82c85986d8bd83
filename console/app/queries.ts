import { QueryClient } from "@tanstack/react-query";

/** Milliseconds for which what was read is shown without asking again. */
const STALE_MS = 5_000;

export function makeQueries(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // The SDK repeats what may be repeated.
        retry: false,
        staleTime: STALE_MS,
        // A list of many pages would be read again as a whole.
        refetchOnWindowFocus: false,
      },
      mutations: { retry: false },
    },
  });
}
