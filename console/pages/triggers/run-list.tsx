import { Link } from "@tanstack/react-router";
import { AlarmClock } from "lucide-react";

import type { TriggerRun } from "../../../sdk/index.ts";
import { useReprise } from "../../access/access-context.ts";
import type { Column } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { PagedTable } from "../../components/paged-table.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { TimeStamp } from "../../components/time-stamp.tsx";
import { useLiveList } from "../../components/use-live-list.ts";
import { PAGE_ROWS, usePaged } from "../../components/use-paged.ts";
import { reasonOf, wordsOfContext } from "./trigger-words.ts";

const LABEL = "Runs";
const keyOf = ({ id }: TriggerRun): string => id;

/** The runs of a trigger, newest first, with what came of them. */
export function RunList({ triggerId }: { readonly triggerId: string }) {
  const reprise = useReprise();
  const key = ["trigger runs", triggerId];
  const list = reprise.triggers.runs(triggerId).list({ limit: PAGE_ROWS });
  const paged = usePaged(key, list);
  useLiveList(key, list, { keyOf, label: LABEL });
  return (
    <section className="trigger-part" aria-label={LABEL}>
      <h2>{LABEL}</h2>
      <PagedTable
        label={LABEL}
        columns={COLUMNS}
        paged={paged}
        keyOf={keyOf}
        empty={
          <EmptyState icon={AlarmClock} title="It has not run yet">
            <p>Runs are kept for 30 days.</p>
          </EmptyState>
        }
      />
    </section>
  );
}

const COLUMNS: readonly Column<TriggerRun>[] = [
  { label: "Begun", cell: (run) => <BegunAt run={run} /> },
  { label: "By", cell: (run) => <bdi>{wordsOfContext(run)}</bdi> },
  { label: "State", cell: ({ status }) => <StatusBadge status={status} /> },
  { label: "Reason", from: "tablet", cell: (run) => <bdi>{reasonOf(run)}</bdi> },
  {
    label: "Ended",
    align: "end",
    from: "tablet",
    cell: ({ ended_at }) => (ended_at === null ? "" : <TimeStamp at={ended_at} />),
  },
];

function BegunAt({ run }: { readonly run: TriggerRun }) {
  const { session_id, room_id, message_id, created_at } = run;
  if (room_id !== null && message_id !== null) {
    return (
      <Link to="/rooms/$roomId" params={{ roomId: room_id }} className="row-link">
        <TimeStamp at={created_at} />
      </Link>
    );
  }
  if (session_id === null) return <TimeStamp at={created_at} />;
  return (
    <Link to="/sessions/$sessionId" params={{ sessionId: session_id }} className="row-link">
      <TimeStamp at={created_at} />
    </Link>
  );
}
