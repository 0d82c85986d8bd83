import { ErrorState } from "../components/error-state.tsx";

/** What a page shows in place of itself when its code fails, while the navigation goes on working. */
export function PageError({
  error,
  reset,
}: {
  readonly error: unknown;
  readonly reset: () => void;
}) {
  return <ErrorState error={error} onRetry={reset} />;
}
