import { useState } from "react";

import { ChoiceField, TextField } from "../../components/forms/fields.tsx";
import { DialogForm } from "../../components/forms/form-dialog.tsx";
import { type Person, usePeople } from "./people.ts";

interface ChangeMemberProps {
  readonly member: Person;
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

export function ChangeMember({ member, onChanged, onClose }: ChangeMemberProps) {
  const people = usePeople();
  const [name, setName] = useState(member.name);
  const [role, setRole] = useState<string>(member.role);
  return (
    <DialogForm
      action="Save"
      onCancel={onClose}
      onSubmit={async () => {
        await people.update(member.id, {
          ...(name !== member.name && { name }),
          ...(role !== member.role && { role }),
        });
        onChanged();
        onClose();
      }}
    >
      <TextField label="Name" value={name} onChange={setName} isRequired />
      <ChoiceField
        label="Role"
        hint={
          people.isOperators
            ? "Open consoles have it with the next request."
            : "Open consoles have it within half a minute."
        }
        value={role}
        options={people.roles}
        onChange={setRole}
      />
    </DialogForm>
  );
}
