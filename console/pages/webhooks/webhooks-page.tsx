import { Link, useNavigate } from "@tanstack/react-router";
import { Plus, Webhook } from "lucide-react";

import type { WebhookEndpoint } from "../../../sdk/index.ts";
import { useMay, useReprise } from "../../access/access-context.ts";
import type { Column } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { FormDialog } from "../../components/forms/form-dialog.tsx";
import { PagedTable } from "../../components/paged-table.tsx";
import { PageHeader } from "../../components/page-header.tsx";
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
  const paged = usePaged(["webhook-endpoints"], (page) =>
    reprise.webhookEndpoints.list({ limit: PAGE_ROWS }).page(page),
  );
  return (
    <div className="list-page">
      <PageHeader title="Webhooks" subtitle="Where your systems are told what happens">
        {mayWrite && (
          <FormDialog
            title="Add an endpoint"
            trigger={
              <button type="button" className="button button-primary">
                <Plus size={16} aria-hidden />
                Add an endpoint
              </button>
            }
          >
            {(close) => (
              <CreateEndpoint
                onCreated={paged.refresh}
                onCancel={close}
                onStored={({ id }) =>
                  void navigate({ to: "/webhooks/$endpointId", params: { endpointId: id } })
                }
              />
            )}
          </FormDialog>
        )}
      </PageHeader>
      <PagedTable
        label="Webhook endpoints"
        columns={COLUMNS}
        paged={paged}
        keyOf={({ id }) => id}
        empty={
          <EmptyState icon={Webhook} title="No endpoints yet">
            <p>
              An endpoint is a URL of yours that is told when a reply ends or a call waits. Add one,
              then send it a test.
            </p>
            <p>
              <a href="/docs/webhooks">Read how messages are signed</a>
            </p>
          </EmptyState>
        }
      />
    </div>
  );
}
