import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { ArrowLeft, Cable, Lock, Trash2 } from "lucide-react";

import type { McpServer } from "../../../sdk/index.ts";
import { useMay, useReprise } from "../../access/access-context.ts";
import { formatBytes, formatCount } from "../../components/charts/format-number.ts";
import { CodeId } from "../../components/code-id.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { DangerDialog } from "../../components/danger-dialog.tsx";
import { FormDialog } from "../../components/forms/form-dialog.tsx";
import { LoadingState } from "../../components/loading-state.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { TimeStamp } from "../../components/time-stamp.tsx";
import { CatalogueView } from "./catalogue-view.tsx";
import { OAuthFacts } from "./oauth-facts.tsx";
import { ServerForm } from "./server-form.tsx";

/** One server: how it is reached, whether it answers, its tools, and a tool called alone. */
export function McpServerPage() {
  const reprise = useReprise();
  const queries = useQueryClient();
  const { serverId } = useParams({ strict: false });
  const id = serverId ?? "";
  const mayWrite = useMay("agents:write");
  const mayCall = useMay("tools:call");
  const maySeeGrants = useMay("credentials:read");
  const { data, error, refetch } = useQuery({
    queryKey: ["mcp-server", id],
    queryFn: () => reprise.mcpServers.get(id),
  });
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingState label="Loading the MCP server…" />;
  return (
    <div className="detail-page">
      <Link to="/mcp-servers" className="back-link">
        <ArrowLeft size={16} aria-hidden />
        MCP servers
      </Link>
      <PageHeader title={data.name} subtitle={<CodeId id={id} what="server id" />}>
        {data.oauth && maySeeGrants && (
          <Link to="/connections" search={{ mcp_server_id: id } as never} className="button">
            <Cable size={16} aria-hidden />
            Connections
          </Link>
        )}
        {mayWrite && (
          <>
            <FormDialog
              title="Change the server"
              trigger={
                <button type="button" className="button">
                  Change
                </button>
              }
            >
              {(close) => (
                <ServerForm
                  server={data}
                  onCancel={close}
                  onSaved={(saved) => {
                    queries.setQueryData(["mcp-server", id], saved);
                    queries.removeQueries({ queryKey: ["mcp-servers"] });
                    void queries.resetQueries({ queryKey: ["mcp-tools", id] });
                    close();
                  }}
                />
              )}
            </FormDialog>
            <DeleteServer server={data} />
          </>
        )}
      </PageHeader>
      <Facts server={data} />
      {mayCall ? (
        <CatalogueView key={`${id} ${data.version}`} server={data} />
      ) : (
        <EmptyState icon={Lock} title="Its tools are not shown here">
          <p>
            To ask a server for its tools, and to call one, a console needs the scope{" "}
            <code>tools:call</code>.
          </p>
        </EmptyState>
      )}
    </div>
  );
}

function Facts({ server }: { readonly server: McpServer }) {
  const { url, credential_id, secret_headers = {}, headers = {}, stateful } = server;
  const names = [...Object.keys(secret_headers), ...Object.keys(headers)];
  return (
    <dl className="facts">
      <div>
        <dt>URL</dt>
        <dd className="code">{url}</dd>
      </div>
      <div>
        <dt>Credential</dt>
        <dd>
          {credential_id === undefined ? (
            "none"
          ) : (
            <CodeId id={credential_id} what="credential id" />
          )}
        </dd>
      </div>
      {server.oauth && <OAuthFacts oauth={server.oauth} />}
      {names.length > 0 && (
        <div>
          <dt>Headers</dt>
          <dd className="code">{names.join(", ")}</dd>
        </div>
      )}
      <div>
        <dt>Sessions</dt>
        <dd>{stateful ? "kept over replies" : "one for each reply"}</dd>
      </div>
      <div>
        <dt>Timeout</dt>
        <dd>{formatCount(server.timeout_ms)} ms</dd>
      </div>
      <div>
        <dt>An answer may have</dt>
        <dd>{formatBytes(server.max_bytes)}</dd>
      </div>
      <div>
        <dt>Changed</dt>
        <dd>
          <TimeStamp at={server.updated_at} />
        </dd>
      </div>
    </dl>
  );
}

function DeleteServer({ server: { id, name } }: { readonly server: McpServer }) {
  const reprise = useReprise();
  const navigate = useNavigate();
  const queries = useQueryClient();
  return (
    <DangerDialog
      button={{ icon: Trash2 }}
      title={`Delete the MCP server ${name}?`}
      action="Delete"
      onConfirm={async () => {
        await reprise.mcpServers.delete(id);
        queries.removeQueries({ queryKey: ["mcp-servers"] });
        await navigate({ to: "/mcp-servers" });
        queries.removeQueries({ queryKey: ["mcp-server", id] });
      }}
    >
      <p>
        Agents that name it go on without its tools, and their models are told so. A reply that runs
        calls it no more.
      </p>
    </DangerDialog>
  );
}
