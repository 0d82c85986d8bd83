import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { RefreshCw, UserRound, Wrench } from "lucide-react";

import {
  ApiError,
  type AuthorizationRequired,
  type McpServer,
  type McpToolList,
} from "../../../sdk/index.ts";
import { useMay, useReprise } from "../../access/access-context.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { failureText } from "../../components/failure-text.ts";
import { FilterBar } from "../../components/filter-bar.tsx";
import { LoadingState } from "../../components/loading-state.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { TimeStamp } from "../../components/time-stamp.tsx";
import { useFilters } from "../../components/use-filters.ts";
import { SignInForm } from "../../components/waiting/sign-in-form.tsx";
import { ToolView } from "./tool-view.tsx";

/** The catalogue of a server; where end users sign in themselves, that of the one whose id is given. */
export function CatalogueView({ server }: { readonly server: McpServer }) {
  const filters = useFilters();
  const isOfEndUsers = server.oauth?.owner === "end_user";
  const endUserId = isOfEndUsers ? (filters.values["end_user_id"] ?? null) : null;
  return (
    <>
      {isOfEndUsers && <FilterBar fields={END_USER} filters={filters} />}
      {isOfEndUsers && endUserId === null ? (
        <EmptyState icon={UserRound} title="Whose tools?">
          <p>
            End users sign in to this server themselves, and each has tools of their own. Write the
            id of one above: the server is asked with their grant.
          </p>
        </EmptyState>
      ) : (
        <Catalogue key={endUserId ?? ""} server={server} endUserId={endUserId} />
      )}
    </>
  );
}

const END_USER = [{ name: "end_user_id", label: "End user", kind: "text" as const }];

interface CatalogueProps {
  readonly server: McpServer;
  /** End user whose grant is used; null where the tenant's is used, or none. */
  readonly endUserId: string | null;
}

/** Whether the server answers, in which version of the protocol, and its tools, of which one is shown. */
function Catalogue({ server, endUserId }: CatalogueProps) {
  const reprise = useReprise();
  const queries = useQueryClient();
  const { id } = server;
  const queryKey = ["mcp-tools", id, endUserId];
  const whose = endUserId === null ? {} : { end_user_id: endUserId };
  const read = useQuery({ queryKey, queryFn: () => reprise.mcpServers.tools(id, whose) });
  const again = useMutation({
    mutationFn: () => reprise.mcpServers.tools(id, { ...whose, refresh: true }),
    onSuccess: (listed) => queries.setQueryData(queryKey, listed),
  });
  const isAsking = read.isFetching || again.isPending;
  const error = again.error ?? (read.data ? null : read.error);
  const authorization = error && !isAsking ? missingSignIn(error) : null;
  const mayComplete = useMay("tool_results:write");
  return (
    <>
      <section className="panel" aria-label="State">
        <div className="state-line">
          <StateBadge isAsking={isAsking} error={error} isSignInMissing={authorization !== null} />
          {read.data && <AnswerFacts list={read.data} />}
          <button
            type="button"
            className="button"
            disabled={isAsking}
            onClick={() => again.mutate()}
          >
            <RefreshCw size={16} aria-hidden />
            Ask again
          </button>
        </div>
        {error && !isAsking && (
          <p role="alert" className="notice" data-tone={authorization ? "waiting" : "bad"}>
            {failureText(error)}
            {kindOf(error) !== null && <code className="quiet"> {kindOf(error)}</code>}
          </p>
        )}
        {read.data?.left_out && <p className="notice">{read.data.left_out.detail}</p>}
        {authorization && mayComplete && (
          <SignInForm
            key={authorization.connection_id}
            authorization={authorization}
            endUserId={endUserId}
            isDisabled={false}
            onDone={() => again.mutate()}
          />
        )}
      </section>
      {read.data ? (
        <Tools server={server} endUserId={endUserId} list={read.data} />
      ) : (
        isAsking && <LoadingState label="Asking the server for its tools…" />
      )}
    </>
  );
}

interface StateBadgeProps {
  readonly isAsking: boolean;
  readonly error: Error | null;
  readonly isSignInMissing: boolean;
}

function StateBadge({ isAsking, error, isSignInMissing }: StateBadgeProps) {
  if (isAsking) {
    return (
      <span role="status" className="badge" data-tone="busy">
        asking
      </span>
    );
  }
  if (isSignInMissing) {
    return (
      <span role="status">
        <StatusBadge status="awaiting_sign_in" />
      </span>
    );
  }
  return (
    <span role="status" className="badge" data-tone={error ? "bad" : "good"}>
      {error ? "does not answer as it should" : "answers"}
    </span>
  );
}

function AnswerFacts({ list }: { readonly list: McpToolList }) {
  const { protocol_version, read_at, expires_at, data } = list;
  const count = data.length === 1 ? "1 tool" : `${data.length} tools`;
  return (
    <span className="quiet">
      MCP {protocol_version} ({protocol_version >= MODERN ? "no handshake" : "initialize"}) ·{" "}
      {count} · asked <TimeStamp at={read_at} />
      {expires_at > read_at ? (
        <>
          {" "}
          · good until <TimeStamp at={expires_at} />
        </>
      ) : (
        " · asked anew each time"
      )}
    </span>
  );
}

/** The first version without a handshake. */
const MODERN = "2026-07-28";

/** Kind of the failure from diagnostics, such as `timeout`; null for a failure that has none. */
function kindOf(error: Error): string | null {
  if (!ApiError.isInstance(error) || error.code !== "mcp_failed") return null;
  const { kind } = error.problem as { readonly kind?: unknown };
  return typeof kind === "string" ? kind : null;
}

/** The sign-in without which the server cannot be asked. */
function missingSignIn(error: Error): AuthorizationRequired | null {
  if (!ApiError.isInstance(error)) return null;
  const { authorization } = error.problem as { readonly authorization?: AuthorizationRequired };
  return authorization ?? null;
}

interface ToolsProps extends CatalogueProps {
  readonly list: McpToolList;
}

function Tools({ server, endUserId, list }: ToolsProps) {
  const filters = useFilters();
  const shown = list.data.find(({ name }) => name === filters.values["tool"]) ?? list.data[0];
  if (!shown) {
    return (
      <EmptyState icon={Wrench} title="The server has no tools">
        <p>It answers, and lists none. Ask again when it has some.</p>
      </EmptyState>
    );
  }
  return (
    <div className="versions">
      <ol className="version-list" aria-label="Tools">
        {list.data.map((tool) => (
          <li key={tool.name}>
            <button
              type="button"
              className="version-row tool-row"
              aria-pressed={tool === shown}
              onClick={() => filters.set("tool", tool.name)}
            >
              <strong className="code">{tool.name}</strong>
              {tool.disabled_reason !== null && (
                <span className="badge" data-tone="bad">
                  not usable
                </span>
              )}
              {tool.ui && !tool.ui.visibility.includes("model") && (
                <span className="badge">pages only</span>
              )}
            </button>
          </li>
        ))}
      </ol>
      <ToolView
        key={`${server.id} ${shown.name}`}
        server={server}
        endUserId={endUserId}
        tool={shown}
      />
    </div>
  );
}
