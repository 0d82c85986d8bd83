import { Link } from "@tanstack/react-router";

import type { Memory } from "../../../sdk/index.ts";
import type { Column } from "../data-table.tsx";
import { TimeStamp } from "../time-stamp.tsx";
import { UntrustedBadge } from "./memory-origin.tsx";

/** Characters of a text in a row: more of it is never in view, and a page of long ones would be slow to draw. */
const ROW_CHARACTERS = 300;

/** Columns of a list of memories; each row leads to its memory. */
export const MEMORY_COLUMNS: readonly Column<Memory>[] = [
  {
    label: "Memory",
    cell: ({ id, store_id, content }) => (
      <Link
        to="/memory/$storeId/$memoryId"
        params={{ storeId: store_id, memoryId: id }}
        className="row-link"
      >
        <bdi>{content.slice(0, ROW_CHARACTERS)}</bdi>
      </Link>
    ),
  },
  {
    label: "Path",
    from: "tablet",
    cell: ({ path }) =>
      path === null ? (
        <span className="quiet">–</span>
      ) : (
        <span className="code" title={path}>
          {path}
        </span>
      ),
  },
  { label: "Trust", cell: ({ untrusted }) => <UntrustedBadge untrusted={untrusted} /> },
  {
    label: "Version",
    align: "end",
    from: "tablet",
    cell: ({ version }) => `v${version}`,
  },
  {
    label: "Changed",
    align: "end",
    from: "tablet",
    cell: ({ updated_at }) => <TimeStamp at={updated_at} />,
  },
];
