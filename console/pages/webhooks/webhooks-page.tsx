import { Link, useNavigate } from "@tanstack/react-router";
import { Webhook } from "lucide-react";

import type { WebhookEndpoint } from "../../../sdk/index.ts";
import { useMay, useReprise } from "../../access/access-context.ts";
import type { Column } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { AddDialog } from "../../components/list-page/add-dialog.tsx";
import { ListPage } from "../../components/list-page/list-page.tsx";
import { TimeStamp } from "../../components/time-stamp.tsx";
import { PAGE_ROWS, usePaged } from "../../components/use-paged.ts";
import { CreateEndpoint } from "./create-endpoint.tsx";
import { EndpointStatus } from "./endpoint-status.tsx";

const COLUMNS: readonly Column<WebhookEndpoint>[] = [
  {
    label: "URL",
    cell: ({ id, url }) => (
      <Link
        to="/webhooks/$endpointId"
        params={{ endpointId: id }}
        className="row-link code"
        title={url}
      >
        {url}
      </Link>
    ),
  },
  { label: "Status", cell: (endpoint) => <EndpointStatus endpoint={endpoint} /> },
  {
    label: "Description",
    from: "desktop",
    cell: ({ description }) => description ?? <span className="quiet">–</span>,
  },
  { label: "Events", from: "tablet", cell: ({ events }) => events.join(", ") },
  {
    label: "Created",
    from: "desktop",
    cell: ({ created_at }) => <TimeStamp at={created_at} />,
  },
];

/** The addresses to which the tenant's events are sent. */
export function WebhooksPage() {
  const reprise = useReprise();
  const navigate = useNavigate();
  const mayWrite = useMay("webhooks:write");
  const paged = usePaged(
    ["webhook-endpoints"],
    reprise.webhookEndpoints.list({ limit: PAGE_ROWS }),
  );
  return (
    <ListPage
      title="Webhooks"
      subtitle="Where your systems are told what happens"
      actions={
        mayWrite && (
          <AddDialog label="Add an endpoint" title="Add an endpoint">
            {(close) => (
              <CreateEndpoint
                onCreated={paged.refresh}
                onCancel={close}
                onStored={({ id }) =>
                  void navigate({ to: "/webhooks/$endpointId", params: { endpointId: id } })
                }
              />
            )}
          </AddDialog>
        )
      }
      table={{
        label: "Webhook endpoints",
        columns: COLUMNS,
        paged,
        keyOf: ({ id }) => id,
        empty: (
          <EmptyState icon={Webhook} title="No endpoints yet">
            <p>
              An endpoint is a URL of yours that is told when a reply ends or a call waits. Add one,
              then send it a test.
            </p>
            <p>
              <a href="/docs/webhooks">Read how messages are signed</a>
            </p>
          </EmptyState>
        ),
      }}
    />
  );
}
