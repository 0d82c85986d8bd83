import { Building2 } from "lucide-react";

import type { Tenant } from "../../../sdk/index.ts";
import { useReprise } from "../../access/access-context.ts";
import { CodeId } from "../../components/code-id.tsx";
import { DataTable, type Column } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { LoadingState } from "../../components/loading-state.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { TimeStamp } from "../../components/time-stamp.tsx";
import { PAGE_ROWS, usePaged } from "../../components/use-paged.ts";

const COLUMNS: readonly Column<Tenant>[] = [
  { label: "Name", cell: ({ name }) => <strong>{name}</strong> },
  { label: "Status", cell: ({ status }) => <StatusBadge status={status} /> },
  { label: "Id", from: "tablet", cell: ({ id }) => <CodeId id={id} what="tenant id" /> },
  {
    label: "Running replies",
    from: "tablet",
    align: "end",
    cell: ({ quotas }) => quotas.running_replies ?? "no limit",
  },
  {
    label: "Created",
    from: "tablet",
    align: "end",
    cell: ({ created_at }) => <TimeStamp at={created_at} />,
  },
];

/** All tenants of the platform that are not closed, newest first. For the operator. */
export function TenantsPage() {
  const reprise = useReprise();
  const { rows, isLoading, isLoadingMore, error, loadMore, reload } = usePaged(
    ["tenants"],
    (page) => reprise.tenants.list({ limit: PAGE_ROWS }).page(page),
  );
  return (
    <div className="list-page">
      <PageHeader title="Tenants" subtitle="Customers with API keys, newest first" />
      {isLoading && <LoadingState label="Loading tenants…" />}
      {error && rows.length === 0 && <ErrorState error={error} onRetry={reload} />}
      {!isLoading && !error && rows.length === 0 && (
        <EmptyState icon={Building2} title="No tenants yet">
          <p>
            Create one with <code>POST /v1/tenants</code>: the answer has its first API key.
          </p>
        </EmptyState>
      )}
      {rows.length > 0 && (
        <DataTable
          label="Tenants"
          columns={COLUMNS}
          rows={rows}
          keyOf={({ id }) => id}
          onEnd={loadMore}
          footer={isLoadingMore && <LoadingState label="Loading more…" />}
        />
      )}
    </div>
  );
}
