import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";

import type { Connection } from "../../../sdk/index.ts";
import { useMay } from "../../access/access-context.ts";
import { CodeId } from "../../components/code-id.tsx";
import { sentenceOf } from "../../components/failure-text.ts";
import { DetailDialog } from "../../components/forms/detail-dialog.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { TimeStamp } from "../../components/time-stamp.tsx";

interface ConnectionDetailProps {
  readonly connection: Connection;
  /** The server's name, or its id. */
  readonly server: string;
}

/** A connection with everything that is known of it, and what to do about one that does not work. */
export function ConnectionDetail({ connection, server }: ConnectionDetailProps) {
  const { id, mcp_server_id, end_user_id, status, issuer, scope, created_at, updated_at } =
    connection;
  const mayReadServers = useMay("agents:read");
  return (
    <DetailDialog
      title={`Connection at ${server}`}
      trigger={
        <button type="button" className="link-button">
          <strong>{server}</strong>
        </button>
      }
    >
      <NextStep connection={connection} />
      <dl className="facts">
        <Fact name="Id">
          <CodeId id={id} what="connection id" />
        </Fact>
        <Fact name="MCP server">
          {mayReadServers ? (
            <Link to="/mcp-servers/$serverId" params={{ serverId: mcp_server_id }}>
              {server}
            </Link>
          ) : (
            server
          )}
        </Fact>
        <Fact name="End user">{end_user_id ?? "none: it is the tenant's own"}</Fact>
        <Fact name="Status">
          <StatusBadge status={status} />
        </Fact>
        <Fact name="Authorization server">{issuer ?? "not known yet"}</Fact>
        <Fact name="Scope">{scope ?? "the server does not say"}</Fact>
        <Fact name="Created">
          <TimeStamp at={created_at} />
        </Fact>
        <Fact name="Changed">
          <TimeStamp at={updated_at} />
        </Fact>
      </dl>
    </DetailDialog>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="plain-text">{children}</dd>
    </div>
  );
}

function NextStep({ connection }: { readonly connection: Connection }) {
  const { status, failure, end_user_id } = connection;
  const mayList = useMay("confirmations:read");
  if (status === "active") return null;
  const who = end_user_id === null ? "a person for the tenant" : `the end user ${end_user_id}`;
  return (
    <div className="notice connection-next" data-tone={status === "failed" ? "bad" : "waiting"}>
      {status === "failed" ? (
        <p>
          <strong>{sentenceOf(failure ?? "it was refused")}</strong> The next call of a tool of this
          server asks {who} to sign in again; nothing has to be deleted first. When that fails too,
          compare the OAuth settings of the server with what its authorization server knows.
        </p>
      ) : (
        <p>
          {failure !== null && <strong>{sentenceOf(failure)} </strong>}A sign-in was begun, and
          waits for {who}, for 15 minutes at most. It is finished in your app, or{" "}
          {mayList ? (
            <Link to="/inbox" search={{ kind: "external_result" } as never}>
              among the approvals
            </Link>
          ) : (
            "among the approvals"
          )}
          . When its time is over, the next call begins another.
        </p>
      )}
    </div>
  );
}
