import { Link } from "@tanstack/react-router";
import { Building2, SearchX } from "lucide-react";

import type { Tenant } from "../../../sdk/index.ts";
import { useMay, useReprise } from "../../access/access-context.ts";
import { CodeId } from "../../components/code-id.tsx";
import type { Column } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { FilterBar, type FilterField } from "../../components/filter-bar.tsx";
import { AddDialog } from "../../components/list-page/add-dialog.tsx";
import { ListPage } from "../../components/list-page/list-page.tsx";
import { MissingRight } from "../../components/missing-right.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { TimeStamp } from "../../components/time-stamp.tsx";
import { useFilters } from "../../components/use-filters.ts";
import { PAGE_ROWS, usePaged } from "../../components/use-paged.ts";
import { CreateTenant } from "./create-tenant.tsx";
import { ActivityCount, ActivityGroups } from "./tenant-activity.tsx";

const FIELDS: readonly FilterField[] = [{ name: "search", label: "Name or id", kind: "text" }];

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
  {
    label: "Running",
    align: "end",
    cell: ({ id }) => <ActivityCount tenantId={id} of="running_replies" />,
  },
  {
    label: "Replies today",
    from: "tablet",
    align: "end",
    cell: ({ id }) => <ActivityCount tenantId={id} of="replies" />,
  },
  {
    label: "Failed today",
    from: "tablet",
    align: "end",
    cell: ({ id }) => <ActivityCount tenantId={id} of="error" />,
  },
  { label: "Id", from: "desktop", cell: ({ id }) => <CodeId id={id} what="tenant id" /> },
  {
    label: "Created",
    from: "desktop",
    align: "end",
    cell: ({ created_at }) => <TimeStamp at={created_at} />,
  },
];

/** All tenants of the platform that are not closed, newest first, with what they do. For the operator. */
export function TenantsPage() {
  const reprise = useReprise();
  const mayWrite = useMay("tenants:write");
  const filters = useFilters();
  const { search } = filters.values;
  const paged = usePaged(
    ["tenants", search],
    reprise.tenants.list({ limit: PAGE_ROWS, ...(search !== undefined && { search }) }),
  );
  return (
    <ActivityGroups tenants={paged.rows}>
      <ListPage
        title="Tenants"
        subtitle="Customers with API keys, newest first; today is the day in UTC"
        actions={
          mayWrite && (
            <AddDialog label="New tenant" title="New tenant">
              {(close) => <CreateTenant onCreated={paged.reload} onClose={close} />}
            </AddDialog>
          )
        }
        table={{
          label: "Tenants",
          columns: COLUMNS,
          paged,
          keyOf: ({ id }) => id,
          empty:
            search === undefined ? (
              <EmptyState icon={Building2} title="No tenants yet">
                {mayWrite && <p>Create one: it gets its first API key, which is shown once.</p>}
              </EmptyState>
            ) : (
              <NothingFound search={search} onMore={paged.loadMore} />
            ),
        }}
      >
        <MissingRight right="tenants:write">No tenant can be created or changed</MissingRight>
        <FilterBar fields={FIELDS} filters={filters} />
      </ListPage>
    </ActivityGroups>
  );
}

interface NothingFoundProps {
  readonly search: string;
  /** Set where there are tenants that were not looked through. */
  readonly onMore: (() => void) | undefined;
}

function NothingFound({ search, onMore }: NothingFoundProps) {
  return (
    <EmptyState icon={SearchX} title={onMore ? "Nothing found so far" : "No tenant is called so"}>
      <p>
        <bdi>{search}</bdi> is looked for in the names of tenants that are not closed; a text that
        begins with <code>ten_</code> at the beginning of their ids.
      </p>
      {onMore && (
        <button type="button" className="button" onClick={onMore}>
          Look through older ones
        </button>
      )}
    </EmptyState>
  );
}
