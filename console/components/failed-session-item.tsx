import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";

import type { FailedSession } from "./group-failures.ts";
import { TimeStamp } from "./time-stamp.tsx";

interface FailedSessionItemProps {
  readonly session: FailedSession;
  /** Text between the session's title and the time of the failure. */
  readonly children: ReactNode;
}

/** A row of a list of failures. It leads to the diagnostics of the reply that failed. */
export function FailedSessionItem({ session, children }: FailedSessionItemProps) {
  const { id, title, failure } = session;
  return (
    <li>
      <Link
        to="/sessions/$sessionId"
        params={{ sessionId: id }}
        search={{ tab: "timeline", reply: failure.reply_id } as never}
        className={title === null ? "row-link code" : "row-link"}
      >
        <bdi>{title ?? id}</bdi>
      </Link>
      <span className="row-list-fill">{children}</span>
      <span className="quiet">
        <TimeStamp at={failure.failed_at} />
      </span>
    </li>
  );
}
