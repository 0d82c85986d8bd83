import { useState } from "react";

import type { InvitedMember, MemberRole } from "../../../sdk/index.ts";
import { useReprise } from "../../access/access-context.ts";
import { ChoiceField, TextField } from "../../components/forms/fields.tsx";
import { DialogForm } from "../../components/forms/form-dialog.tsx";
import { MemberLink } from "./member-link.tsx";
import { ROLES } from "./roles.ts";

interface InviteMemberProps {
  readonly onInvited: () => void;
  readonly onClose: () => void;
}

export function InviteMember({ onInvited, onClose }: InviteMemberProps) {
  const reprise = useReprise();
  const [name, setName] = useState("");
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<string>("approver");
  const [invited, setInvited] = useState<InvitedMember | null>(null);
  if (invited) return <MemberLink member={invited} onClose={onClose} />;
  return (
    <DialogForm
      action="Invite"
      onCancel={onClose}
      onSubmit={async () => {
        const member = await reprise.members.invite({
          name,
          role: role as MemberRole,
          ...(email.trim() !== "" && { email }),
        });
        setInvited(member);
        onInvited();
      }}
    >
      <TextField
        label="Name"
        hint="It stands beside what they decide, also when they have left."
        value={name}
        onChange={setName}
        isRequired
      />
      <TextField
        label="E-mail"
        hint="To tell people of one name apart. Nothing is sent there; a sign-in provider that has verified it lets them join without the link. Erased 30 days after they have left."
        value={email}
        onChange={setEmail}
      />
      <ChoiceField label="Role" value={role} options={ROLES} onChange={setRole} />
    </DialogForm>
  );
}
