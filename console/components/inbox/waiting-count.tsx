import { useQuery } from "@tanstack/react-query";

import { useReprise } from "../../access/access-context.ts";
import { readAll } from "../read-all.ts";

/** Calls of one page, and pages that are counted: more of them are "1,000+". */
const PAGE = 100;
const MAX_PAGES = 10;
/** Milliseconds between two looks for each page that was read, and while nothing waits. A page that is not in view asks nothing. */
const WAITING_MS = 10_000;
const IDLE_MS = 30_000;

/** The query's name, for the pages that know better: they have it asked anew. */
export const WAITING_COUNT_KEY = ["confirmations", "count"] as const;

/** Number of calls of all sessions that wait for an answer: `12`, or `1,000+`; null while it is not known. */
export function useWaitingCount(): { readonly count: number; readonly text: string } | null {
  const reprise = useReprise();
  const { data } = useQuery({
    queryKey: WAITING_COUNT_KEY,
    queryFn: async () => {
      const list = reprise.confirmations.list({ limit: PAGE });
      const { rows, isWhole } = await readAll((page) => list.page(page), MAX_PAGES);
      return { count: rows.length, isWhole };
    },
    refetchInterval: ({ state: { data: known } }) =>
      known?.count ? WAITING_MS * Math.ceil(known.count / PAGE) : IDLE_MS,
    refetchOnWindowFocus: "always",
  });
  if (!data) return null;
  const text = data.count.toLocaleString();
  return { count: data.count, text: data.isWhole ? text : `${text}+` };
}

/** The number in the navigation; nothing for zero. */
export function WaitingCount() {
  const waiting = useWaitingCount();
  if (!waiting || waiting.count === 0) return null;
  return (
    <span className="navigation-count">
      {waiting.text}
      <span className="visually-hidden">{waiting.count === 1 ? " call waits" : " calls wait"}</span>
    </span>
  );
}
