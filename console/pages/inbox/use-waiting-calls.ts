import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo, useRef } from "react";

import type { Confirmation, ConfirmationFilter } from "../../../sdk/index.ts";
import { useReprise } from "../../access/access-context.ts";
import { WAITING_COUNT_KEY } from "../../components/inbox/waiting-count.tsx";
import { PAGE_ROWS } from "../../components/use-paged.ts";
import { afterFailure, afterLook, FIRST_PACE } from "./look-pace.ts";
import { keyOfCall } from "./waiting-list.ts";

interface WaitingCalls {
  /** As the last look has them; null before the first one. */
  readonly calls: readonly Confirmation[] | null;
  /** No further call waits behind these. */
  readonly isWhole: boolean;
  /** When that look was, in UTC milliseconds. */
  readonly lookedAt: number;
  readonly isLoading: boolean;
  readonly error: Error | null;
  /** Loads the next page; undefined at the end of the list. */
  readonly loadMore: (() => void) | undefined;
  /** Looks now. */
  readonly look: () => Promise<void>;
}

/** Everything that waits across the tenant, oldest first, and what comes and goes while the page is in view. */
export function useWaitingCalls(filter: ConfirmationFilter): WaitingCalls {
  const reprise = useReprise();
  const queries = useQueryClient();
  const pace = useRef(FIRST_PACE);
  const key = ["confirmations", filter];
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: async ({ pageParam }) => {
      try {
        const list = reprise.confirmations.list({ ...filter, limit: PAGE_ROWS });
        const page = await list.page(pageParam);
        if (pageParam === null) {
          pace.current = afterLook(pace.current, page.data.map(keyOfCall).join());
        }
        return page;
      } catch (error) {
        pace.current = afterFailure(pace.current);
        throw error;
      }
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_page,
    refetchInterval: () => pace.current.ms,
    refetchOnWindowFocus: "always",
    // Calls that waited when the page was left may be answered by now.
    gcTime: 0,
  });
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const calls = useMemo(() => data?.pages.flatMap((page) => page.data) ?? null, [data]);
  return {
    calls,
    isWhole: !hasNextPage,
    lookedAt: query.dataUpdatedAt,
    isLoading: query.isLoading,
    error: query.error,
    loadMore: hasNextPage && !isFetchingNextPage ? () => void fetchNextPage() : undefined,
    look: () => {
      pace.current = FIRST_PACE;
      void queries.invalidateQueries({ queryKey: WAITING_COUNT_KEY });
      return queries.invalidateQueries({ queryKey: key, exact: true });
    },
  };
}
