import { useQuery } from "@tanstack/react-query";
import { Pause, Play } from "lucide-react";
import { useState } from "react";

import type { OperatorHealth } from "../../../sdk/index.ts";
import { useReprise } from "../../access/access-context.ts";
import { ErrorState } from "../../components/error-state.tsx";
import { LoadingState } from "../../components/loading-state.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { Activity } from "./activity.tsx";
import { Backlogs } from "./backlogs.tsx";
import { Checks } from "./checks.tsx";
import { StoppedTenants } from "./stopped-tenants.tsx";

/** The platform keeps a report for some seconds: asking more often tells no more. */
const RELOAD_MS = 5_000;
const CLOCK = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });

/** The health of the deployment, as it changes. */
export function HealthPage() {
  const reprise = useReprise();
  const [isPaused, setIsPaused] = useState(false);
  const { data, error, refetch } = useQuery({
    queryKey: ["health"],
    queryFn: () => reprise.operatorHealth(),
    refetchInterval: isPaused ? false : RELOAD_MS,
  });
  const Icon = isPaused ? Play : Pause;
  return (
    <div className="detail-page">
      <PageHeader title="Health" subtitle="Whether the deployment works, and what it has to do">
        <button
          type="button"
          className="button"
          onClick={() => {
            setIsPaused(!isPaused);
            if (isPaused) void refetch();
          }}
        >
          <Icon size={16} aria-hidden />
          {isPaused ? "Go on" : "Pause"}
        </button>
      </PageHeader>
      {!data && !error && <LoadingState label="Looking…" />}
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data && (
        <>
          <p className="health-head" role="status">
            <StatusBadge status={data.status} />
            <span className="quiet">
              {error ? "Not up to date: from " : "As of "}
              {CLOCK.format(new Date(data.checked_at))}
              {isPaused && ", paused"}
            </span>
          </p>
          <Report health={data} />
        </>
      )}
    </div>
  );
}

function Report({ health }: { readonly health: OperatorHealth }) {
  const { queues, activity, tenants, checked_at } = health;
  return (
    <>
      <Checks health={health} />
      {activity ? (
        <Activity activity={activity} checkedAt={checked_at} />
      ) : (
        <NotCounted what="Activity" />
      )}
      {queues ? <Backlogs queues={queues} /> : <NotCounted what="Queues" />}
      {tenants ? <StoppedTenants tenants={tenants} /> : <NotCounted what="Stopped tenants" />}
    </>
  );
}

function NotCounted({ what }: { readonly what: string }) {
  return (
    <section className="section" aria-label={what}>
      <h2>{what}</h2>
      <p className="quiet">Not known while the database does not answer.</p>
    </section>
  );
}
