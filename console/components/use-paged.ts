import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";

import type { Page, Paged } from "../../sdk/index.ts";

export interface PagedRows<Row, Shape extends Page<Row> = Page<Row>> {
  readonly rows: readonly Row[];
  /** The first page as it was last read; undefined before that. */
  readonly first: Shape | undefined;
  readonly isLoading: boolean;
  readonly isLoadingMore: boolean;
  readonly error: Error | null;
  /** Loads the next page, unless it is on its way; undefined at the end of the list, and after a failure. */
  readonly loadMore: (() => void) | undefined;
  /** Reads the list anew, from its first page. */
  readonly reload: () => void;
  /** Reads again what is shown, which stays in view meanwhile: dialogs of its rows stay open. */
  readonly refresh: () => void;
}

/** Rows of one page, as many as the API gives. */
export const PAGE_ROWS = 100;

/** A list of the SDK, page by page. @param key Names the list and its filters. */
export function usePaged<Row, Shape extends Page<Row> = Page<Row>>(
  key: readonly unknown[],
  list: Paged<Row, Shape>,
): PagedRows<Row, Shape> {
  const queries = useQueryClient();
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam }) => list.page(pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_page,
    // A page behind others belongs to them: all would be read again.
    staleTime: Infinity,
  });
  const { data, hasNextPage, isFetching, fetchNextPage, error } = query;
  const rows = useMemo(() => data?.pages.flatMap((page) => page.data) ?? [], [data]);
  const loadMore = useCallback(() => {
    if (!isFetching) void fetchNextPage();
  }, [isFetching, fetchNextPage]);
  return {
    rows,
    first: data?.pages[0],
    isLoading: query.isLoading,
    isLoadingMore: query.isFetchingNextPage,
    error,
    loadMore: hasNextPage && !error ? loadMore : undefined,
    reload: () => void queries.resetQueries({ queryKey: key, exact: true }),
    refresh: () => void queries.invalidateQueries({ queryKey: key, exact: true }),
  };
}
