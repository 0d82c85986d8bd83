import type { ReactNode } from "react";

import { PageHeader } from "../page-header.tsx";
import { PagedTable, type PagedTableProps } from "../paged-table.tsx";

interface ListPageProps<Row> {
  readonly title: string;
  readonly subtitle: ReactNode;
  /** Buttons at the end of the heading's line. */
  readonly actions?: ReactNode;
  /** Tabs and filters, above the table. */
  readonly children?: ReactNode;
  readonly table: PagedTableProps<Row>;
}

/** Page that is one list of the SDK: its heading, tabs and filters, and the table that fills the rest of the screen. */
export function ListPage<Row>(props: ListPageProps<Row>) {
  const { title, subtitle, actions, children, table } = props;
  return (
    <div className="list-page">
      <PageHeader title={title} subtitle={subtitle}>
        {actions}
      </PageHeader>
      {children}
      <PagedTable {...table} />
    </div>
  );
}
