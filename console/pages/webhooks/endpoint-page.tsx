import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";

import type { WebhookEndpoint } from "../../../sdk/index.ts";
import { useMay, useReprise } from "../../access/access-context.ts";
import { CodeId } from "../../components/code-id.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { LoadingState } from "../../components/loading-state.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { TimeStamp } from "../../components/time-stamp.tsx";
import { DeliveryList } from "./delivery-list.tsx";
import { EndpointActions } from "./endpoint-actions.tsx";
import { EndpointStatus } from "./endpoint-status.tsx";
import { SendTest } from "./send-test.tsx";

/** One endpoint: its state, its deliveries, a test, and what may be changed. */
export function EndpointPage() {
  const reprise = useReprise();
  const queries = useQueryClient();
  const { endpointId } = useParams({ strict: false });
  const id = endpointId ?? "";
  const mayWrite = useMay("webhooks:write");
  const { data, error, refetch } = useQuery({
    queryKey: ["webhook-endpoint", id],
    queryFn: () => reprise.webhookEndpoints.get(id),
  });
  const reload = () => {
    void queries.resetQueries({ queryKey: ["webhook-endpoints"], exact: true });
    void queries.invalidateQueries({ queryKey: ["webhook-endpoint", id] });
  };
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingState label="Loading the endpoint…" />;
  return (
    <div className="list-page">
      <Link to="/webhooks" className="back-link">
        <ArrowLeft size={16} aria-hidden />
        Webhooks
      </Link>
      <PageHeader title="Webhook endpoint" subtitle={<code>{data.url}</code>}>
        {mayWrite && <EndpointActions endpoint={data} onChange={reload} />}
      </PageHeader>
      <Facts endpoint={data} />
      {mayWrite && <SendTest endpoint={data} />}
      <DeliveryList endpointId={id} />
    </div>
  );
}

function Facts({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
  const { id, description, events, callback_verbs, failing_since, circuit_retry_at } = endpoint;
  const { old_secret_expires_at: oldUntil } = endpoint;
  return (
    <dl className="facts">
      <div>
        <dt>Status</dt>
        <dd>
          <EndpointStatus endpoint={endpoint} />
        </dd>
      </div>
      <div>
        <dt>Id</dt>
        <dd>
          <CodeId id={id} what="endpoint id" />
        </dd>
      </div>
      {description !== null && (
        <div>
          <dt>Description</dt>
          <dd>{description}</dd>
        </div>
      )}
      <div>
        <dt>Events</dt>
        <dd>{events.join(", ")}</dd>
      </div>
      <div>
        <dt>Callback addresses may</dt>
        <dd>{callback_verbs.join(", ") || "nothing: none are sent"}</dd>
      </div>
      {failing_since !== null && (
        <div>
          <dt>Failing since</dt>
          <dd>
            <TimeStamp at={failing_since} />
          </dd>
        </div>
      )}
      {circuit_retry_at !== null && (
        <div>
          <dt>Tried again</dt>
          <dd>
            <TimeStamp at={circuit_retry_at} />
          </dd>
        </div>
      )}
      {oldUntil !== null && Date.parse(oldUntil) > Date.now() && (
        <div>
          <dt>Also signed with the old secret</dt>
          <dd>
            until <TimeStamp at={oldUntil} />
          </dd>
        </div>
      )}
    </dl>
  );
}
