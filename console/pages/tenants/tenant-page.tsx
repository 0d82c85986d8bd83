import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { ArrowLeft, ChartNoAxesCombined, Pencil } from "lucide-react";
import { useState } from "react";

import type { Tenant, TenantLimits } from "../../../sdk/index.ts";
import { useMay, useReprise } from "../../access/access-context.ts";
import { formatCompact, formatCount } from "../../components/charts/format-number.ts";
import { StatCards } from "../../components/charts/stat-cards.tsx";
import { CodeId } from "../../components/code-id.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { JsonViewer } from "../../components/json-viewer.tsx";
import { LoadingState } from "../../components/loading-state.tsx";
import { MissingRight } from "../../components/missing-right.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { EndUserShareList } from "../../components/quotas/end-user-share-list.tsx";
import { QuotaTable } from "../../components/quotas/quota-table.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { TimeStamp } from "../../components/time-stamp.tsx";
import { CloseButton } from "./close-button.tsx";
import { QuotaForm } from "./quota-form.tsx";
import { StopButton } from "./stop-button.tsx";
import { countText } from "./tenant-activity.tsx";
import { TenantClosed } from "./tenant-closed.tsx";

const RELOAD_MS = 10_000;

/** One tenant, for the operator: its state, what it does, its quotas with their usage, and what stops and closes it. */
export function TenantPage() {
  const reprise = useReprise();
  const mayWrite = useMay("tenants:write");
  const mayClose = useMay("tenants:close");
  const mayAudit = useMay("audit:read");
  const { tenantId = "" } = useParams({ strict: false });
  const queries = useQueryClient();
  /** Set when it was closed here: whether its data is erased already. */
  const [isErased, setIsErased] = useState<boolean | null>(null);
  const { data, error, refetch } = useQuery({
    queryKey: ["tenant", tenantId],
    queryFn: () => reprise.tenants.get(tenantId),
    enabled: isErased === null,
  });
  const limits = useQuery({
    queryKey: ["tenant limits", tenantId],
    queryFn: () => reprise.tenants.limits(tenantId),
    refetchInterval: RELOAD_MS,
    enabled: data !== undefined && isErased === null,
  });
  if (data && isErased !== null) return <TenantClosed tenant={data} isErased={isErased} />;
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingState label="Loading the tenant…" />;
  const reload = async () => {
    await Promise.all([refetch(), limits.refetch()]);
  };
  return (
    <div className="detail-page">
      <Link to="/tenants" className="back-link">
        <ArrowLeft size={16} aria-hidden />
        Tenants
      </Link>
      <PageHeader title={data.name} subtitle={<CodeId id={data.id} what="tenant id" />}>
        <Link to="/tenants/$tenantId/usage" params={{ tenantId: data.id }} className="button">
          <ChartNoAxesCombined size={16} aria-hidden />
          Usage and errors
        </Link>
        {mayWrite && <StopButton tenant={data} onChanged={reload} />}
        {mayClose && (
          <CloseButton
            tenant={data}
            onClosed={(isDone) => {
              setIsErased(isDone);
              void queries.resetQueries({ queryKey: ["tenants"] });
            }}
          />
        )}
      </PageHeader>
      <MissingRight right="tenants:write">
        This tenant can be neither stopped, closed nor given other quotas
      </MissingRight>
      <dl className="facts">
        <div>
          <dt>Status</dt>
          <dd>
            <StatusBadge status={data.status} />
          </dd>
        </div>
        <div>
          <dt>Created</dt>
          <dd>
            <TimeStamp at={data.created_at} />
          </dd>
        </div>
        {mayAudit && (
          <div>
            <dt>Audit</dt>
            <dd>
              <Link to="/audit" search={{ tenant_id: data.id } as never}>
                What was changed
              </Link>
            </dd>
          </div>
        )}
      </dl>
      {Object.keys(data.metadata).length > 0 && (
        <JsonViewer value={data.metadata} label="metadata" />
      )}
      <Today tenantId={data.id} limits={limits.data} />
      <Quotas tenant={data} limits={limits.data} error={limits.error} reload={reload} />
    </div>
  );
}

interface TodayProps {
  readonly tenantId: string;
  readonly limits: TenantLimits | undefined;
}

/** Replies that run now, and those that have ended today; a dash for a count that is not known. */
function Today({ tenantId, limits }: TodayProps) {
  const reprise = useReprise();
  const { data } = useQuery({
    queryKey: ["tenant today", tenantId],
    queryFn: () => reprise.tenants.activity([tenantId]),
    refetchInterval: RELOAD_MS,
  });
  const activity = data?.data[0];
  const text = (of: "running_replies" | "replies" | "error") => {
    const count = activity?.[of] ?? null;
    return activity && count !== null ? countText(activity, of, count) : "–";
  };
  const tokens = limits?.used.tokens_per_day;
  return (
    <section className="section" aria-label="Now and today">
      <StatCards
        label="Now and today, in UTC"
        stats={[
          { label: "Replies that run now", value: text("running_replies") },
          { label: "Replies today", value: text("replies") },
          {
            label: "Failed today",
            value: text("error"),
            note:
              activity && activity.error > 0
                ? `${formatCount(Math.round((100 * activity.error) / activity.replies))} %`
                : undefined,
          },
          { label: "Tokens today", value: tokens === undefined ? "–" : formatCompact(tokens) },
        ]}
      />
    </section>
  );
}

interface QuotasProps {
  readonly tenant: Tenant;
  readonly limits: TenantLimits | undefined;
  readonly error: Error | null;
  readonly reload: () => Promise<void>;
}

function Quotas({ tenant, limits, error, reload }: QuotasProps) {
  const mayWrite = useMay("tenants:write");
  const [isEdited, setIsEdited] = useState(false);
  if (isEdited) {
    return (
      <QuotaForm
        tenant={tenant}
        onClose={() => setIsEdited(false)}
        onSaved={async () => {
          await reload();
          setIsEdited(false);
        }}
      />
    );
  }
  return (
    <section aria-label="Quotas and their usage" className="section">
      <div className="section-head">
        <h2>Quotas</h2>
        {mayWrite && (
          <button type="button" className="button" onClick={() => setIsEdited(true)}>
            <Pencil size={16} aria-hidden />
            Change
          </button>
        )}
      </div>
      {error && <ErrorState error={error} onRetry={() => void reload()} />}
      {!limits && !error && <LoadingState label="Counting…" />}
      {limits && !error && <QuotaTable limits={limits} />}
      {limits && !error && <EndUserShareList limits={limits} />}
    </section>
  );
}
