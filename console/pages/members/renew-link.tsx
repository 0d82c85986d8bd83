import { useState } from "react";

import { DialogForm } from "../../components/forms/form-dialog.tsx";
import { MemberLink } from "./member-link.tsx";
import { type InvitedPerson, type Person, usePeople } from "./people.ts";

interface RenewLinkProps {
  readonly member: Person;
  readonly onRenewed: () => void;
  readonly onClose: () => void;
}

export function RenewLink({ member, onRenewed, onClose }: RenewLinkProps) {
  const people = usePeople();
  const [invited, setInvited] = useState<InvitedPerson | null>(null);
  if (invited) {
    return (
      <MemberLink
        member={invited}
        onClose={() => {
          onClose();
          onRenewed();
        }}
      />
    );
  }
  return (
    <DialogForm
      action="Make a new link"
      isDangerous={member.status === "active"}
      onCancel={onClose}
      onSubmit={async () => setInvited(await people.renewLink(member.id))}
    >
      <p>
        {member.status === "active"
          ? "The passkey or account stops working at once, and all consoles that are signed in with it are signed out. The link leads to a new passkey, or to an account at a sign-in provider."
          : "The link before stops working."}
      </p>
    </DialogForm>
  );
}
