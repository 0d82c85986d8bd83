import { useQuery } from "@tanstack/react-query";

import { useReprise } from "../../access/access-context.ts";

/** More of them are "20+": their inputs come with the list. */
const MOST_COUNTED = 20;
/** Milliseconds between two looks while something waits, and while nothing does. A page that is not in view asks nothing. */
const WAITING_MS = 10_000;
const IDLE_MS = 30_000;

/** The query's name, for the pages that know better: they have it asked anew. */
export const WAITING_COUNT_KEY = ["confirmations", "count"] as const;

/** Number of calls of all sessions that wait for an answer; nothing for zero, and while the number is not known. */
export function WaitingCount() {
  const reprise = useReprise();
  const { data } = useQuery({
    queryKey: WAITING_COUNT_KEY,
    queryFn: async () =>
      (await reprise.confirmations.list({ limit: MOST_COUNTED + 1 }).page(null)).data.length,
    refetchInterval: ({ state }) => ((state.data ?? 0) > 0 ? WAITING_MS : IDLE_MS),
    refetchOnWindowFocus: "always",
  });
  if (!data) return null;
  const shown = data > MOST_COUNTED ? `${MOST_COUNTED}+` : String(data);
  return (
    <span className="navigation-count">
      {shown}
      <span className="visually-hidden">{data === 1 ? " call waits" : " calls wait"}</span>
    </span>
  );
}
