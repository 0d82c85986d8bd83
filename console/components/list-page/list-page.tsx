import { ArrowUp, RefreshCw } from "lucide-react";
import type { ReactNode } from "react";

import { PageHeader } from "../page-header.tsx";
import type { LiveList } from "../use-live-list.ts";
import { PagedTable, type PagedTableProps } from "../paged-table.tsx";

interface ListPageProps<Row> {
  readonly title: string;
  readonly subtitle: ReactNode;
  /** Buttons at the end of the heading's line. */
  readonly actions?: ReactNode;
  /** Whether the last button reads the list anew, from its first page. */
  readonly hasRefresh?: boolean;
  /** A list that keeps itself as it is on the platform. */
  readonly live?: LiveList;
  /** Tabs and filters, above the table. */
  readonly children?: ReactNode;
  readonly table: PagedTableProps<Row>;
}

/** Page that is one list of the SDK: its heading, tabs and filters, and the table that fills the rest of the screen. */
export function ListPage<Row>(props: ListPageProps<Row>) {
  const { title, subtitle, hasRefresh = false, live, actions, children, table } = props;
  const buttons = hasRefresh ? (
    <>
      {actions}
      <RefreshButton onPress={table.paged.reload} />
    </>
  ) : (
    actions
  );
  return (
    <div className="list-page">
      <PageHeader title={title} subtitle={subtitle}>
        {buttons}
      </PageHeader>
      {children}
      <div role="status" className={live?.hidden ? undefined : "visually-hidden"}>
        {live && live.hidden > 0 && (
          <button type="button" className="button" onClick={live.show}>
            <ArrowUp size={16} aria-hidden />
            {live.hidden === 1 ? "Show 1 new" : `Show ${live.hidden} new`}
          </button>
        )}
      </div>
      <PagedTable {...table} />
    </div>
  );
}

function RefreshButton({ onPress }: { readonly onPress: () => void }) {
  return (
    <button type="button" className="button" onClick={onPress}>
      <RefreshCw size={16} aria-hidden />
      Refresh
    </button>
  );
}
