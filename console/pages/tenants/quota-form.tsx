import { useState } from "react";

import type { Tenant } from "../../../sdk/index.ts";
import { useReprise } from "../../access/access-context.ts";
import { quotasOf } from "../../components/quotas/quota-words.ts";
import { areQuotas, changeOf, QuotaFields, type QuotaTexts } from "./quota-fields.tsx";

interface QuotaFormProps {
  readonly tenant: Tenant;
  readonly onClose: () => void;
  readonly onSaved: () => Promise<void>;
}

/** The quotas of a tenant to be changed. Only what was changed is sent; an empty field restores the default. */
export function QuotaForm({ tenant, onClose, onSaved }: QuotaFormProps) {
  const reprise = useReprise();
  const [texts, setTexts] = useState<QuotaTexts>(() => toTexts(tenant));
  const [isSaving, setIsSaving] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const areGood = areQuotas(texts);
  const change = changeOf(tenant.quotas, texts);
  const isChanged = Object.keys(change).length > 0;

  async function save(): Promise<void> {
    setIsSaving(true);
    setFailure(null);
    try {
      await reprise.tenants.update(tenant.id, { quotas: change });
      await onSaved();
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
      setIsSaving(false);
    }
  }

  return (
    <form
      className="section"
      aria-label={`Quotas of ${tenant.name}`}
      onSubmit={(event) => {
        event.preventDefault();
        if (areGood && isChanged) void save();
      }}
    >
      <h2>Quotas</h2>
      <p className="quiet">Whole numbers. An empty field restores the default.</p>
      <QuotaFields quotas={quotasOf(tenant.quotas)} texts={texts} onChange={setTexts} />
      {failure !== null && (
        <p role="alert" className="field-error">
          {failure}
        </p>
      )}
      <div className="form-actions">
        <button
          type="submit"
          className="button button-primary"
          disabled={isSaving || !isChanged || !areGood}
        >
          {isSaving ? "Saving…" : "Save"}
        </button>
        <button type="button" className="button" onClick={onClose}>
          Cancel
        </button>
      </div>
    </form>
  );
}

function toTexts({ quotas }: Tenant): QuotaTexts {
  return Object.fromEntries(quotasOf(quotas).map(({ name }) => [name, String(quotas[name])]));
}
