import { Ban, Combine } from "lucide-react";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";

import type { MemoryConsolidation } from "../../../sdk/index.ts";
import { useMay, useReprise } from "../../access/access-context.ts";
import { formatCount, formatMoney } from "../../components/charts/format-number.ts";
import { DangerDialog } from "../../components/danger-dialog.tsx";
import type { Column } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { sentenceOf } from "../../components/failure-text.ts";
import { AddDialog } from "../../components/list-page/add-dialog.tsx";
import { PagedTable } from "../../components/paged-table.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { TimeStamp } from "../../components/time-stamp.tsx";
import { useLiveList } from "../../components/use-live-list.ts";
import { PAGE_ROWS, usePaged } from "../../components/use-paged.ts";
import { NewConsolidation } from "./new-consolidation.tsx";

const LABEL = "Consolidations";
const keyOf = ({ id }: MemoryConsolidation): string => id;

interface ConsolidationsViewProps {
  readonly storeId: string;
  readonly agentId: string;
}

/** Jobs in which a model settles what memories of a store say twice, or otherwise: begun, watched and cancelled. */
export function ConsolidationsView({ storeId, agentId }: ConsolidationsViewProps) {
  const reprise = useReprise();
  const queries = useQueryClient();
  const mayWrite = useMay("memories:write");
  const key = ["memory-consolidations", storeId];
  const jobs = reprise.memoryStores.consolidations(storeId);
  const list = jobs.list({ limit: PAGE_ROWS });
  const paged = usePaged(key, list);
  useLiveList(key, list, { keyOf, label: LABEL });
  const { refresh, rows } = paged;
  const isAtWork = rows.some(({ ended_at }) => ended_at === null);
  const [newest] = rows;
  const written = (newest?.written ?? 0) + (newest?.superseded ?? 0);
  // Versions that a job has written are in the other views too.
  useEffect(() => {
    void queries.resetQueries({ queryKey: ["memories", storeId] });
    queries.removeQueries({ queryKey: ["memory-versions", storeId] });
  }, [queries, storeId, written]);
  const columns = useMemo(
    () =>
      mayWrite
        ? [
            ...COLUMNS,
            cancelColumn(async (id) => {
              await reprise.memoryStores.consolidations(storeId).cancel(id);
              refresh();
            }),
          ]
        : COLUMNS,
    [mayWrite, reprise, storeId, refresh],
  );
  return (
    <>
      {mayWrite && (
        <div className="button-row">
          <AddDialog label="Consolidate" title="Consolidate the memories" isSecondary>
            {(close) => (
              <NewConsolidation
                storeId={storeId}
                agentId={agentId}
                onClose={close}
                onBegun={refresh}
              />
            )}
          </AddDialog>
          {isAtWork && <span className="quiet">One at a time: one is at work.</span>}
        </div>
      )}
      <PagedTable
        label={LABEL}
        columns={columns}
        paged={paged}
        keyOf={keyOf}
        empty={
          <EmptyState icon={Combine} title="Nothing was consolidated yet">
            <p>
              A model goes over the memories of this store and takes those that say the same, are
              outdated or contradict each other into one. Their versions stay listed.
            </p>
            <p>
              <a href="/docs/memory">Read about memory</a>
            </p>
          </EmptyState>
        }
      />
    </>
  );
}

const COLUMNS: readonly Column<MemoryConsolidation>[] = [
  {
    label: "State",
    cell: ({ status, error }) => (
      <>
        <StatusBadge status={status} />
        {error && (
          <span className="quiet" title={sentenceOf(error.message)}>
            {" "}
            {error.code.replaceAll("_", " ")}: {error.message}
          </span>
        )}
      </>
    ),
  },
  {
    label: "Gone over",
    align: "end",
    cell: ({ read, memories }) => `${formatCount(read)} of ${formatCount(memories)}`,
  },
  {
    label: "Taken together",
    align: "end",
    cell: ({ superseded, written, skipped }) => (
      <span
        title={`${formatCount(written)} new versions; ${formatCount(skipped)} proposals not made`}
      >
        {formatCount(superseded)}
      </span>
    ),
  },
  {
    label: "Tokens",
    align: "end",
    from: "tablet",
    cell: ({ usage }) =>
      usage ? formatCount(usage.input_tokens + usage.output_tokens) : <span>–</span>,
  },
  {
    label: "Cost",
    align: "end",
    from: "tablet",
    cell: ({ cost_usd, usage }) => (usage ? formatMoney(cost_usd) : "–"),
  },
  {
    label: "Model",
    from: "desktop",
    cell: ({ model, instructions }) => (
      <span className="code" title={instructions ?? "without instructions of its own"}>
        {model}
      </span>
    ),
  },
  {
    label: "Begun",
    align: "end",
    from: "tablet",
    cell: ({ created_at }) => <TimeStamp at={created_at} />,
  },
];

function cancelColumn(onCancel: (id: string) => Promise<void>): Column<MemoryConsolidation> {
  return {
    label: "Cancel",
    align: "end",
    cell: ({ id, ended_at }) =>
      ended_at === null ? (
        <DangerDialog
          title="Cancel this consolidation?"
          action="Cancel it"
          button={{ icon: Ban, name: "Cancel the consolidation", look: "small icon" }}
          onConfirm={() => onCancel(id)}
        >
          <p>
            What it has written stays; the batch that it is at is not written. What it has used is
            paid.
          </p>
        </DangerDialog>
      ) : null,
  };
}
