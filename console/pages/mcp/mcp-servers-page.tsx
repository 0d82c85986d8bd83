import { Link, useNavigate } from "@tanstack/react-router";
import { Plug } from "lucide-react";

import type { McpServer } from "../../../sdk/index.ts";
import { useMay, useReprise } from "../../access/access-context.ts";
import type { Column } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { AddDialog } from "../../components/list-page/add-dialog.tsx";
import { ListPage } from "../../components/list-page/list-page.tsx";
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
  const paged = usePaged(["mcp-servers"], reprise.mcpServers.list({ limit: PAGE_ROWS }));
  return (
    <ListPage
      title="MCP servers"
      subtitle="Tools of others, which agents name by their server"
      actions={
        mayWrite && (
          <AddDialog label="Add a server" title="Add an MCP server">
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
          </AddDialog>
        )
      }
      table={{
        label: "MCP servers",
        columns: COLUMNS,
        paged,
        keyOf: ({ id }) => id,
        empty: (
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
        ),
      }}
    />
  );
}
