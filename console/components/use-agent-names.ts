import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";

import { useMay, useReprise } from "../access/access-context.ts";
import { PAGE_ROWS } from "./use-paged.ts";

/** The names of the newest agents by id, where the console may read them. */
export function useAgentNames(): ReadonlyMap<string, string> {
  const reprise = useReprise();
  const { data } = useQuery({
    queryKey: ["agent names"],
    queryFn: () => reprise.agents.list({ limit: PAGE_ROWS }).page(),
    enabled: useMay("agents:read"),
    staleTime: 60_000,
  });
  return useMemo(() => new Map(data?.data.map(({ id, name }) => [id, name])), [data]);
}
