import { Users } from "lucide-react";

import { useAccessState, useMay } from "../../access/access-context.ts";
import type { Column } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { FormDialog } from "../../components/forms/form-dialog.tsx";
import { AddDialog } from "../../components/list-page/add-dialog.tsx";
import { ListPage } from "../../components/list-page/list-page.tsx";
import { TimeStamp } from "../../components/time-stamp.tsx";
import { usePaged } from "../../components/use-paged.ts";
import { ChangeMember } from "./change-member.tsx";
import { InviteMember } from "./invite-member.tsx";
import { MemberTabs } from "./member-tabs.tsx";
import { type Person, usePeople } from "./people.ts";
import { RemoveMember } from "./remove-member.tsx";
import { RenewLink } from "./renew-link.tsx";

/** The people of this console: invited, given a role, and let go. A link is shown when it is made, and never again. */
export function MembersPage() {
  const people = usePeople();
  const mayWrite = useMay(people.write);
  const paged = usePaged(["members"], people.list());
  const columns: readonly Column<Person>[] = mayWrite
    ? [
        ...COLUMNS,
        {
          label: "Actions",
          align: "end",
          cell: (member) => <Actions member={member} onChange={paged.refresh} />,
        },
      ]
    : COLUMNS;
  return (
    <ListPage
      title={people.isOperators ? "People" : "Members"}
      subtitle="The people who sign in to this console, and what each may do"
      actions={
        mayWrite && (
          <AddDialog label="Invite a member" title="Invite a member">
            {(close) => <InviteMember onInvited={paged.refresh} onClose={close} />}
          </AddDialog>
        )
      }
      table={{
        label: "Members",
        columns,
        paged,
        keyOf: ({ id }) => id,
        empty: (
          <EmptyState icon={Users} title={people.isOperators ? "Nobody yet" : "No members yet"}>
            <p>
              Invite yourself first, as an owner: then{" "}
              {people.isOperators ? "the audit has" : "decisions have"} your name, and you sign in
              without a link.
            </p>
          </EmptyState>
        ),
      }}
    >
      <MemberTabs shown="members" />
    </ListPage>
  );
}

const COLUMNS: readonly Column<Person>[] = [
  { label: "Name", cell: (member) => <Name member={member} /> },
  { label: "Role", cell: ({ role }) => role },
  { label: "Status", cell: (member) => <Status member={member} /> },
  {
    label: "Signed in",
    from: "desktop",
    cell: ({ last_sign_in_at }) =>
      last_sign_in_at === null ? (
        <span className="quiet">never</span>
      ) : (
        <TimeStamp at={last_sign_in_at} />
      ),
  },
  {
    label: "Invited",
    from: "desktop",
    cell: ({ created_at }) => <TimeStamp at={created_at} />,
  },
];

function Name({ member: { id, name, email } }: { readonly member: Person }) {
  const access = useAccessState();
  const isSelf = access.kind === "signed_in" && access.session.member?.id === id;
  return (
    <span title={id}>
      <strong>{name}</strong>
      {isSelf && <span className="quiet"> (you)</span>}
      {email !== null && <span className="quiet"> {email}</span>}
    </span>
  );
}

const TONES = { invited: "waiting", active: "good", removed: "bad" } as const;

function Status({ member: { status, link_expires_at } }: { readonly member: Person }) {
  const isOver = link_expires_at !== null && Date.parse(link_expires_at) <= Date.now();
  // Neither used nor waiting: the sign-in provider was deleted.
  const hasNone = link_expires_at === null;
  return (
    <>
      <span className="badge" data-tone={TONES[status]}>
        {status}
      </span>{" "}
      {status === "invited" && isOver && <span className="quiet">link expired</span>}
      {status === "invited" && hasNone && <span className="quiet">needs a new link</span>}
    </>
  );
}

interface ActionsProps {
  readonly member: Person;
  readonly onChange: () => void;
}

function Actions({ member, onChange }: ActionsProps) {
  if (member.status === "removed") return null;
  const { name } = member;
  return (
    <span className="button-row row-actions">
      <FormDialog title={`Change ${name}`} trigger={<RowButton text="Change" name={name} />}>
        {(close) => <ChangeMember member={member} onChanged={onChange} onClose={close} />}
      </FormDialog>
      <FormDialog
        title={`New link for ${name}?`}
        trigger={<RowButton text="New link" name={name} />}
      >
        {(close) => <RenewLink member={member} onRenewed={onChange} onClose={close} />}
      </FormDialog>
      <FormDialog title={`Remove ${name}?`} trigger={<RowButton text="Remove" name={name} />}>
        {(close) => <RemoveMember member={member} onRemoved={onChange} onClose={close} />}
      </FormDialog>
    </span>
  );
}

function RowButton({ text, name, ...props }: { readonly text: string; readonly name: string }) {
  return (
    <button
      type="button"
      className="button button-small"
      aria-label={`${text}: ${name}`}
      {...props}
    >
      {text}
    </button>
  );
}
