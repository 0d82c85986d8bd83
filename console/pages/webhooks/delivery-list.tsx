import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Send } from "lucide-react";
import { useMemo } from "react";

import type { DeliveryFilter, WebhookDelivery } from "../../../sdk/index.ts";
import { useReprise } from "../../access/access-context.ts";
import { DataTable, type Column } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { FilterBar, type FilterField } from "../../components/filter-bar.tsx";
import { LoadingState } from "../../components/loading-state.tsx";
import { TimeStamp } from "../../components/time-stamp.tsx";
import { useFilters } from "../../components/use-filters.ts";
import { PAGE_ROWS } from "../../components/use-paged.ts";
import { DeliveryBadge } from "./delivery-badge.tsx";
import { deliveriesKey } from "./delivery-keys.ts";

const FIELDS: readonly FilterField[] = [
  {
    name: "status",
    label: "Status",
    kind: "choice",
    options: [
      ["pending", "Pending"],
      ["delivered", "Delivered"],
      ["failed", "Failed"],
    ],
  },
];
/** Milliseconds between two looks while a delivery on the first page is on its way, and otherwise. */
const BUSY_MS = 2_000;
const IDLE_MS = 15_000;

const COLUMNS: readonly Column<WebhookDelivery>[] = [
  {
    label: "Message",
    cell: ({ id, endpoint_id, type }) => (
      <Link
        to="/webhooks/$endpointId/$deliveryId"
        params={{ endpointId: endpoint_id, deliveryId: id }}
        className="row-link"
      >
        {type}
      </Link>
    ),
  },
  { label: "Status", cell: ({ status }) => <DeliveryBadge status={status} /> },
  { label: "Attempts", align: "end", cell: ({ attempt_count }) => attempt_count },
  {
    label: "Next attempt",
    from: "tablet",
    cell: ({ next_attempt_at }) =>
      next_attempt_at === null ? (
        <span className="quiet">–</span>
      ) : (
        <TimeStamp at={next_attempt_at} />
      ),
  },
  {
    label: "Made",
    from: "tablet",
    align: "end",
    cell: ({ created_at }) => <TimeStamp at={created_at} />,
  },
];

/** Deliveries to an endpoint, made and on their way. */
export function DeliveryList({ endpointId }: { readonly endpointId: string }) {
  const reprise = useReprise();
  const filters = useFilters();
  const status = filters.values["status"];
  const filter = (status === undefined ? {} : { status }) as DeliveryFilter;
  const query = useInfiniteQuery({
    queryKey: [...deliveriesKey(endpointId), filter],
    queryFn: ({ pageParam }) =>
      reprise.webhookEndpoints
        .deliveries(endpointId, { ...filter, limit: PAGE_ROWS })
        .page(pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_page,
    refetchInterval: ({ state }) =>
      state.data?.pages[0]?.data.some((delivery) => delivery.status === "pending")
        ? BUSY_MS
        : IDLE_MS,
  });
  const { data, error, hasNextPage, isFetching, fetchNextPage } = query;
  const rows = useMemo(() => data?.pages.flatMap((page) => page.data) ?? [], [data]);
  return (
    <>
      <div className="panel-head">
        <h2>Deliveries</h2>
        <FilterBar fields={FIELDS} filters={filters} />
      </div>
      {query.isLoading && <LoadingState label="Loading deliveries…" />}
      {error && rows.length === 0 && (
        <ErrorState error={error} onRetry={() => void query.refetch()} />
      )}
      {!query.isLoading && !error && rows.length === 0 && (
        <EmptyState icon={Send} title="No deliveries">
          <p>
            {status === undefined
              ? "Nothing was sent yet. Send a test, or wait for an event that it subscribes to."
              : "None has this status."}
          </p>
        </EmptyState>
      )}
      {rows.length > 0 && (
        <DataTable
          label="Deliveries"
          columns={COLUMNS}
          rows={rows}
          keyOf={({ id }) => id}
          onEnd={hasNextPage && !isFetching ? () => void fetchNextPage() : undefined}
          footer={query.isFetchingNextPage && <LoadingState label="Loading more…" />}
        />
      )}
    </>
  );
}
