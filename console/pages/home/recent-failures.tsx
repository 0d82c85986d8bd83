import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";

import { useReprise } from "../../access/access-context.ts";
import { FailedSessionItem } from "../../components/failed-session-item.tsx";
import { causeOf, groupFailures, messageOf } from "../../components/group-failures.ts";

const SHOWN = 5;
const RELOAD_MS = 5_000;

/** The newest sessions whose last reply has failed, with the reason; nothing where there is none. */
export function RecentFailures() {
  const reprise = useReprise();
  const { data } = useQuery({
    queryKey: ["recent failures"],
    queryFn: () => reprise.sessions.list({ status: "failed", limit: SHOWN }).page(),
    refetchInterval: RELOAD_MS,
  });
  const failed = groupFailures(data?.data ?? []).flatMap(({ sessions }) => sessions);
  if (failed.length === 0) return null;
  return (
    <section className="section" aria-label="Failures">
      <div className="section-head">
        <h2>Failures</h2>
        <Link to="/failures">All failures</Link>
      </div>
      <ul className="row-list">
        {failed.map((session) => (
          <FailedSessionItem key={session.id} session={session}>
            <bdi title={messageOf(session.failure)}>
              {causeOf(session.failure)}: {messageOf(session.failure)}
            </bdi>
          </FailedSessionItem>
        ))}
      </ul>
    </section>
  );
}
