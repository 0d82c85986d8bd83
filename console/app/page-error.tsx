import { ErrorState } from "../components/error-state.tsx";

/** Notice in place of a page whose code has failed, while the navigation goes on working. */
export function PageError({
  error,
  reset,
}: {
  readonly error: unknown;
  readonly reset: () => void;
}) {
  return <ErrorState error={error} onRetry={reset} />;
}
