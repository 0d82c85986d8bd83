import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { ArrowLeft, RotateCw } from "lucide-react";

import type { WebhookAttempt } from "../../../sdk/index.ts";
import { useMay, useReprise } from "../../access/access-context.ts";
import { CodeId } from "../../components/code-id.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { failureText } from "../../components/failure-text.ts";
import { JsonViewer } from "../../components/json-viewer.tsx";
import { LoadingState } from "../../components/loading-state.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { TimeStamp } from "../../components/time-stamp.tsx";
import { DeliveryBadge } from "./delivery-badge.tsx";
import { deliveriesKey, deliveryKey } from "./delivery-keys.ts";

/** Milliseconds between two looks at a delivery that is on its way. */
const BUSY_MS = 1_500;

/** One message to one endpoint: every attempt, and its body. */
export function DeliveryPage() {
  const reprise = useReprise();
  const queries = useQueryClient();
  const { endpointId = "", deliveryId = "" } = useParams({ strict: false });
  const mayWrite = useMay("webhooks:write");
  const key = deliveryKey(endpointId, deliveryId);
  const { data, error, refetch } = useQuery({
    queryKey: key,
    queryFn: () => reprise.webhookEndpoints.delivery(endpointId, deliveryId),
    refetchInterval: ({ state }) => (state.data?.status === "pending" ? BUSY_MS : false),
  });
  const again = useMutation({
    mutationFn: () => reprise.webhookEndpoints.redeliver(endpointId, deliveryId),
    onSuccess: async () => {
      void queries.invalidateQueries({ queryKey: deliveriesKey(endpointId) });
      await queries.invalidateQueries({ queryKey: key });
    },
  });
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingState label="Loading the delivery…" />;
  return (
    <div className="detail-page">
      <Link to="/webhooks/$endpointId" params={{ endpointId }} className="back-link">
        <ArrowLeft size={16} aria-hidden />
        The endpoint
      </Link>
      <PageHeader title={data.type} subtitle={<CodeId id={data.id} what="delivery id" />}>
        <DeliveryBadge status={data.status} />
        {mayWrite && (
          <button
            type="button"
            className="button"
            disabled={again.isPending}
            onClick={() => again.mutate()}
          >
            <RotateCw size={16} aria-hidden />
            Send again
          </button>
        )}
      </PageHeader>
      {again.error && (
        <p role="alert" className="field-error">
          {failureText(again.error)}
        </p>
      )}
      <dl className="facts">
        <div>
          <dt>webhook-id</dt>
          <dd>
            <CodeId id={data.message_id} what="webhook id" />
          </dd>
        </div>
        <div>
          <dt>Made</dt>
          <dd>
            <TimeStamp at={data.created_at} />
          </dd>
        </div>
        {data.next_attempt_at !== null && (
          <div>
            <dt>Next attempt</dt>
            <dd>
              <TimeStamp at={data.next_attempt_at} />
            </dd>
          </div>
        )}
      </dl>
      <section className="panel" aria-label="Attempts">
        <h2>Attempts</h2>
        {data.attempts.length === 0 && <p className="quiet">None yet.</p>}
        <ol className="outcome-list">
          {data.attempts.map((attempt) => (
            <Attempt key={attempt.attempt} attempt={attempt} />
          ))}
        </ol>
      </section>
      <section className="panel" aria-label="Body">
        <h2>Body</h2>
        <JsonViewer value={data.payload} label="body" openLevels={4} />
      </section>
    </div>
  );
}

function Attempt({ attempt }: { readonly attempt: WebhookAttempt }) {
  const { attempt: number, at, status, error, duration_ms } = attempt;
  return (
    <li>
      <span className="quiet">{number}.</span>
      <DeliveryBadge status={error === null ? "delivered" : "failed"} />
      <span>{error ?? `answered ${status}`}</span>
      <span className="quiet">{duration_ms} ms</span>
      <span className="quiet">
        <TimeStamp at={at} />
      </span>
    </li>
  );
}
