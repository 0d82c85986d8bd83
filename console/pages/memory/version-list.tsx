import { Link } from "@tanstack/react-router";
import { History } from "lucide-react";

import type { MemoryVersion } from "../../../sdk/index.ts";
import { useReprise } from "../../access/access-context.ts";
import type { Column } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { UntrustedBadge } from "../../components/memory/memory-origin.tsx";
import { PagedTable } from "../../components/paged-table.tsx";
import { TimeStamp } from "../../components/time-stamp.tsx";
import { useLiveList } from "../../components/use-live-list.ts";
import { PAGE_ROWS, usePaged } from "../../components/use-paged.ts";
import { wordsOfVersion } from "./version-words.ts";

const LABEL = "Versions";
/** Characters of a text in a row. */
const ROW_CHARACTERS = 300;
const keyOf = ({ id }: MemoryVersion): string => id;

/** Versions that were written in a store, newest first, redacted texts without their words. */
export function VersionList({ storeId }: { readonly storeId: string }) {
  const reprise = useReprise();
  const key = ["memory-versions", storeId];
  const list = reprise.memoryStores.memories(storeId).versions({ limit: PAGE_ROWS });
  const paged = usePaged(key, list);
  const { hidden, show } = useLiveList(key, list, { keyOf, label: LABEL });
  return (
    <>
      <div role="status" className={hidden > 0 ? undefined : "visually-hidden"}>
        {hidden > 0 && (
          <button type="button" className="button" onClick={show}>
            {hidden === 1 ? "Show 1 new" : `Show ${hidden} new`}
          </button>
        )}
      </div>
      <PagedTable
        label={LABEL}
        columns={COLUMNS}
        paged={paged}
        keyOf={keyOf}
        empty={
          <EmptyState icon={History} title="Nothing was written yet">
            <p>Each memory that is recorded, corrected or superseded has a version here.</p>
          </EmptyState>
        }
      />
    </>
  );
}

const COLUMNS: readonly Column<MemoryVersion>[] = [
  {
    label: "Text",
    cell: ({ store_id, memory_id, content }) => (
      <Link
        to="/memory/$storeId/$memoryId"
        params={{ storeId: store_id, memoryId: memory_id }}
        className="row-link"
      >
        {content === null ? (
          <em className="quiet">redacted</em>
        ) : (
          <bdi>{content.slice(0, ROW_CHARACTERS)}</bdi>
        )}
      </Link>
    ),
  },
  { label: "What was done", cell: wordsOfVersion },
  {
    label: "Trust",
    from: "tablet",
    cell: ({ untrusted }) => <UntrustedBadge untrusted={untrusted} />,
  },
  {
    label: "Path",
    from: "desktop",
    cell: ({ path }) =>
      path === null ? <span className="quiet">–</span> : <span className="code">{path}</span>,
  },
  {
    label: "When",
    align: "end",
    from: "tablet",
    cell: ({ created_at }) => <TimeStamp at={created_at} />,
  },
];
