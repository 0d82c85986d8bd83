import { Field } from "@base-ui/react/field";
import type { ReactElement } from "react";

import { FormField } from "./form-field.tsx";

interface TextFieldProps {
  readonly label: string;
  readonly hint?: string;
  readonly error?: string | null;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly type?: "text" | "url" | "password" | "date" | "datetime-local";
  readonly isRequired?: boolean;
  readonly isDisabled?: boolean;
  /** Lines of a longer text; a single line when left out. */
  readonly lines?: number;
  /** Written in the font of code. */
  readonly isCode?: boolean;
}

/** A labelled text, of one line or more. */
export function TextField(props: TextFieldProps) {
  const { label, hint, error = null, value, onChange, type = "text", lines } = props;
  const { isRequired = false, isDisabled = false, isCode = false } = props;
  const className = isCode ? "input code" : "input";
  return (
    <FormField label={label} error={error} {...(hint !== undefined && { hint })}>
      <Field.Control
        {...(lines === undefined
          ? { type, className }
          : { render: <textarea rows={lines} className={`${className} input-lines`} /> })}
        spellCheck={false}
        autoComplete="off"
        required={isRequired}
        disabled={isDisabled}
        value={value}
        onValueChange={onChange}
      />
    </FormField>
  );
}

interface ChoiceFieldProps {
  readonly label: string;
  readonly hint?: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly onChange: (value: string) => void;
}

/** A labelled choice of one. */
export function ChoiceField({ label, hint, value, options, onChange }: ChoiceFieldProps) {
  const select: ReactElement = (
    <select className="input">
      {options.map(([option, text]) => (
        <option key={option} value={option}>
          {text}
        </option>
      ))}
    </select>
  );
  return (
    <FormField label={label} {...(hint !== undefined && { hint })}>
      <Field.Control render={select} value={value} onValueChange={onChange} />
    </FormField>
  );
}

interface CheckFieldsProps {
  /** Options that are chosen. */
  readonly label: string;
  readonly options: readonly string[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
  readonly textOf?: (option: string) => string;
}

/** A choice of any number. */
export function CheckFields(props: CheckFieldsProps) {
  const { label, options, chosen, onChange, textOf = (option) => option } = props;
  return (
    <fieldset className="check-fields">
      <legend className="field-label">{label}</legend>
      {options.map((option) => (
        <label key={option} className="check-field">
          <input
            type="checkbox"
            checked={chosen.includes(option)}
            onChange={({ currentTarget }) =>
              onChange(
                currentTarget.checked
                  ? [...chosen, option]
                  : chosen.filter((other) => other !== option),
              )
            }
          />
          <span>{textOf(option)}</span>
        </label>
      ))}
    </fieldset>
  );
}
