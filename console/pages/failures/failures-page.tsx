import { useQuery } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import { useState } from "react";

import { useReprise } from "../../access/access-context.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { FailedSessionItem } from "../../components/failed-session-item.tsx";
import { LoadingState } from "../../components/loading-state.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { readAll } from "../../components/read-all.ts";
import { PAGE_ROWS } from "../../components/use-paged.ts";
import {
  type FailedSession,
  type FailureGroup,
  groupFailures,
} from "../../components/group-failures.ts";
import { RetryMany } from "./retry-many.tsx";

/** Pages of 100 sessions whose failures are grouped. */
const MAX_PAGES = 3;
const RELOAD_MS = 15_000;
/** Sessions of a group that are shown before it is opened. */
const SHOWN = 5;

/** Sessions whose last reply has failed, by cause; each leads to the reply's diagnostics. */
export function FailuresPage() {
  const reprise = useReprise();
  // A group that is retried would leave the page, and its dialog with it.
  const [isHeld, setIsHeld] = useState(false);
  const { data, error, refetch } = useQuery({
    queryKey: ["failures"],
    queryFn: () => {
      const list = reprise.sessions.list({ status: "failed", limit: PAGE_ROWS });
      return readAll((page) => list.page(page), MAX_PAGES);
    },
    refetchInterval: RELOAD_MS,
    enabled: !isHeld,
  });
  return (
    <div className="detail-page">
      <PageHeader
        title="Failures"
        subtitle="Sessions whose last reply has failed, by cause; a later reply takes one off"
      />
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} isOwnQuery />}
      {!data && !error && <LoadingState label="Looking for failures…" />}
      {data?.rows.length === 0 && (
        <EmptyState icon={CircleCheck} title="Nothing has failed">
          <p>No session’s last reply has ended with an error. Plots show earlier failures.</p>
        </EmptyState>
      )}
      {data &&
        groupFailures(data.rows).map((group) => (
          <Group key={group.key} group={group} onOpen={setIsHeld} />
        ))}
      {data?.isWhole === false && (
        <p role="note" className="quiet">
          These are the newest {data.rows.length} sessions. The list of sessions has all that have
          failed.
        </p>
      )}
    </div>
  );
}

interface GroupProps {
  readonly group: FailureGroup;
  readonly onOpen: (isOpen: boolean) => void;
}

function Group({ group, onOpen }: GroupProps) {
  const { cause, message, sessions } = group;
  const rest = sessions.slice(SHOWN);
  return (
    <section className="section" aria-label={`${cause}: ${message}`}>
      <div className="section-head">
        <h2>
          {cause} <span className="badge">{sessions.length.toLocaleString()}</span>
        </h2>
        <RetryMany sessions={sessions} onOpen={onOpen} />
      </div>
      {message !== "" && (
        <p>
          <bdi>{message}</bdi>
        </p>
      )}
      <FailedList sessions={sessions.slice(0, SHOWN)} />
      {rest.length > 0 && (
        <details>
          <summary>{rest.length.toLocaleString()} more</summary>
          <FailedList sessions={rest} />
        </details>
      )}
    </section>
  );
}

function FailedList({ sessions }: { readonly sessions: readonly FailedSession[] }) {
  return (
    <ul className="row-list">
      {sessions.map((session) => (
        <FailedSessionItem key={session.id} session={session}>
          <bdi>{session.end_user_id ?? ""}</bdi>
        </FailedSessionItem>
      ))}
    </ul>
  );
}
