import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";

import { useReprise } from "../../access/access-context.ts";
import { ErrorState } from "../../components/error-state.tsx";
import { FilterBar } from "../../components/filter-bar.tsx";
import { LoadingState } from "../../components/loading-state.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { readPlotChoice } from "../../components/plots/plot-choice.ts";
import { PLOT_FIELDS } from "../../components/plots/plot-fields.ts";
import { PlotList } from "../../components/plots/plot-list.tsx";
import { useAgentNames } from "../../components/use-agent-names.ts";
import { useFilters } from "../../components/use-filters.ts";

const RELOAD_MS = 30_000;

/** Replies, failures, waits, first outputs, tokens and cost of the tenant over time. */
export function PlotsPage() {
  const reprise = useReprise();
  const filters = useFilters();
  const names = useAgentNames();
  const choice = readPlotChoice(filters.values, Date.now());
  const { filter } = choice;
  const { data, error, isLoading, refetch } = useQuery({
    queryKey: ["plots", filter],
    queryFn: () => reprise.usageSeries(filter),
    refetchInterval: RELOAD_MS,
  });
  return (
    <div className="detail-page">
      <PageHeader
        title="Plots"
        subtitle="Replies by the hour or day in which they ended, in UTC; kept for 90 days"
      />
      <FilterBar fields={PLOT_FIELDS} filters={filters} />
      {isLoading && <LoadingState label="Adding up…" />}
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data && (
        <PlotList
          answer={data}
          choice={choice}
          nameOf={(key) => names.get(key) ?? key}
          failuresLink={<Link to="/failures">What failed</Link>}
          empty="A reply is counted some seconds after it has ended; what ended before this page was there is in Usage alone."
        />
      )}
    </div>
  );
}
