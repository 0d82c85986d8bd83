import { useState } from "react";

import type { Member, MemberRole } from "../../../sdk/index.ts";
import { useReprise } from "../../access/access-context.ts";
import { ChoiceField, TextField } from "../../components/forms/fields.tsx";
import { DialogForm } from "../../components/forms/form-dialog.tsx";
import { ROLES } from "./roles.ts";

interface ChangeMemberProps {
  readonly member: Member;
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

export function ChangeMember({ member, onChanged, onClose }: ChangeMemberProps) {
  const reprise = useReprise();
  const [name, setName] = useState(member.name);
  const [role, setRole] = useState<string>(member.role);
  return (
    <DialogForm
      action="Save"
      onCancel={onClose}
      onSubmit={async () => {
        await reprise.members.update(member.id, {
          ...(name !== member.name && { name }),
          ...(role !== member.role && { role: role as MemberRole }),
        });
        onChanged();
        onClose();
      }}
    >
      <TextField label="Name" value={name} onChange={setName} isRequired />
      <ChoiceField
        label="Role"
        hint="Open consoles have it within half a minute."
        value={role}
        options={ROLES}
        onChange={setRole}
      />
    </DialogForm>
  );
}
