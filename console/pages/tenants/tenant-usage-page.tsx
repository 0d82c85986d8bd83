import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";

import type { UsageSeries } from "../../../sdk/index.ts";
import { useReprise } from "../../access/access-context.ts";
import { formatCompact, formatCount, formatMoney } from "../../components/charts/format-number.ts";
import { StatCards } from "../../components/charts/stat-cards.tsx";
import { CodeId } from "../../components/code-id.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { FilterBar } from "../../components/filter-bar.tsx";
import { LoadingState } from "../../components/loading-state.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { readPlotChoice } from "../../components/plots/plot-choice.ts";
import { PLOT_FIELDS } from "../../components/plots/plot-fields.ts";
import { PlotList } from "../../components/plots/plot-list.tsx";
import { useFilters } from "../../components/use-filters.ts";
import { sumPoints } from "./sum-points.ts";

const RELOAD_MS = 30_000;

/** Replies, failures by their type, tokens and cost of one tenant over time, for the operator. */
export function TenantUsagePage() {
  const reprise = useReprise();
  const { tenantId = "" } = useParams({ strict: false });
  const filters = useFilters();
  const choice = readPlotChoice(filters.values, Date.now());
  const filter = { ...choice.filter, tenant_id: tenantId };
  const tenant = useQuery({
    queryKey: ["tenant", tenantId],
    queryFn: () => reprise.tenants.get(tenantId),
  });
  const { data, error, isLoading, refetch } = useQuery({
    queryKey: ["tenant plots", filter],
    queryFn: () => reprise.usageSeries(filter),
    refetchInterval: RELOAD_MS,
    enabled: tenant.data !== undefined,
  });
  if (tenant.error) {
    return <ErrorState error={tenant.error} onRetry={() => void tenant.refetch()} />;
  }
  if (!tenant.data) return <LoadingState label="Loading the tenant…" />;
  return (
    <div className="detail-page">
      <Link to="/tenants/$tenantId" params={{ tenantId }} className="back-link">
        <ArrowLeft size={16} aria-hidden />
        <bdi>{tenant.data.name}</bdi>
      </Link>
      <PageHeader
        title={`Usage of ${tenant.data.name}`}
        subtitle={<CodeId id={tenantId} what="tenant id" />}
      />
      <FilterBar fields={PLOT_FIELDS} filters={filters} />
      {isLoading && <LoadingState label="Adding up…" />}
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data && data.points.length > 0 && <Sums answer={data} />}
      {data && (
        <PlotList
          answer={data}
          choice={choice}
          nameOf={(key) => key}
          empty="A reply is counted some seconds after it has ended."
        />
      )}
    </div>
  );
}

function Sums({ answer }: { readonly answer: UsageSeries }) {
  const { replies, failed, input_tokens, output_tokens, cost_usd, errors } = sumPoints(
    answer.points,
  );
  return (
    <>
      <StatCards
        label="In this time"
        stats={[
          { label: "Replies", value: formatCount(replies) },
          {
            label: "Failed",
            value: formatCount(failed),
            note: failed === 0 ? undefined : `${((100 * failed) / replies).toFixed(1)} %`,
          },
          { label: "Tokens in", value: formatCompact(input_tokens) },
          { label: "Tokens out", value: formatCompact(output_tokens) },
          { label: "Cost by list prices", value: formatMoney(cost_usd) },
        ]}
      />
      {errors.length > 0 && (
        <section className="section" aria-label="Failures by type">
          <h2>Failures by type</h2>
          <table className="table small-table">
            <thead>
              <tr>
                <th scope="col">Type of the error</th>
                <th scope="col" data-align="end">
                  Replies
                </th>
              </tr>
            </thead>
            <tbody>
              {errors.map(([type, count]) => (
                <tr key={type}>
                  <td className="code">{type}</td>
                  <td data-align="end">{formatCount(count)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </>
  );
}
