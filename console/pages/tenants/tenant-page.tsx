import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { ArrowLeft, Pencil } from "lucide-react";
import { useState } from "react";

import type { Tenant, TenantLimits } from "../../../sdk/index.ts";
import { useReprise } from "../../access/access-context.ts";
import { CodeId } from "../../components/code-id.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { JsonViewer } from "../../components/json-viewer.tsx";
import { LoadingState } from "../../components/loading-state.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { EndUserShareList } from "../../components/quotas/end-user-share-list.tsx";
import { QuotaTable } from "../../components/quotas/quota-table.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { TimeStamp } from "../../components/time-stamp.tsx";
import { QuotaForm } from "./quota-form.tsx";
import { StopButton } from "./stop-button.tsx";

const RELOAD_MS = 10_000;

/** One tenant, for the operator: its state, its quotas with their usage, and the button that stops it. */
export function TenantPage() {
  const reprise = useReprise();
  const { tenantId = "" } = useParams({ strict: false });
  const { data, error, refetch } = useQuery({
    queryKey: ["tenant", tenantId],
    queryFn: () => reprise.tenants.get(tenantId),
  });
  const limits = useQuery({
    queryKey: ["tenant limits", tenantId],
    queryFn: () => reprise.tenants.limits(tenantId),
    refetchInterval: RELOAD_MS,
    enabled: data !== undefined && data.status !== "closed",
  });
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
        {data.status !== "closed" && <StopButton tenant={data} onChanged={reload} />}
      </PageHeader>
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
        <div>
          <dt>Audit</dt>
          <dd>
            <Link to="/audit" search={{ tenant_id: data.id } as never}>
              What was changed
            </Link>
          </dd>
        </div>
      </dl>
      {Object.keys(data.metadata).length > 0 && (
        <JsonViewer value={data.metadata} label="metadata" />
      )}
      {data.status === "closed" ? (
        <p>Its data is being erased, or is gone already. The audit remains.</p>
      ) : (
        <Quotas tenant={data} limits={limits.data} error={limits.error} reload={reload} />
      )}
    </div>
  );
}

interface QuotasProps {
  readonly tenant: Tenant;
  readonly limits: TenantLimits | undefined;
  readonly error: Error | null;
  readonly reload: () => Promise<void>;
}

function Quotas({ tenant, limits, error, reload }: QuotasProps) {
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
        <button type="button" className="button" onClick={() => setIsEdited(true)}>
          <Pencil size={16} aria-hidden />
          Change
        </button>
      </div>
      {error && <ErrorState error={error} onRetry={() => void reload()} />}
      {!limits && !error && <LoadingState label="Counting…" />}
      {limits && !error && <QuotaTable limits={limits} />}
      {limits && !error && <EndUserShareList limits={limits} />}
    </section>
  );
}
