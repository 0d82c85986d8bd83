import { BookMarked, SearchX } from "lucide-react";
import type { ReactNode } from "react";

import { ApiError, type FoundMemories, type Memory, type Paged } from "../../../sdk/index.ts";
import type { Column } from "../data-table.tsx";
import { EmptyState } from "../empty-state.tsx";
import { sentenceOf } from "../failure-text.ts";
import { FilterBar, type FilterField } from "../filter-bar.tsx";
import { PagedTable } from "../paged-table.tsx";
import { isFindable, SearchField } from "../search-field.tsx";
import type { Filters } from "../use-filters.ts";
import { useLiveList } from "../use-live-list.ts";
import { PAGE_ROWS, usePaged } from "../use-paged.ts";

const FIELDS: readonly FilterField[] = [{ name: "path", label: "Path begins with", kind: "text" }];
const LABEL = "Memories";

interface FoundMemoriesProps {
  /** Names the list. */
  readonly listKey: readonly unknown[];
  readonly read: (query: {
    readonly limit: number;
    readonly search?: string;
    readonly path?: string;
  }) => Paged<Memory, FoundMemories>;
  readonly columns: readonly Column<Memory>[];
  /** State of the address, which has the search and the path. */
  readonly filters: Filters;
  /** In place of a list that has nothing at all. */
  readonly empty: ReactNode;
}

/** Memories, newest first, as they come and go; or the best ones for a search, with what that has to say. */
export function FoundMemoriesTable(props: FoundMemoriesProps) {
  const { listKey, read, columns, filters, empty } = props;
  const { search: typed, path } = filters.values;
  const search = typed !== undefined && isFindable(typed) ? typed : undefined;
  // A search is of the whole store.
  const filter = search !== undefined ? { search } : path !== undefined ? { path } : ({} as const);
  const key = [...listKey, filter];
  const list = read({ ...filter, limit: PAGE_ROWS });
  const paged = usePaged<Memory, FoundMemories>(key, list);
  const refusal = refusalOf(paged.error);
  const { note } = paged.first ?? { note: null };
  return (
    <>
      <div className="memory-find">
        <SearchField name="search" label="Search the memories" filters={filters} />
        {search === undefined && <FilterBar fields={FIELDS} filters={filters} />}
      </div>
      {search === undefined ? (
        <Live listKey={key} list={list} />
      ) : (
        <p role="status" className="quiet">
          {paged.rows.length > 0 && note !== null
            ? sentenceOf(note)
            : paged.rows.length > 0 && "The best ones first, as the agent finds them."}
        </p>
      )}
      <PagedTable
        label={LABEL}
        columns={columns}
        paged={refusal === null ? paged : { ...paged, error: null }}
        keyOf={({ id }) => id}
        empty={
          refusal !== null ? (
            <EmptyState icon={SearchX} title="That cannot be searched for">
              <p>{refusal}</p>
            </EmptyState>
          ) : search !== undefined ? (
            <EmptyState icon={SearchX} title={`No memory has “${search}”`}>
              <p>{note === null ? "Try other words, or a part of a word." : sentenceOf(note)}</p>
            </EmptyState>
          ) : path !== undefined ? (
            <EmptyState icon={BookMarked} title="No memory is at this path">
              <p>
                A path is found whole or by its first names: <code>profile</code> has{" "}
                <code>profile/city</code> below it.
              </p>
            </EmptyState>
          ) : (
            empty
          )
        }
      />
    </>
  );
}

interface LiveProps {
  readonly listKey: readonly unknown[];
  readonly list: Paged<Memory, FoundMemories>;
}

/** Live updates of the list, while it is not searched. */
function Live({ listKey, list }: LiveProps) {
  const { hidden, show } = useLiveList(listKey, list, { keyOf: ({ id }) => id, label: LABEL });
  return (
    <div role="status" className={hidden > 0 ? undefined : "visually-hidden"}>
      {hidden > 0 && (
        <button type="button" className="button" onClick={show}>
          {hidden === 1 ? "Show 1 new" : `Show ${hidden} new`}
        </button>
      )}
    </div>
  );
}

/** The platform's word on a search that it refuses; null for any other failure. */
function refusalOf(error: Error | null): string | null {
  if (!ApiError.isInstance(error) || error.code !== "validation_failed") return null;
  return sentenceOf(error.errors[0]?.detail ?? error.detail);
}
