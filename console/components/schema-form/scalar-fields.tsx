// Controls of texts, numbers, choices and yes or no.
import { Field } from "@base-ui/react/field";
import { useId, useState } from "react";

import type { JsonSchema } from "./json-schema.ts";
import { useSchemaForm } from "./form-context.ts";

interface ScalarProps {
  readonly schema: JsonSchema;
  /** The member's name, for suggestions. */
  readonly name: string;
  readonly value: unknown;
  readonly isRequired: boolean;
  readonly onChange: (next: unknown) => void;
}

/** Texts that may be longer than this get an area of lines. */
const LINE_CHARACTERS = 400;
/** Members that may be long, and have no lines. */
const ONE_LINE: ReadonlySet<string> = new Set(["rule_content", "client_id", "scope"]);

export function TextControl({ schema, name, value, isRequired, onChange }: ScalarProps) {
  const { isReadOnly, suggestions } = useSchemaForm();
  const listId = useId();
  const text = typeof value === "string" ? value : "";
  const isNullable = schema.anyOf?.some(({ type }) => type === "null") ?? false;
  // An empty text of an optional member is none: the API refuses most empty texts.
  const empty = isNullable ? null : isRequired || schema.default === "" ? "" : undefined;
  const change = (next: string) => onChange(next === "" ? empty : next);
  const maxLength =
    schema.maxLength ?? schema.anyOf?.find(({ type }) => type === "string")?.maxLength;
  if (
    maxLength !== undefined &&
    maxLength > LINE_CHARACTERS &&
    schema.format === undefined &&
    !ONE_LINE.has(name)
  ) {
    return (
      <Field.Control
        render={<textarea rows={name === "system_prompt" ? 8 : 3} />}
        className="input input-lines"
        readOnly={isReadOnly}
        value={text}
        onValueChange={change}
      />
    );
  }
  const options = suggestions[name] ?? [];
  return (
    <>
      <Field.Control
        type="text"
        className="input"
        spellCheck={false}
        autoComplete="off"
        readOnly={isReadOnly}
        list={options.length > 0 ? listId : undefined}
        value={text}
        onValueChange={change}
      />
      {options.length > 0 && (
        <datalist id={listId}>
          {options.map(([option, label]) => (
            <option key={option} value={option} label={label} />
          ))}
        </datalist>
      )}
    </>
  );
}

/** A number; what is typed stays as it is typed while it means the value. */
export function NumberControl({ schema, value, onChange }: ScalarProps) {
  const { isReadOnly } = useSchemaForm();
  const [text, setText] = useState(() => textOf(value));
  const known = typeof value === "number" ? value : undefined;
  if (toNumber(text) !== known) setText(textOf(known));
  return (
    <Field.Control
      type="number"
      className="input input-number"
      min={schema.minimum}
      max={schema.maximum}
      step={schema.type === "integer" ? 1 : "any"}
      readOnly={isReadOnly}
      placeholder={typeof schema.default === "number" ? String(schema.default) : undefined}
      value={text}
      onValueChange={(next) => {
        setText(next);
        onChange(toNumber(next));
      }}
    />
  );
}

function toNumber(text: string): number | undefined {
  return text.trim() === "" || !Number.isFinite(Number(text)) ? undefined : Number(text);
}

function textOf(value: unknown): string {
  return typeof value === "number" ? String(value) : "";
}

export function ChoiceControl({ schema, value, isRequired, onChange }: ScalarProps) {
  const options = (schema.enum ?? []).map(String).map((option) => [option, option] as const);
  const hasNone = !isRequired && schema.default === undefined;
  const shown = value ?? schema.default;
  return (
    <Select
      options={hasNone ? [["", "not set"], ...options] : options}
      value={typeof shown === "string" ? shown : ""}
      onChange={(next) => onChange(next === "" ? undefined : next)}
    />
  );
}

/** Yes or no; also *not set* where the schema has no default, which may be yes. */
export function YesNoControl({ schema, value, isRequired, onChange }: ScalarProps) {
  const options = [
    ["true", "yes"],
    ["false", "no"],
  ] as const;
  const hasNone = !isRequired && schema.default === undefined;
  const shown = value ?? schema.default;
  return (
    <Select
      options={hasNone ? [["", "not set"], ...options] : options}
      value={typeof shown === "boolean" ? String(shown) : ""}
      onChange={(next) => onChange(next === "" ? undefined : next === "true")}
    />
  );
}

interface SelectProps {
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly value: string;
  readonly onChange: (next: string) => void;
}

export function Select({ options, value, onChange }: SelectProps) {
  const { isReadOnly } = useSchemaForm();
  return (
    <Field.Control
      render={
        <select className="input">
          {!options.some(([option]) => option === value) && <option value={value}>{value}</option>}
          {options.map(([option, label]) => (
            <option key={option} value={option}>
              {label}
            </option>
          ))}
        </select>
      }
      disabled={isReadOnly}
      value={value}
      onValueChange={onChange}
    />
  );
}
