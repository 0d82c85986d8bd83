import { type ReactNode, useEffect } from "react";

import { DataTable, type Column } from "./data-table.tsx";
import { ErrorState } from "./error-state.tsx";
import { LoadingState } from "./loading-state.tsx";
import type { PagedRows } from "./use-paged.ts";

export interface PagedTableProps<Row> {
  /** Name of the table, such as "Sessions". */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly paged: PagedRows<Row>;
  readonly keyOf: (row: Row) => string;
  /** Shown in place of a table without rows: what to do next. */
  readonly empty: ReactNode;
}

/** A list of the SDK as a table, and what takes its place while it loads, when that fails, and when there are no rows. */
export function PagedTable<Row>({ label, columns, paged, keyOf, empty }: PagedTableProps<Row>) {
  const { rows, isLoading, isLoadingMore, error, loadMore, reload } = paged;
  if (isLoading) return <LoadingState label="Loading…" />;
  if (rows.length === 0 && loadMore) return <LookFurther loadMore={loadMore} />;
  if (rows.length === 0) return error ? <ErrorState error={error} onRetry={reload} /> : empty;
  return (
    <DataTable
      label={label}
      columns={columns}
      rows={rows}
      keyOf={keyOf}
      onEnd={loadMore}
      footer={
        <>
          {isLoadingMore && <LoadingState label="Loading more…" />}
          {error && <ErrorState error={error} onRetry={reload} />}
        </>
      }
    />
  );
}

/** A page of a list that reads a bounded number of rows may have none of those that are looked for. */
function LookFurther({ loadMore }: { readonly loadMore: () => void }) {
  useEffect(loadMore, [loadMore]);
  return <LoadingState label="Looking further…" />;
}
