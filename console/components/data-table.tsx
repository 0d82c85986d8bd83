import { useVirtualizer } from "@tanstack/react-virtual";
import type { ReactNode } from "react";
import { memo, useEffect, useRef } from "react";

export interface Column<Row> {
  readonly label: string;
  readonly cell: (row: Row) => ReactNode;
  /** The smallest screen that shows it; every screen does when left out. */
  readonly from?: "tablet" | "desktop";
  readonly align?: "end";
}

interface DataTableProps<Row> {
  /** Name of the table, such as "Sessions". */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** Called when the end comes near, again and again; left out when there is no more. */
  readonly onEnd?: () => void;
  /** Shown below the last row: that more is loading, or that loading has failed. */
  readonly footer?: ReactNode;
}

/** Pixels of a row: all have this height, so that a list of any length scrolls without measuring. */
const ROW_PIXELS = 44;
/** Rows that are drawn beyond what is seen, and before whose end more is loaded. */
const SPARE_ROWS = 20;

/**
 * A table of any length. Only the rows in view are drawn; two empty ones have the height of the others. A link with the
 * class `row-link` in a cell covers its row.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, keyOf, onEnd, footer } = props;
  const region = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => region.current,
    estimateSize: () => ROW_PIXELS,
    overscan: SPARE_ROWS,
  });
  const shown = virtualizer.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last >= rows.length - SPARE_ROWS) onEnd?.();
  }, [last, rows.length, onEnd]);
  const before = shown[0]?.start ?? 0;
  const after = virtualizer.getTotalSize() - (shown.at(-1)?.end ?? 0);

  return (
    <div className="table-region" ref={region} role="region" aria-label={label} tabIndex={0}>
      <table className="table" aria-rowcount={onEnd ? -1 : rows.length + 1}>
        <thead>
          <tr aria-rowindex={1}>
            {columns.map((column) => (
              <th key={column.label} scope="col" {...marksOf(column)}>
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {before > 0 && <Space pixels={before} columns={columns.length} />}
          {shown.map(({ index }) => {
            const row = rows[index];
            if (row === undefined) return null;
            return <TableRow key={keyOf(row)} {...{ row, index, columns }} />;
          })}
          {after > 0 && <Space pixels={after} columns={columns.length} />}
        </tbody>
      </table>
      {footer}
    </div>
  );
}

interface TableRowProps<Row> {
  readonly row: Row;
  readonly index: number;
  readonly columns: readonly Column<Row>[];
}

/** A row that is drawn anew with another row or other columns, and not with each step of the scroll. */
const TableRow = memo(function TableRow<Row>({ row, index, columns }: TableRowProps<Row>) {
  return (
    <tr aria-rowindex={index + 2}>
      {columns.map((column) => (
        <td key={column.label} {...marksOf(column)}>
          {column.cell(row)}
        </td>
      ))}
    </tr>
  );
}) as <Row>(props: TableRowProps<Row>) => ReactNode;

function marksOf<Row>({ from, align }: Column<Row>) {
  return { "data-from": from, "data-align": align };
}

function Space({ pixels, columns }: { readonly pixels: number; readonly columns: number }) {
  return (
    <tr aria-hidden className="table-space" style={{ height: `${pixels}px` }}>
      <td colSpan={columns} />
    </tr>
  );
}
