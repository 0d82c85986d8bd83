import { KeyRound } from "lucide-react";

import type { ApiKey } from "../../../sdk/index.ts";
import { useMay, useReprise } from "../../access/access-context.ts";
import type { Column } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { FormDialog } from "../../components/forms/form-dialog.tsx";
import { AddDialog } from "../../components/list-page/add-dialog.tsx";
import { ListPage } from "../../components/list-page/list-page.tsx";
import { TimeStamp } from "../../components/time-stamp.tsx";
import { PAGE_ROWS, usePaged } from "../../components/use-paged.ts";
import { CreateKey } from "./create-key.tsx";
import { KeyTabs } from "./key-tabs.tsx";
import { RevokeKey } from "./revoke-key.tsx";
import { RotateKey } from "./rotate-key.tsx";

/** The tenant's API keys: made, rotated and revoked. A secret is shown when it is made, and never again. */
export function KeysPage() {
  const reprise = useReprise();
  const mayWrite = useMay("keys:write");
  const paged = usePaged(["api-keys"], reprise.apiKeys.list({ limit: PAGE_ROWS }));
  const columns: readonly Column<ApiKey>[] = mayWrite
    ? [
        ...COLUMNS,
        {
          label: "Actions",
          align: "end",
          cell: (key) => <Actions apiKey={key} keys={paged.rows} onChange={paged.refresh} />,
        },
      ]
    : COLUMNS;
  return (
    <ListPage
      title="Keys"
      subtitle="Credentials of your back ends, and tokens of your apps"
      actions={
        mayWrite && (
          <AddDialog label="Create a key" title="Create an API key">
            {(close) => <CreateKey onCreated={paged.refresh} onClose={close} />}
          </AddDialog>
        )
      }
      table={{
        label: "API keys",
        columns,
        paged,
        keyOf: ({ id }) => id,
        empty: (
          <EmptyState icon={KeyRound} title="No API keys">
            <p>A back end calls the API with a key. Create one, with as few scopes as it needs.</p>
          </EmptyState>
        ),
      }}
    >
      <KeyTabs shown="keys" />
    </ListPage>
  );
}

const COLUMNS: readonly Column<ApiKey>[] = [
  {
    label: "Name",
    cell: ({ name, id }) => (
      <strong title={id}>{name ?? <span className="quiet">no name</span>}</strong>
    ),
  },
  { label: "Key", from: "tablet", cell: ({ prefix }) => <code>{prefix}…</code> },
  { label: "Status", cell: (key) => <KeyStatus apiKey={key} /> },
  {
    label: "Scopes",
    from: "tablet",
    align: "end",
    cell: ({ scopes }) => <span title={scopes.join("\n")}>{scopes.length}</span>,
  },
  {
    label: "Used",
    from: "desktop",
    cell: ({ last_used_at }) =>
      last_used_at === null ? (
        <span className="quiet">never</span>
      ) : (
        <TimeStamp at={last_used_at} />
      ),
  },
  {
    label: "Created",
    from: "desktop",
    cell: ({ created_at }) => <TimeStamp at={created_at} />,
  },
];

function KeyStatus({ apiKey }: { readonly apiKey: ApiKey }) {
  const { revoked_at, revoked_reason, expires_at, old_secret_expires_at } = apiKey;
  const now = Date.now();
  if (revoked_at !== null) {
    return (
      <span className="badge" data-tone="bad">
        {revoked_reason ?? "revoked"}
      </span>
    );
  }
  if (expires_at !== null && Date.parse(expires_at) <= now) {
    return <span className="badge">expired</span>;
  }
  const isRotating = old_secret_expires_at !== null && Date.parse(old_secret_expires_at) > now;
  return (
    <>
      <span className="badge" data-tone={isRotating ? "waiting" : "good"}>
        {isRotating ? "two secrets" : "active"}
      </span>{" "}
      {expires_at !== null && (
        <span className="quiet">
          until <TimeStamp at={expires_at} />
        </span>
      )}
    </>
  );
}

interface ActionsProps {
  readonly apiKey: ApiKey;
  readonly keys: readonly ApiKey[];
  readonly onChange: () => void;
}

function Actions({ apiKey, keys, onChange }: ActionsProps) {
  if (apiKey.revoked_at !== null) return null;
  const name = apiKey.name ?? apiKey.prefix;
  return (
    <span className="button-row row-actions">
      <FormDialog
        title={`Rotate ${name}`}
        trigger={
          <button type="button" className="button button-small" aria-label={`Rotate ${name}`}>
            Rotate
          </button>
        }
      >
        {(close) => <RotateKey apiKey={apiKey} onRotated={onChange} onClose={close} />}
      </FormDialog>
      <FormDialog
        title={`Revoke ${name}?`}
        trigger={
          <button type="button" className="button button-small" aria-label={`Revoke ${name}`}>
            Revoke
          </button>
        }
      >
        {(close) => <RevokeKey apiKey={apiKey} keys={keys} onRevoked={onChange} onClose={close} />}
      </FormDialog>
    </span>
  );
}
