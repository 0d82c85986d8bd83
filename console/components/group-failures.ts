// Failed sessions by what has failed in them.
import type { SessionSummary } from "../../sdk/index.ts";

export interface FailureGroup {
  readonly key: string;
  /** The error's type, in words. */
  readonly cause: string;
  /** The error's message; empty where there is none. */
  readonly message: string;
  /** Newest failure first. */
  readonly sessions: readonly FailedSession[];
}

export type FailedSession = SessionSummary & {
  readonly failure: NonNullable<SessionSummary["failure"]>;
};

/** Groups of one cause and message; those with most sessions first, and of these the newest. */
export function groupFailures(sessions: readonly SessionSummary[]): readonly FailureGroup[] {
  const failed = sessions
    .filter((session): session is FailedSession => session.failure !== null)
    .toSorted((one, other) => (one.failure.failed_at < other.failure.failed_at ? 1 : -1));
  const groups = Map.groupBy(failed, ({ failure }) => `${causeOf(failure)}: ${messageOf(failure)}`);
  return [...groups]
    .flatMap(([key, members]) => {
      const [newest] = members;
      if (!newest) return [];
      const { failure } = newest;
      return [{ key, cause: causeOf(failure), message: messageOf(failure), sessions: members }];
    })
    .toSorted((one, other) => other.sessions.length - one.sessions.length);
}

/** The cause of a failure in a few words. */
export function causeOf({ status, error }: FailedSession["failure"]): string {
  if (status === "exceed_max_iters") return "too many rounds";
  return (error?.type ?? "unknown").replaceAll("_", " ");
}

export function messageOf({ status, error }: FailedSession["failure"]): string {
  if (status === "exceed_max_iters") return "The reply has reached the most rounds of its agent.";
  return error?.message ?? "";
}
