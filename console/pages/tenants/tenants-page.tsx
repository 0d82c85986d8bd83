import { Link } from "@tanstack/react-router";
import { Building2 } from "lucide-react";

import type { Tenant } from "../../../sdk/index.ts";
import { useReprise } from "../../access/access-context.ts";
import { CodeId } from "../../components/code-id.tsx";
import type { Column } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { ListPage } from "../../components/list-page/list-page.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { TimeStamp } from "../../components/time-stamp.tsx";
import { PAGE_ROWS, usePaged } from "../../components/use-paged.ts";

const COLUMNS: readonly Column<Tenant>[] = [
  {
    label: "Name",
    cell: ({ id, name }) => (
      <Link to="/tenants/$tenantId" params={{ tenantId: id }} className="row-link">
        <strong>
          <bdi>{name}</bdi>
        </strong>
      </Link>
    ),
  },
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
  const paged = usePaged(["tenants"], reprise.tenants.list({ limit: PAGE_ROWS }));
  return (
    <ListPage
      title="Tenants"
      subtitle="Customers with API keys, newest first"
      table={{
        label: "Tenants",
        columns: COLUMNS,
        paged,
        keyOf: ({ id }) => id,
        empty: (
          <EmptyState icon={Building2} title="No tenants yet">
            <p>
              Create one with <code>POST /v1/tenants</code>: the answer has its first API key.
            </p>
          </EmptyState>
        ),
      }}
    />
  );
}
