import { useState } from "react";

import { ChoiceField, TextField } from "../../components/forms/fields.tsx";
import { DialogForm } from "../../components/forms/form-dialog.tsx";
import { MemberLink } from "./member-link.tsx";
import { type InvitedPerson, usePeople } from "./people.ts";

interface InviteMemberProps {
  readonly onInvited: () => void;
  readonly onClose: () => void;
}

export function InviteMember({ onInvited, onClose }: InviteMemberProps) {
  const people = usePeople();
  const [name, setName] = useState("");
  const [email, setEmail] = useState("");
  const [role, setRole] = useState(people.usualRole);
  const [invited, setInvited] = useState<InvitedPerson | null>(null);
  if (invited) return <MemberLink member={invited} onClose={onClose} />;
  return (
    <DialogForm
      action="Invite"
      onCancel={onClose}
      onSubmit={async () => {
        const member = await people.invite({
          name,
          role,
          ...(email.trim() !== "" && { email }),
        });
        setInvited(member);
        onInvited();
      }}
    >
      <TextField
        label="Name"
        hint="It stands beside what they do, also when they have left."
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
      <ChoiceField label="Role" value={role} options={people.roles} onChange={setRole} />
    </DialogForm>
  );
}
