import { Link, useNavigate } from "@tanstack/react-router";
import { Plug, Plus } from "lucide-react";

import type { McpServer } from "../../../sdk/index.ts";
import { useMay, useReprise } from "../../access/access-context.ts";
import type { Column } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { FormDialog } from "../../components/forms/form-dialog.tsx";
import { PagedTable } from "../../components/paged-table.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { TimeStamp } from "../../components/time-stamp.tsx";
import { PAGE_ROWS, usePaged } from "../../components/use-paged.ts";
import { ownerWords } from "./oauth-words.ts";
import { ServerForm } from "./server-form.tsx";

const COLUMNS: readonly Column<McpServer>[] = [
  {
    label: "Name",
    cell: ({ id, name }) => (
      <Link to="/mcp-servers/$serverId" params={{ serverId: id }} className="row-link">
        <strong>{name}</strong>
      </Link>
    ),
  },
  {
    label: "URL",
    cell: ({ url }) => (
      <span className="code" title={url}>
        {url}
      </span>
    ),
  },
  {
    label: "Signs in with",
    from: "desktop",
    cell: ({ credential_id, secret_headers, oauth }) =>
      oauth ? (
        ownerWords(oauth)
      ) : credential_id !== undefined || secret_headers ? (
        "a credential"
      ) : (
        <span className="quiet">nothing</span>
      ),
  },
  {
    label: "Sessions",
    from: "tablet",
    cell: ({ stateful }) =>
      stateful ? "kept over replies" : <span className="quiet">one for each reply</span>,
  },
  {
    label: "Changed",
    align: "end",
    from: "tablet",
    cell: ({ updated_at }) => <TimeStamp at={updated_at} />,
  },
];

/** All MCP servers of the tenant, newest first. */
export function McpServersPage() {
  const reprise = useReprise();
  const navigate = useNavigate();
  const mayWrite = useMay("agents:write");
  const paged = usePaged(["mcp-servers"], (page) =>
    reprise.mcpServers.list({ limit: PAGE_ROWS }).page(page),
  );
  return (
    <div className="list-page">
      <PageHeader title="MCP servers" subtitle="Tools of others, which agents name by their server">
        {mayWrite && (
          <FormDialog
            title="Add an MCP server"
            trigger={
              <button type="button" className="button button-primary">
                <Plus size={16} aria-hidden />
                Add a server
              </button>
            }
          >
            {(close) => (
              <ServerForm
                server={null}
                onCancel={close}
                onSaved={({ id }) => {
                  paged.refresh();
                  close();
                  void navigate({ to: "/mcp-servers/$serverId", params: { serverId: id } });
                }}
              />
            )}
          </FormDialog>
        )}
      </PageHeader>
      <PagedTable
        label="MCP servers"
        columns={COLUMNS}
        paged={paged}
        keyOf={({ id }) => id}
        empty={
          <EmptyState icon={Plug} title="No MCP servers yet">
            <p>
              A server of the Model Context Protocol brings its tools along.{" "}
              {mayWrite
                ? "Add one that speaks streamable HTTP, look at its tools, then name it in the tools of an agent."
                : "Agents name it in their tools."}
            </p>
            <p>
              <a href="/docs/mcp">Read about MCP servers</a>
            </p>
          </EmptyState>
        }
      />
    </div>
  );
}
