import { Field } from "@base-ui/react/field";
import { useState } from "react";

import type { QuotaName, QuotasChange, Tenant } from "../../../sdk/index.ts";
import { useReprise } from "../../access/access-context.ts";
import { FormField } from "../../components/forms/form-field.tsx";
import { formatQuota, quotasOf, REQUEST_CHOICES } from "../../components/quotas/quota-words.ts";

interface QuotaFormProps {
  readonly tenant: Tenant;
  readonly onClose: () => void;
  readonly onSaved: () => Promise<void>;
}

type Texts = Readonly<Record<QuotaName, string>>;

/** The quotas of a tenant to be changed. Only what was changed is sent; an empty field restores the default. */
export function QuotaForm({ tenant, onClose, onSaved }: QuotaFormProps) {
  const reprise = useReprise();
  const [texts, setTexts] = useState<Texts>(() => toTexts(tenant));
  const [isSaving, setIsSaving] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const quotas = quotasOf(tenant.quotas);
  const wrong = quotas.filter(({ name }) => toValue(texts[name]) === undefined);
  const change = changeOf(tenant, texts);
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
        if (wrong.length === 0 && isChanged) void save();
      }}
    >
      <h2>Quotas</h2>
      <p className="quiet">Whole numbers. An empty field restores the default.</p>
      <div className="quota-form">
        {quotas.map(({ name, label }) => {
          const value = toValue(texts[name]);
          return (
            <FormField
              key={name}
              label={name === "stored_bytes" ? "Stored bytes" : label}
              hint={hintOf(name, value)}
              error={value === undefined ? "A whole number, 0 or more." : null}
            >
              <Control
                name={name}
                value={texts[name]}
                onChange={(text) => setTexts((before) => ({ ...before, [name]: text }))}
              />
            </FormField>
          );
        })}
      </div>
      {failure !== null && (
        <p role="alert" className="field-error">
          {failure}
        </p>
      )}
      <div className="form-actions">
        <button
          type="submit"
          className="button button-primary"
          disabled={isSaving || !isChanged || wrong.length > 0}
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

interface ControlProps {
  readonly name: QuotaName;
  readonly value: string;
  readonly onChange: (text: string) => void;
}

function Control({ name, value, onChange }: ControlProps) {
  if (name !== "requests") {
    return (
      <Field.Control
        type="text"
        inputMode="numeric"
        className="input"
        autoComplete="off"
        value={value}
        onValueChange={onChange}
      />
    );
  }
  return (
    <Field.Control
      render={
        <select className="input">
          {REQUEST_CHOICES.map((choice) => (
            <option key={choice} value={String(choice)}>
              {formatQuota(name, choice)}
            </option>
          ))}
        </select>
      }
      value={value}
      onValueChange={onChange}
    />
  );
}

function hintOf(name: QuotaName, value: number | null | undefined): string | undefined {
  if (value === null) return "The default";
  if (value === undefined) return undefined;
  return name === "requests" ? undefined : formatQuota(name, value);
}

function toTexts({ quotas }: Tenant): Texts {
  return Object.fromEntries(
    quotasOf(quotas).map(({ name }) => [name, String(quotas[name])]),
  ) as Texts;
}

/** @returns null for the default, undefined for what is no number. */
function toValue(text: string): number | null | undefined {
  const digits = text.replaceAll(/[\s_]/g, "");
  if (digits === "") return null;
  const value = Number(digits);
  return /^\d+$/.test(digits) && Number.isSafeInteger(value) ? value : undefined;
}

function changeOf(tenant: Tenant, texts: Texts): QuotasChange {
  return Object.fromEntries(
    quotasOf(tenant.quotas).flatMap(({ name }) => {
      const value = toValue(texts[name]);
      return value === undefined || value === tenant.quotas[name] ? [] : [[name, value]];
    }),
  ) as QuotasChange;
}
