import { IdCard, Trash2 } from "lucide-react";

import { useMay } from "../../access/access-context.ts";
import { CopyButton } from "../../components/copy-button.tsx";
import { DangerDialog } from "../../components/danger-dialog.tsx";
import type { Column } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { AddDialog } from "../../components/list-page/add-dialog.tsx";
import { ListPage } from "../../components/list-page/list-page.tsx";
import { TimeStamp } from "../../components/time-stamp.tsx";
import { usePaged } from "../../components/use-paged.ts";
import { AddProvider } from "./add-provider.tsx";
import { MemberTabs } from "./member-tabs.tsx";
import { type Provider, usePeople } from "./people.ts";

/** The OpenID providers at which people sign in to this console. */
export function ProvidersPage() {
  const people = usePeople();
  const mayWrite = useMay(people.write);
  const paged = usePaged(["sign-in-providers"], people.listProviders());
  const columns = mayWrite ? [...COLUMNS, deletion(paged.refresh)] : COLUMNS;
  return (
    <ListPage
      title="Sign-in providers"
      subtitle="Where your people sign in to this console with the account that they have at work"
      actions={
        mayWrite && (
          <AddDialog label="Add a provider" title="Add a sign-in provider">
            {(close) => <AddProvider onAdded={paged.refresh} onClose={close} />}
          </AddDialog>
        )
      }
      table={{
        label: "Sign-in providers",
        columns,
        paged,
        keyOf: ({ id }) => id,
        empty: (
          <EmptyState icon={IdCard} title="No sign-in providers yet">
            <p>
              Without one, people sign in with passkeys. Add Google, Entra, Okta or another OpenID
              provider, and each invitation offers it beside a passkey.
            </p>
            <p>
              <a href="/docs/members#sign-in-providers">Read how to set one up</a>
            </p>
          </EmptyState>
        ),
      }}
    >
      <MemberTabs shown="providers" />
    </ListPage>
  );
}

const COLUMNS: readonly Column<Provider>[] = [
  {
    label: "Name",
    cell: ({ name, id }) => <strong title={id}>{name}</strong>,
  },
  {
    label: "Issuer",
    from: "tablet",
    cell: ({ issuer, client_id }) => (
      <span className="code" title={`client: ${client_id}`}>
        {issuer}
      </span>
    ),
  },
  {
    label: "Redirect address",
    from: "desktop",
    cell: ({ redirect_url }) => (
      <span title={redirect_url}>
        <CopyButton text={redirect_url} what="redirect address" />
      </span>
    ),
  },
  { label: "Members", align: "end", cell: ({ member_count }) => member_count },
  { label: "Added", from: "desktop", cell: ({ created_at }) => <TimeStamp at={created_at} /> },
];

function deletion(onDeleted: () => void): Column<Provider> {
  return {
    label: "Delete",
    align: "end",
    cell: (provider) => <DeleteProvider provider={provider} onDeleted={onDeleted} />,
  };
}

interface DeleteProviderProps {
  readonly provider: Provider;
  readonly onDeleted: () => void;
}

function DeleteProvider({ provider: { id, name, member_count }, onDeleted }: DeleteProviderProps) {
  const people = usePeople();
  return (
    <DangerDialog
      button={{ icon: Trash2, name: `Delete ${name}`, look: "small icon" }}
      title={`Delete the sign-in provider ${name}?`}
      action="Delete"
      onConfirm={async () => {
        await people.deleteProvider(id);
        onDeleted();
      }}
    >
      <p>{consequences(member_count)}</p>
    </DangerDialog>
  );
}

function consequences(members: number): string {
  if (members === 0) return "Nobody signs in by it.";
  return members === 1
    ? "One member signs in by it: they are signed out everywhere, and need a new link from an owner before they can sign in again."
    : `${members} members sign in by it: they are signed out everywhere, and each needs a new link from an owner before signing in again.`;
}
