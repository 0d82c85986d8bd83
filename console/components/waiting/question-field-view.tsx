import { Field } from "@base-ui/react/field";
import { useId, type ReactNode } from "react";

import type { FieldDraft, QuestionField } from "./question-fields.ts";

interface QuestionFieldProps {
  readonly field: QuestionField;
  readonly value: FieldDraft;
  /** A sentence; null when nothing is wrong. */
  readonly error: string | null;
  readonly isDisabled: boolean;
  readonly onChange: (value: FieldDraft) => void;
}

/** Options up to this number are all in view; more are a list to open. */
const MAX_RADIOS = 6;
/** Texts that may be longer than this get an area of lines. */
const LINE_CHARACTERS = 200;

/** One field of a question. Its words are the server's, and shown as text. */
export function QuestionFieldView(props: QuestionFieldProps) {
  const { kind, options } = props.field;
  if (kind === "many") return <ManyField {...props} />;
  if ((kind === "one" || kind === "yes-no") && options.length <= MAX_RADIOS) {
    return <RadioField {...props} />;
  }
  return <LineField {...props} />;
}

function LineField({ field, value, error, isDisabled, onChange }: QuestionFieldProps) {
  const { label, description, isRequired } = field;
  return (
    <Field.Root className="field question-field" invalid={error !== null}>
      <Field.Label className="field-label">
        <bdi>{label}</bdi>
        {isRequired && <RequiredMark />}
      </Field.Label>
      <Field.Control
        {...controlOf(field)}
        autoComplete="off"
        aria-required={isRequired}
        disabled={isDisabled}
        value={typeof value === "string" ? value : ""}
        onValueChange={onChange}
      />
      {error !== null && (
        <Field.Error match className="field-error">
          {error}
        </Field.Error>
      )}
      <Field.Description className="field-hint">
        {description !== null && <bdi>{description}</bdi>}
        <Bounds field={field} />
      </Field.Description>
    </Field.Root>
  );
}

const INPUT_TYPES: Readonly<Record<string, string>> = {
  email: "email",
  uri: "url",
  date: "date",
  "date-time": "datetime-local",
};

/** Numbers are typed as text, so that what is no number is told as that, and not as nothing. */
function controlOf({ kind, format, options, most, isRequired }: QuestionField) {
  if (kind === "one") {
    return {
      render: (
        <select className="input">
          <option value="">{isRequired ? "Choose one" : "No answer"}</option>
          {options.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      ),
    };
  }
  if (kind === "number" || kind === "integer") {
    const inputMode = kind === "integer" ? ("numeric" as const) : ("decimal" as const);
    return { type: "text", inputMode, className: "input input-number" };
  }
  if (format === null && most !== null && most > LINE_CHARACTERS) {
    return { render: <textarea rows={3} className="input input-lines" /> };
  }
  return { type: INPUT_TYPES[format ?? ""] ?? "text", className: "input", spellCheck: false };
}

function RadioField({ field, value, error, isDisabled, onChange }: QuestionFieldProps) {
  const name = useId();
  const { options, isRequired } = field;
  const shown = isRequired ? options : [...options, { value: "", label: "No answer" }];
  return (
    <ChoiceGroup field={field} error={error}>
      {shown.map((option) => (
        <label key={option.value} className="check-field">
          <input
            type="radio"
            name={name}
            aria-invalid={error !== null}
            disabled={isDisabled}
            checked={value === option.value}
            onChange={() => onChange(option.value)}
          />
          <bdi>{option.label}</bdi>
        </label>
      ))}
    </ChoiceGroup>
  );
}

function ManyField({ field, value, error, isDisabled, onChange }: QuestionFieldProps) {
  const chosen = typeof value === "string" ? [] : value;
  return (
    <ChoiceGroup field={field} error={error}>
      {field.options.map((option) => (
        <label key={option.value} className="check-field">
          <input
            type="checkbox"
            aria-invalid={error !== null}
            disabled={isDisabled}
            checked={chosen.includes(option.value)}
            onChange={({ currentTarget }) =>
              onChange(
                currentTarget.checked
                  ? [...chosen, option.value]
                  : chosen.filter((other) => other !== option.value),
              )
            }
          />
          <bdi>{option.label}</bdi>
        </label>
      ))}
    </ChoiceGroup>
  );
}

interface ChoiceGroupProps {
  readonly field: QuestionField;
  readonly error: string | null;
  readonly children: ReactNode;
}

function ChoiceGroup({ field, error, children }: ChoiceGroupProps) {
  const hintId = useId();
  const { label, description, isRequired } = field;
  return (
    <fieldset className="question-choice question-field" aria-describedby={hintId}>
      <legend className="field-label">
        <bdi>{label}</bdi>
        {isRequired && <RequiredMark />}
      </legend>
      <div className="question-options">{children}</div>
      <div id={hintId}>
        {error !== null && <p className="field-error">{error}</p>}
        <p className="field-hint">
          {description !== null && <bdi>{description}</bdi>}
          <Bounds field={field} />
        </p>
      </div>
    </fieldset>
  );
}

function RequiredMark() {
  return (
    <span className="required-mark">
      <span aria-hidden> *</span>
      <span className="visually-hidden"> (required)</span>
    </span>
  );
}

/** Bounds that the server sets for a value, in words. */
function Bounds({ field: { kind, least, most, format } }: { readonly field: QuestionField }) {
  const unit = kind === "text" ? " characters" : kind === "many" ? " to choose" : "";
  const notes = [FORMAT_WORDS[format ?? ""], rangeOf(least, most, unit)];
  const text = notes.filter((note) => note !== undefined).join(", ");
  return text === "" ? null : <span className="field-notes"> {text}</span>;
}

const FORMAT_WORDS: Readonly<Record<string, string>> = {
  uri: "an address, such as https://a.example",
  "date-time": "in your time zone",
};

function rangeOf(least: number | null, most: number | null, unit: string): string | undefined {
  if (least !== null && most !== null) {
    return least === most ? `${least}${unit}` : `${least} to ${most}${unit}`;
  }
  if (least !== null && least !== 0) return `${least} or more${unit}`;
  return most === null ? undefined : `${most}${unit} at most`;
}
