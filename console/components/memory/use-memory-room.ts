import { useQuery } from "@tanstack/react-query";

import type { TenantLimits } from "../../../sdk/index.ts";
import { useMay, useReprise } from "../../access/access-context.ts";

/** Milliseconds for which the quotas are taken as they were read. */
const STALE_MS = 60_000;

/** Memories that one store may have; null where the console may not read quotas, and of a platform without this one. */
export function useMemoryRoom(): number | null {
  const reprise = useReprise();
  const { data } = useQuery({
    queryKey: ["limits"],
    queryFn: () => reprise.limits(),
    enabled: useMay("usage:read"),
    staleTime: STALE_MS,
  });
  const quotas: Partial<TenantLimits["quotas"]> = data?.quotas ?? {};
  return quotas.memories_per_store ?? null;
}
