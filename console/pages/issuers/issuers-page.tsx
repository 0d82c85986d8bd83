import { BadgeCheck, Trash2 } from "lucide-react";

import type { TokenIssuer } from "../../../sdk/index.ts";
import { useMay, useReprise } from "../../access/access-context.ts";
import type { Column } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { DangerDialog } from "../../components/danger-dialog.tsx";
import { AddDialog } from "../../components/list-page/add-dialog.tsx";
import { ListPage } from "../../components/list-page/list-page.tsx";
import { TimeStamp } from "../../components/time-stamp.tsx";
import { PAGE_ROWS, usePaged } from "../../components/use-paged.ts";
import { AddIssuer } from "./add-issuer.tsx";

/** The identity providers whose tokens end users may bring to agents over MCP. */
export function IssuersPage() {
  const reprise = useReprise();
  const mayWrite = useMay("keys:write");
  const paged = usePaged(["token-issuers"], reprise.tokenIssuers.list({ limit: PAGE_ROWS }));
  const columns = mayWrite ? [...COLUMNS, deletion(paged.refresh)] : COLUMNS;
  return (
    <ListPage
      title="Token issuers"
      subtitle="Whose tokens your end users may bring to an agent's MCP endpoint"
      actions={
        mayWrite && (
          <AddDialog label="Add an issuer" title="Add a token issuer">
            {(close) => (
              <AddIssuer
                onCancel={close}
                onAdded={() => {
                  paged.refresh();
                  close();
                }}
              />
            )}
          </AddDialog>
        )
      }
      table={{
        label: "Token issuers",
        columns,
        paged,
        keyOf: ({ id }) => id,
        empty: (
          <EmptyState icon={BadgeCheck} title="No token issuers yet">
            <p>
              Your own back end uses API keys. For the MCP clients of your end users, add the
              identity provider that signs them in: its tokens then open an agent, for the person
              that they name.
            </p>
            <p>
              <a href="/docs/mcp-server">Read about agents as MCP servers</a>
            </p>
          </EmptyState>
        ),
      }}
    />
  );
}

const COLUMNS: readonly Column<TokenIssuer>[] = [
  { label: "Name", cell: ({ name }) => <strong>{name}</strong> },
  {
    label: "Issuer",
    cell: ({ issuer, jwks_url }) => (
      <span className="code" title={`keys: ${jwks_url}`}>
        {issuer}
      </span>
    ),
  },
  {
    label: "End user",
    from: "desktop",
    cell: ({ end_user_prefix, end_user_claim }) => (
      <span className="code">
        {end_user_prefix}
        {`{${end_user_claim}}`}
      </span>
    ),
  },
  { label: "They may", from: "tablet", cell: ({ verbs }) => verbs.join(", ") },
  {
    label: "Agents",
    from: "desktop",
    cell: ({ agent_ids }) =>
      agent_ids ? (
        <span title={agent_ids.join(", ")}>{agent_ids.length}</span>
      ) : (
        <span className="quiet">all</span>
      ),
  },
  { label: "Added", from: "desktop", cell: ({ created_at }) => <TimeStamp at={created_at} /> },
];

function deletion(onDeleted: () => void): Column<TokenIssuer> {
  return {
    label: "Delete",
    align: "end",
    cell: (issuer) => <DeleteIssuer issuer={issuer} onDeleted={onDeleted} />,
  };
}

interface DeleteIssuerProps {
  readonly issuer: TokenIssuer;
  readonly onDeleted: () => void;
}

function DeleteIssuer({ issuer: { id, name }, onDeleted }: DeleteIssuerProps) {
  const reprise = useReprise();
  return (
    <DangerDialog
      button={{ icon: Trash2, name: `Delete ${name}`, look: "small icon" }}
      title={`Delete the issuer ${name}?`}
      action="Delete"
      onConfirm={async () => {
        await reprise.tokenIssuers.delete(id);
        onDeleted();
      }}
    >
      <p>
        Its tokens are refused after 30 seconds at the latest, and streams that they have opened
        end. The conversations of its end users stay.
      </p>
    </DangerDialog>
  );
}
