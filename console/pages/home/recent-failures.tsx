import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";

import { useReprise } from "../../access/access-context.ts";
import { TimeStamp } from "../../components/time-stamp.tsx";
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
        {failed.map(({ id, title, failure }) => (
          <li key={id}>
            <Link
              to="/sessions/$sessionId"
              params={{ sessionId: id }}
              search={{ tab: "timeline", reply: failure.reply_id } as never}
              className={title === null ? "row-link code" : "row-link"}
            >
              <bdi>{title ?? id}</bdi>
            </Link>
            <span className="row-list-fill" title={messageOf(failure)}>
              <bdi>
                {causeOf(failure)}: {messageOf(failure)}
              </bdi>
            </span>
            <span className="quiet">
              <TimeStamp at={failure.failed_at} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
