import { useQuery, useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useMemo } from "react";

import type { Tenant, TenantActivity } from "../../../sdk/index.ts";
import { useReprise } from "../../access/access-context.ts";
import { formatCount } from "../../components/charts/format-number.ts";

/** Tenants that one request asks for, as many as the platform takes. */
const ASKED_TOGETHER = 50;
const RELOAD_MS = 30_000;
const KEY = "tenant activity";

/** With whom a tenant of the list is asked for. */
const Groups = createContext<ReadonlyMap<string, readonly string[]>>(new Map());

interface ActivityGroupsProps {
  readonly tenants: readonly Tenant[];
  readonly children: ReactNode;
}

/** The activity of tenants in a list is asked for together, each half minute, and only of rows that are drawn. */
export function ActivityGroups({ tenants, children }: ActivityGroupsProps) {
  const queries = useQueryClient();
  const groups = useMemo(() => {
    const ids = tenants.map(({ id }) => id);
    return new Map(
      ids.map((id, index) => {
        const start = index - (index % ASKED_TOGETHER);
        return [id, ids.slice(start, start + ASKED_TOGETHER)] as const;
      }),
    );
  }, [tenants]);
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === "hidden") return;
      void queries.invalidateQueries({ queryKey: [KEY] });
    }, RELOAD_MS);
    return () => clearInterval(timer);
  }, [queries]);
  return <Groups value={groups}>{children}</Groups>;
}

interface ActivityCountProps {
  readonly tenantId: string;
  readonly of: "running_replies" | "replies" | "error";
}

/** One count of a tenant in a list; a dash where it is not known. */
export function ActivityCount({ tenantId, of }: ActivityCountProps) {
  const reprise = useReprise();
  const ids = useContext(Groups).get(tenantId) ?? [tenantId];
  const { data, error } = useQuery({
    queryKey: [KEY, ids],
    queryFn: () => reprise.tenants.activity(ids),
    staleTime: RELOAD_MS,
  });
  const activity = data?.data.find(({ tenant_id }) => tenant_id === tenantId);
  if (!activity) return <Unknown isLoading={!data && !error} />;
  const count = activity[of];
  if (count === null) return <Unknown isLoading={false} />;
  return (
    <span className="count" data-tone={of === "error" && count > 0 ? "bad" : undefined}>
      {countText(activity, of, count)}
    </span>
  );
}

/** Of a tenant with more sums than are read the last hours alone are counted. */
export function countText(
  { is_whole }: TenantActivity,
  of: ActivityCountProps["of"],
  count: number,
): string {
  return is_whole || of === "running_replies" ? formatCount(count) : `over ${formatCount(count)}`;
}

function Unknown({ isLoading }: { readonly isLoading: boolean }) {
  return (
    <span className="quiet" title={isLoading ? "Loading" : "Not known at the moment"}>
      {isLoading ? "…" : "–"}
    </span>
  );
}
