import { Ticket } from "lucide-react";

import type { LiveToken } from "../../../sdk/index.ts";
import { useMay, useReprise } from "../../access/access-context.ts";
import { CodeId } from "../../components/code-id.tsx";
import { DangerDialog } from "../../components/danger-dialog.tsx";
import { DataTable, type Column } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { FilterBar, type FilterField } from "../../components/filter-bar.tsx";
import { AddDialog } from "../../components/list-page/add-dialog.tsx";
import { LoadingState } from "../../components/loading-state.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { TimeStamp } from "../../components/time-stamp.tsx";
import { useFilters } from "../../components/use-filters.ts";
import { PAGE_ROWS, usePaged } from "../../components/use-paged.ts";
import { KeyTabs } from "./key-tabs.tsx";
import { MintToken } from "./mint-token.tsx";

const FIELDS: readonly FilterField[] = [{ name: "session_id", label: "Session id", kind: "text" }];

/** The live client tokens of one session, with which an app may use it. */
export function TokensPage() {
  const filters = useFilters();
  const sessionId = filters.values["session_id"];
  return (
    <div className="list-page">
      <PageHeader
        title="Client tokens"
        subtitle="What an app may do in one session, for an hour at most"
      />
      <KeyTabs shown="tokens" />
      <FilterBar fields={FIELDS} filters={filters} />
      {sessionId === undefined ? (
        <EmptyState icon={Ticket} title="Whose tokens?">
          <p>
            A client token belongs to one session. Enter the id of a session to see its live tokens,
            and to make one.
          </p>
        </EmptyState>
      ) : (
        <TokenList key={sessionId} sessionId={sessionId} />
      )}
    </div>
  );
}

function TokenList({ sessionId }: { readonly sessionId: string }) {
  const reprise = useReprise();
  const mayWrite = useMay("sessions:write");
  const tokens = reprise.session(sessionId).tokens;
  const { rows, isLoading, error, loadMore, reload, refresh } = usePaged(
    ["tokens", sessionId],
    tokens.list({ limit: PAGE_ROWS }),
  );
  if (error && rows.length === 0) return <ErrorState error={error} onRetry={reload} />;
  if (isLoading) return <LoadingState label="Loading tokens…" />;
  const columns: readonly Column<LiveToken>[] = mayWrite
    ? [
        ...COLUMNS,
        {
          label: "Actions",
          align: "end",
          cell: ({ id }) => (
            <DangerDialog
              button={{ name: `Revoke ${id}`, look: "small" }}
              title="Revoke this client token?"
              action="Revoke"
              onConfirm={async () => {
                await tokens.revoke(id);
                refresh();
              }}
            >
              <p>Its requests are refused from now on, and its streams end.</p>
            </DangerDialog>
          ),
        },
      ]
    : COLUMNS;
  return (
    <>
      {mayWrite && (
        <div className="button-row">
          <AddDialog label="Make a token" title="Make a client token">
            {(close) => <MintToken sessionId={sessionId} onMinted={refresh} onClose={close} />}
          </AddDialog>
        </div>
      )}
      {rows.length === 0 ? (
        <EmptyState icon={Ticket} title="No live token">
          <p>
            Your back end makes one when an app opens the session:{" "}
            <code>POST /v1/sessions/…/tokens</code>. Expired and revoked ones are not listed.
          </p>
        </EmptyState>
      ) : (
        <DataTable
          label="Client tokens"
          columns={columns}
          rows={rows}
          keyOf={({ id }) => id}
          onEnd={loadMore}
        />
      )}
    </>
  );
}

const COLUMNS: readonly Column<LiveToken>[] = [
  { label: "Token", cell: ({ id }) => <CodeId id={id} what="token id" /> },
  { label: "May", from: "tablet", cell: ({ verbs }) => verbs?.join(", ") ?? "not known" },
  {
    label: "Origins",
    from: "desktop",
    cell: ({ allowed_origins }) => allowed_origins?.join(", ") ?? "any",
  },
  {
    label: "Made with",
    from: "desktop",
    cell: ({ key_id }) => <span className="code">{key_id ?? "–"}</span>,
  },
  { label: "Expires", cell: ({ expires_at }) => <TimeStamp at={expires_at} /> },
];
