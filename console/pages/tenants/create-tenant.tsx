import { useState } from "react";

import type { CreatedTenant } from "../../../sdk/index.ts";
import { useMay, useReprise } from "../../access/access-context.ts";
import { TextField } from "../../components/forms/fields.tsx";
import { DialogForm } from "../../components/forms/form-dialog.tsx";
import { SecretOnce } from "../../components/forms/secret-once.tsx";
import { QUOTAS } from "../../components/quotas/quota-words.ts";
import { FirstOwner } from "./first-owner.tsx";
import { areQuotas, changeOf, QuotaFields, type QuotaTexts } from "./quota-fields.tsx";

interface CreateTenantProps {
  readonly onCreated: () => void;
  readonly onClose: () => void;
}

/** A new tenant: its name, the quotas that are not to be the defaults, and then what opens it, this once. */
export function CreateTenant({ onCreated, onClose }: CreateTenantProps) {
  const reprise = useReprise();
  const mayInvite = useMay("access:write");
  const [name, setName] = useState("");
  const [texts, setTexts] = useState<QuotaTexts>({});
  const [created, setCreated] = useState<CreatedTenant | null>(null);

  if (created) {
    return (
      <SecretOnce what="API key" secret={created.api_key} onClose={onClose}>
        <p className="quiet">
          It is the first key of <bdi>{created.name}</bdi>, and may do everything there. Give it to
          the tenant's developers by a safe way: it belongs on a server, never in an app.
        </p>
        {mayInvite && <FirstOwner tenant={created} />}
      </SecretOnce>
    );
  }
  return (
    <DialogForm
      action="Create"
      onCancel={onClose}
      onSubmit={async () => {
        if (!areQuotas(texts)) throw new Error("A quota is no whole number.");
        const quotas = changeOf(DEFAULTS, texts);
        const isChanged = Object.keys(quotas).length > 0;
        setCreated(await reprise.tenants.create({ name, ...(isChanged && { quotas }) }));
        onCreated();
      }}
    >
      <TextField
        label="Name"
        hint="People of the tenant see it when they sign in."
        value={name}
        onChange={setName}
        isRequired
      />
      <details>
        <summary>Quotas</summary>
        <p className="quiet">Whole numbers. An empty field is the default.</p>
        <QuotaFields quotas={QUOTAS} texts={texts} onChange={setTexts} />
      </details>
    </DialogForm>
  );
}

/** An empty field is null, so that it is not sent. */
const DEFAULTS = Object.fromEntries(QUOTAS.map(({ name }) => [name, null]));
