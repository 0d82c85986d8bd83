import { Field } from "@base-ui/react/field";

import type { QuotaName, QuotasChange } from "../../../sdk/index.ts";
import { FormField } from "../../components/forms/form-field.tsx";
import {
  formatQuota,
  type QuotaWords,
  REQUEST_CHOICES,
} from "../../components/quotas/quota-words.ts";

/** Quotas as they are typed; one that is left out is empty, which means the default. */
export type QuotaTexts = Readonly<Partial<Record<QuotaName, string>>>;

interface QuotaFieldsProps {
  readonly quotas: readonly QuotaWords[];
  readonly texts: QuotaTexts;
  readonly onChange: (texts: QuotaTexts) => void;
}

/** A field for each quota. An empty one is the default. */
export function QuotaFields({ quotas, texts, onChange }: QuotaFieldsProps) {
  return (
    <div className="quota-form">
      {quotas.map(({ name, label }) => {
        const value = toValue(texts[name]);
        return (
          <FormField
            key={name}
            label={labelOf(name, label)}
            hint={hintOf(name, value)}
            error={value === undefined ? "A whole number, 0 or more." : null}
          >
            <Control
              name={name}
              value={texts[name] ?? ""}
              onChange={(text) => onChange({ ...texts, [name]: text })}
            />
          </FormField>
        );
      })}
    </div>
  );
}

/** Whether each text is a value or empty. */
export function areQuotas(texts: QuotaTexts): boolean {
  return Object.values(texts).every((text) => toValue(text) !== undefined);
}

/** The quotas that differ from what there is: null restores the default. */
export function changeOf(
  before: Readonly<Partial<Record<QuotaName, number | null>>>,
  texts: QuotaTexts,
): QuotasChange {
  return Object.fromEntries(
    Object.entries(texts).flatMap(([name, text]) => {
      const value = toValue(text);
      return value === undefined || value === before[name as QuotaName] ? [] : [[name, value]];
    }),
  ) as QuotasChange;
}

function labelOf(name: QuotaName, label: string): string {
  if (name === "stored_bytes") return "Stored bytes";
  return name === "database_bytes" ? "Database bytes" : label;
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
          <option value="">The default</option>
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

/** @returns null for the default, undefined for what is no number. */
function toValue(text = ""): number | null | undefined {
  const digits = text.replaceAll(/[\s_]/g, "");
  if (digits === "") return null;
  const value = Number(digits);
  return /^\d+$/.test(digits) && Number.isSafeInteger(value) ? value : undefined;
}
