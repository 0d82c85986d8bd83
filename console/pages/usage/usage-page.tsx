import { useQuery } from "@tanstack/react-query";
import { ChartColumn } from "lucide-react";

import { useReprise } from "../../access/access-context.ts";
import { formatCompact, formatCount, formatMoney } from "../../components/charts/format-number.ts";
import { StackedBars } from "../../components/charts/stacked-bars.tsx";
import { StatCards } from "../../components/charts/stat-cards.tsx";
import { DownloadButton } from "../../components/download-button.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { FilterBar, type FilterField } from "../../components/filter-bar.tsx";
import { LoadingState } from "../../components/loading-state.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { readAll, type ReadRows } from "../../components/read-all.ts";
import { useAgentNames } from "../../components/use-agent-names.ts";
import { useFilters } from "../../components/use-filters.ts";
import { PAGE_ROWS } from "../../components/use-paged.ts";
import type { Reprise, UsageRow } from "../../../sdk/index.ts";
import { sumBySeries, sumRows, toChart } from "./sum-usage.ts";
import { UsageTable } from "./usage-table.tsx";
import { readChoice, type Measure, type SeriesBy, type UsageChoice } from "./usage-filter.ts";

/** Pages of 100 rows: for the sums of 366 days, and for their parts. */
const TOTAL_PAGES = 4;
const SERIES_PAGES = 12;

const SERIES_WORDS: Readonly<Record<SeriesBy, string>> = {
  agent: "agent",
  model: "model",
  end_user: "end user",
};
const MEASURE_WORDS: Readonly<Record<Measure, string>> = {
  tokens: "Tokens",
  money: "US dollars",
  replies: "Replies",
};

function fieldsOf(): readonly FilterField[] {
  return [
    {
      name: "measure",
      label: "Show",
      kind: "choice",
      all: "Tokens",
      options: [
        ["money", "Money"],
        ["replies", "Replies"],
      ],
    },
    {
      name: "by",
      label: "By",
      kind: "choice",
      all: "Agent",
      options: [
        ["model", "Model"],
        ["end_user", "End user"],
      ],
    },
    { name: "from", label: "From", kind: "date" },
    { name: "to", label: "To", kind: "date" },
    { name: "agent_id", label: "Agent id", kind: "text" },
    { name: "model_name", label: "Model", kind: "text" },
    { name: "end_user_id", label: "End user", kind: "text" },
  ];
}

interface Report {
  readonly totals: ReadRows<UsageRow>;
  readonly series: ReadRows<UsageRow>;
}

async function readReport(reprise: Reprise, { filter, by }: UsageChoice): Promise<Report> {
  const read = (group_by: string, maxPages: number) => {
    const list = reprise.usage({ ...filter, group_by, limit: PAGE_ROWS });
    return readAll((page) => list.page(page), maxPages);
  };
  const [totals, series] = await Promise.all([
    read("day", TOTAL_PAGES),
    read(`day,${by}`, SERIES_PAGES),
  ]);
  return { totals, series };
}

/** Tokens, replies and money of the tenant by day, stacked by agent, model or end user. */
export function UsagePage() {
  const reprise = useReprise();
  const filters = useFilters();
  const choice = readChoice(filters.values, Date.now());
  const { filter, by } = choice;
  const { data, error, isLoading, refetch } = useQuery({
    queryKey: ["usage", filter, by],
    queryFn: () => readReport(reprise, choice),
  });
  return (
    <div className="detail-page">
      <PageHeader
        title="Usage"
        subtitle={`${filter.from} to ${filter.to}. Days are in UTC; a reply counts when it ends or begins to wait.`}
      >
        <DownloadButton
          label="CSV"
          fileName={`usage-${filter.from}-${filter.to}.csv`}
          read={() => reprise.exportUsage({ ...filter, group_by: `day,${by}` })}
        />
      </PageHeader>
      <FilterBar fields={fieldsOf()} filters={filters} />
      {isLoading && <LoadingState label="Adding up…" />}
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data && !error && <ReportView report={data} choice={choice} />}
    </div>
  );
}

function ReportView({ report, choice }: { readonly report: Report; readonly choice: UsageChoice }) {
  const { totals, series } = report;
  const { by, measure } = choice;
  const names = useAgentNames();
  if (totals.rows.length === 0) {
    return (
      <EmptyState icon={ChartColumn} title="No usage in these days">
        <p>
          Choose other days or take a filter off. Filters compare whole ids and names. A reply is
          counted some seconds after it has ended.
        </p>
      </EmptyState>
    );
  }
  const nameOf = (key: string | null) => {
    if (key === null) return `no ${SERIES_WORDS[by]}`;
    return (by === "agent" ? names.get(key) : undefined) ?? key;
  };
  const chart = toChart(totals.rows, series.rows, choice, nameOf);
  const format = measure === "money" ? formatMoney : formatCount;
  const lastRead = series.rows.at(-1)?.day;
  return (
    <>
      <Totals rows={totals.rows} parts={series.rows} />
      <StackedBars
        label={`${MEASURE_WORDS[measure]} by day and ${SERIES_WORDS[by]}`}
        unit={MEASURE_WORDS[measure]}
        columnUnit="Day (UTC)"
        data={chart}
        format={format}
        formatTick={measure === "money" ? formatMoney : formatCompact}
      />
      {!series.isWhole && (
        <p role="note" className="quiet">
          There is more than a page can break down: what is before {lastRead} is under “others”, and
          is left out below. Choose fewer days or a filter; the CSV has everything.
        </p>
      )}
      <UsageTable
        sums={sumBySeries(series.rows, by)}
        by={by}
        seriesWord={SERIES_WORDS[by]}
        nameOf={nameOf}
      />
    </>
  );
}

function Totals({
  rows,
  parts,
}: {
  readonly rows: readonly UsageRow[];
  readonly parts: readonly UsageRow[];
}) {
  const { replies, input, output, cached, cost } = sumRows(null, rows);
  const { knownCost } = sumRows(null, parts);
  return (
    <StatCards
      label="Together"
      stats={[
        { label: "Replies", value: formatCompact(replies) },
        {
          label: "Tokens in",
          value: formatCompact(input),
          note: `${formatCompact(cached)} of them from the cache`,
        },
        { label: "Tokens out", value: formatCompact(output) },
        {
          label: "Cost by list prices",
          value: formatMoney(cost),
          note:
            cost === null
              ? `${knownCost > 0 ? `${formatMoney(knownCost)} of it is known; ` : ""}some models have no known price`
              : undefined,
        },
      ]}
    />
  );
}
