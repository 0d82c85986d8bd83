import { useQuery } from "@tanstack/react-query";

import { useReprise } from "../../access/access-context.ts";
import { ErrorState } from "../../components/error-state.tsx";
import { LoadingState } from "../../components/loading-state.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { EndUserShareList } from "../../components/quotas/end-user-share-list.tsx";
import { QuotaTable } from "../../components/quotas/quota-table.tsx";
import { SearchSetting } from "../../components/search-setting.tsx";

const RELOAD_MS = 15_000;

/** The tenant's quotas and how much of each is used, as it changes. */
export function QuotasPage() {
  const reprise = useReprise();
  const { data, error, isLoading, refetch } = useQuery({
    queryKey: ["limits"],
    queryFn: () => reprise.limits(),
    refetchInterval: RELOAD_MS,
  });
  return (
    <div className="detail-page">
      <PageHeader
        title="Quotas"
        subtitle="What this tenant may use, and what it does use. The operator of the platform sets the limits."
      />
      {isLoading && <LoadingState label="Loading quotas…" />}
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data && !error && <QuotaTable limits={data} />}
      {data && !error && <EndUserShareList limits={data} />}
      <SearchSetting />
      <p>
        <a href="/docs/quotas">What happens at a limit</a>
      </p>
    </div>
  );
}
