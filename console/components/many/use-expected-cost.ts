import { useQuery } from "@tanstack/react-query";

import { useMay, useReprise } from "../../access/access-context.ts";
import { PAGE_ROWS } from "../use-paged.ts";

/**
 * The expected cost of one reply of each of these agents together, by the mean of the agent's last thirty days; null where
 * a part of that is not known.
 */
export function useExpectedCost(agentIds: readonly string[]): number | null {
  const reprise = useReprise();
  const { data } = useQuery({
    queryKey: ["mean costs"],
    queryFn: () => reprise.usage({ group_by: "agent", limit: PAGE_ROWS }).page(),
    enabled: useMay("usage:read"),
    staleTime: 60_000,
  });
  const means = new Map(
    data?.data.map(({ agent_id, cost_usd, replies }) => [
      agent_id,
      cost_usd === null || replies === 0 ? null : cost_usd / replies,
    ]),
  );
  return agentIds.reduce<number | null>((sum, id) => {
    const mean = means.get(id) ?? null;
    return sum === null || mean === null ? null : sum + mean;
  }, 0);
}
