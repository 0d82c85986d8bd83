import { SecretOnce } from "../../components/forms/secret-once.tsx";
import type { InvitedPerson } from "./people.ts";

interface MemberLinkProps {
  readonly member: InvitedPerson;
  readonly onClose: () => void;
}

/** A link as the platform shows it this once, for the person whom it invites. */
export function MemberLink({ member, onClose }: MemberLinkProps) {
  return (
    <SecretOnce what="link" secret={member.url} onClose={onClose}>
      <p className="quiet">
        Give it to {member.name} and nobody else: whoever opens it signs in as {member.name}. It
        works once, within 24 hours.
      </p>
    </SecretOnce>
  );
}
