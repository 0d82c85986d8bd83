import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { MessagesSquare } from "lucide-react";

import { useReprise } from "../../access/access-context.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { LoadingState } from "../../components/loading-state.tsx";
import { SessionLink } from "../../components/session-link.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { TimeStamp } from "../../components/time-stamp.tsx";

const SHOWN = 5;
const RELOAD_MS = 5_000;

/** The newest conversations. */
export function RecentSessions() {
  const reprise = useReprise();
  const { data, error, refetch } = useQuery({
    queryKey: ["recent sessions"],
    queryFn: () => reprise.sessions.list({ limit: SHOWN }).page(),
    refetchInterval: RELOAD_MS,
  });
  return (
    <section className="section" aria-label="Newest sessions">
      <div className="section-head">
        <h2>Newest sessions</h2>
        <Link to="/sessions">All sessions</Link>
      </div>
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <LoadingState label="Loading sessions…" />}
      {data && data.data.length === 0 && (
        <EmptyState icon={MessagesSquare} title="No conversation yet">
          <p>Take the tour, or talk to an agent in the playground: its sessions appear here.</p>
        </EmptyState>
      )}
      {data && data.data.length > 0 && (
        <ul className="row-list">
          {data.data.map((session) => (
            <li key={session.id}>
              <SessionLink session={session} />
              <span className="row-list-fill">
                <bdi>{session.end_user_id ?? ""}</bdi>
              </span>
              <StatusBadge status={session.failure ? "failed" : session.status} />
              <span className="quiet">
                <TimeStamp at={session.created_at} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
