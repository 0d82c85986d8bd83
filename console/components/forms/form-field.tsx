import { Field } from "@base-ui/react/field";
import type { ReactNode } from "react";

interface FormFieldProps {
  readonly label: string;
  /** Shown below the control. */
  readonly hint?: string;
  /** Fault of the value; null when there is none. */
  readonly error?: string | null;
  /** A `Field.Control` of Base UI, or another control of its forms. */
  readonly children: ReactNode;
}

/** A control with its label, hint and error, which a screen reader reads with it. */
export function FormField({ label, hint, error = null, children }: FormFieldProps) {
  return (
    <Field.Root className="field" invalid={error !== null}>
      <Field.Label className="field-label">{label}</Field.Label>
      {children}
      {hint !== undefined && <Field.Description className="field-hint">{hint}</Field.Description>}
      {error !== null && (
        <Field.Error match className="field-error">
          {error}
        </Field.Error>
      )}
    </Field.Root>
  );
}
