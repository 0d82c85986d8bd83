import { useState } from "react";

import type { InvitedMember, Tenant } from "../../../sdk/index.ts";
import { useReprise } from "../../access/access-context.ts";
import { CopyButton } from "../../components/copy-button.tsx";
import { failureText } from "../../components/failure-text.ts";
import { TextField } from "../../components/forms/fields.tsx";

/** A link for the first owner of a new tenant, who invites all others. It may be left out: the key can do the same. */
export function FirstOwner({ tenant }: { readonly tenant: Pick<Tenant, "id"> }) {
  const reprise = useReprise();
  const [name, setName] = useState("");
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [invited, setInvited] = useState<InvitedMember | null>(null);

  async function invite(): Promise<void> {
    setIsBusy(true);
    setFailure(null);
    try {
      const owner = { tenant_id: tenant.id, name, role: "owner" } as const;
      setInvited(await reprise.members.invite(owner));
    } catch (error) {
      setFailure(failureText(error));
    } finally {
      setIsBusy(false);
    }
  }

  if (invited) {
    return (
      <section className="form-stack" aria-label="Link of the first owner">
        <p role="status">
          The link of <bdi>{invited.name}</bdi>, the first owner. It works once, within 24 hours,
          and is not shown again either.
        </p>
        <div className="secret">
          <code>{invited.url}</code>
          <CopyButton text={invited.url} what="link" />
        </div>
      </section>
    );
  }
  return (
    <form
      className="form-stack"
      aria-label="First owner"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy) void invite();
      }}
    >
      <TextField
        label="Name of the first owner"
        hint="For a person who signs in to the tenant's console: makes a link that works once."
        value={name}
        onChange={setName}
        isRequired
      />
      {failure !== null && (
        <p role="alert" className="field-error">
          {failure}
        </p>
      )}
      <div className="button-row">
        <button type="submit" className="button" disabled={isBusy}>
          {isBusy ? "One moment…" : "Make the link"}
        </button>
      </div>
    </form>
  );
}
