import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ChartNoAxesCombined } from "lucide-react";
import type { ReactNode } from "react";

import type { UsageSeries } from "../../../sdk/index.ts";
import { useReprise } from "../../access/access-context.ts";
import type { ChartData } from "../../components/charts/chart-data.ts";
import { formatCompact, formatCount, formatMoney } from "../../components/charts/format-number.ts";
import { StackedBars } from "../../components/charts/stacked-bars.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { FilterBar, type FilterField } from "../../components/filter-bar.tsx";
import { LoadingState } from "../../components/loading-state.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { useAgentNames } from "../../components/use-agent-names.ts";
import { useFilters } from "../../components/use-filters.ts";
import { type PlotChoice, readPlotChoice } from "../../components/plots/plot-choice.ts";
import { toPlots } from "../../components/plots/to-plots.ts";

const RELOAD_MS = 30_000;

const FIELDS: readonly FilterField[] = [
  {
    name: "span",
    label: "Span",
    kind: "choice",
    all: "7 days",
    options: [
      ["24h", "24 hours"],
      ["30d", "30 days"],
      ["90d", "90 days"],
    ],
  },
  {
    name: "by",
    label: "By",
    kind: "choice",
    all: "Everything together",
    options: [
      ["agent", "Agent"],
      ["model", "Model"],
    ],
  },
  { name: "agent_id", label: "Agent id", kind: "text" },
  { name: "model_name", label: "Model", kind: "text" },
];

/** Replies, failures, waits, first outputs, tokens and cost of the tenant over time. */
export function PlotsPage() {
  const reprise = useReprise();
  const filters = useFilters();
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
      <FilterBar fields={FIELDS} filters={filters} />
      {isLoading && <LoadingState label="Adding up…" />}
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data && <PlotList answer={data} choice={choice} />}
    </div>
  );
}

function PlotList({
  answer,
  choice,
}: {
  readonly answer: UsageSeries;
  readonly choice: PlotChoice;
}) {
  const names = useAgentNames();
  const plots = toPlots(answer, choice, (key) => names.get(key) ?? key);
  const waits = [...answer.waiting.permission, ...answer.waiting.external_result];
  const columnUnit = answer.interval === "hour" ? "Hour (UTC)" : "Day (UTC)";
  const by = choice.by === "all" ? "" : ` by ${choice.by}`;
  return (
    <>
      {answer.points.length === 0 ? (
        <EmptyState icon={ChartNoAxesCombined} title="No reply has ended in this time">
          <p>
            Choose a longer span or take a filter off. A reply is counted some seconds after it has
            ended; what ended before this page was there is in Usage alone.
          </p>
        </EmptyState>
      ) : (
        <>
          <Plot title={`Replies${by}`} unit="Replies" {...{ columnUnit }} data={plots.replies} />
          <Plot title="Failures by cause" unit="Replies" {...{ columnUnit }} data={plots.failures}>
            <Link to="/failures">What failed</Link>
          </Plot>
          <Plot
            title="First output of the model"
            unit="Replies"
            {...{ columnUnit }}
            data={plots.firstOutput}
          />
          <Plot title="How long calls waited" unit="Calls" {...{ columnUnit }} data={plots.waits} />
          <Plot title={`Tokens${by}`} unit="Tokens" {...{ columnUnit }} data={plots.tokens} />
          <Plot
            title={`Cost by list prices${by}`}
            unit="US dollars"
            {...{ columnUnit }}
            data={plots.cost}
            format={formatMoney}
          />
          {!answer.is_whole && (
            <p role="note" className="quiet">
              There is more than one answer has: the oldest part is missing. Choose a shorter span
              or a filter.
            </p>
          )}
        </>
      )}
      {waits.some((count) => count > 0) && (
        <Plot title="Calls that wait now, by age" unit="Calls" columnUnit="Age" data={plots.ages} />
      )}
    </>
  );
}

interface PlotProps {
  readonly title: string;
  readonly unit: string;
  readonly columnUnit: string;
  readonly data: ChartData;
  readonly format?: (value: number) => string;
  readonly children?: ReactNode;
}

function Plot({ title, unit, columnUnit, data, format, children }: PlotProps) {
  return (
    <section className="section" aria-label={title}>
      <div className="section-head">
        <h2>{title}</h2>
        {children}
      </div>
      <StackedBars
        label={title}
        unit={unit}
        columnUnit={columnUnit}
        data={data}
        format={format ?? formatCount}
        formatTick={format ?? formatCompact}
      />
    </section>
  );
}
