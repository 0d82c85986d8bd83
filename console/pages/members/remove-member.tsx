import { useState } from "react";

import type { RemovedMember } from "../../../sdk/index.ts";
import { DialogEnd } from "../../components/forms/dialog-end.tsx";
import { DialogForm } from "../../components/forms/form-dialog.tsx";
import { type Person, type RemovedPerson, usePeople } from "./people.ts";

interface RemoveMemberProps {
  readonly member: Person;
  readonly onRemoved: () => void;
  readonly onClose: () => void;
}

/** Ends a member's access, and lists what stays. */
export function RemoveMember({ member, onRemoved, onClose }: RemoveMemberProps) {
  const people = usePeople();
  const [removed, setRemoved] = useState<RemovedPerson | null>(null);
  if (removed) {
    return (
      <Left
        removed={removed}
        onClose={() => {
          // Not before: the row of a removed member has no actions, and this dialog is one.
          onClose();
          onRemoved();
        }}
      />
    );
  }
  return (
    <DialogForm
      action="Remove"
      isDangerous
      onCancel={onClose}
      onSubmit={async () => setRemoved(await people.remove(member.id))}
    >
      <p>
        {member.name} is signed out everywhere, and the passkey or account and the link stop
        working. {people.isOperators ? "Keys and providers" : "Keys and rules"} that they made go
        on: the next step lists them. The name stays in{" "}
        {people.isOperators ? "the audit" : "decisions and in the audit"}; the address is erased
        after 30 days.
      </p>
    </DialogForm>
  );
}

function Left({ removed, onClose }: { readonly removed: RemovedPerson; onClose: () => void }) {
  const { name, api_keys, sign_in_provider_ids } = removed;
  // The operator's people have none of these.
  const { token_issuer_ids = [], rule_session_ids = [] } = removed as Partial<RemovedMember>;
  const made = [api_keys, token_issuer_ids, sign_in_provider_ids, rule_session_ids];
  const isNothing = made.every(({ length }) => length === 0);
  return (
    <div className="form-stack">
      <p role="status">
        {name} is no member any more.{" "}
        {isNothing ? "They have made nothing that goes on." : "This goes on until you end it:"}
      </p>
      <ul className="outcome-list">
        {api_keys.map((key) => (
          <li key={key.id}>
            Key <code>{key.prefix}…</code>
            <span className="quiet">{key.name ?? key.id}</span>
            {"tenant_id" in key && <span className="quiet"> of {key.tenant_id}</span>}
          </li>
        ))}
        {token_issuer_ids.map((id) => (
          <li key={id}>
            Token issuer <code>{id}</code>
          </li>
        ))}
        {sign_in_provider_ids.map((id) => (
          <li key={id}>
            Sign-in provider <code>{id}</code>
          </li>
        ))}
        {rule_session_ids.map((id) => (
          <li key={id}>
            Rules of the session <code>{id}</code>
          </li>
        ))}
      </ul>
      <DialogEnd onClose={onClose} />
    </div>
  );
}
