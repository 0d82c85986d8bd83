import { type InfiniteData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";

import type { Page, Paged } from "../../sdk/index.ts";
import { mergeFirstPage } from "./merge-first-page.ts";

/** Milliseconds between two looks at the first page of a list. None is made while the window is hidden. */
const LOOK_MS = 4_000;

export interface LiveList {
  /** New rows that are held back while a person points at the list. */
  readonly hidden: number;
  readonly show: () => void;
}

interface LiveOptions<Row> {
  readonly keyOf: (row: Row) => string;
  /** Name of the region with the table. */
  readonly label: string;
}

/**
 * Keeps a list of `usePaged` as it is on the platform: its first page is read again and again.
 * @param key The list's own. @param list The list that it is read from.
 */
export function useLiveList<Row, Shape extends Page<Row> = Page<Row>>(
  key: readonly unknown[],
  list: Paged<Row, Shape>,
  { keyOf, label }: LiveOptions<Row>,
): LiveList {
  const queries = useQueryClient();
  const merge = useCallback(
    (first: Page<Row>, isHeld: boolean): number => {
      const known = queries.getQueryData<InfiniteData<Page<Row>, string | null>>(key);
      if (!known) return 0;
      const { pages, hidden } = mergeFirstPage(known.pages, first, { keyOf, isHeld });
      const pageParams = isHeld ? known.pageParams : [null];
      queries.setQueryData(key, { pages: [...pages], pageParams });
      return hidden;
    },
    [queries, key, keyOf],
  );
  const { data } = useQuery({
    queryKey: [...key, "live"],
    queryFn: async () => {
      const first = await list.page(null);
      return { first, hidden: merge(first, isHeld(label)) };
    },
    // The list itself has just been read.
    initialData: null,
    staleTime: LOOK_MS,
    refetchInterval: LOOK_MS,
    gcTime: 0,
  });
  return {
    hidden: data?.hidden ?? 0,
    show: () => {
      if (!data) return;
      merge(data.first, false);
      queries.setQueryData([...key, "live"], { ...data, hidden: 0 });
      document.querySelector(`[role="region"][aria-label="${label}"]`)?.scrollTo({ top: 0 });
    },
  };
}

/** Whether a row that moves could be missed: pointed at, focused, or read further down. */
function isHeld(label: string): boolean {
  const region = document.querySelector(`[role="region"][aria-label="${label}"]`);
  if (!region) return false;
  return region.matches(":hover") || region.matches(":focus-within") || region.scrollTop > 0;
}
