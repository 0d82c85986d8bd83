import { useCallback, useEffect, useMemo, useRef, useState } from "react";

import { FormField } from "../forms/form-field.tsx";
import { labelOf } from "./field-labels.ts";
import { isJsonObject, type JsonObject, type JsonSchema } from "./json-schema.ts";
import { JsonText } from "./json-text.tsx";
import { ObjectFields } from "./object-fields.tsx";
import { readSchema } from "./read-schema.ts";
import { SchemaFormScope } from "./schema-form-scope.tsx";

interface InputEditorProps {
  /** The tool's `input_schema`; anything that is none for a tool whose schema is not known. */
  readonly schema: unknown;
  readonly value: JsonObject;
  /** Null while a text of the form is not JSON. */
  readonly onChange: (value: JsonObject | null) => void;
  /** JSON pointers to what a person may change; everything when left out. */
  readonly editable?: readonly string[] | undefined;
  readonly isDisabled?: boolean;
}

/** Arguments of a tool, as a form that its schema makes, or as JSON. */
export function InputEditor(props: InputEditorProps) {
  const { schema, value, onChange, editable, isDisabled = false } = props;
  const form = useMemo(() => readSchema(schema), [schema]);
  const names = Object.keys(form.properties ?? {});
  const [chosen, setChosen] = useState<"Form" | "JSON" | null>(null);
  // Also while the schema is not there yet; a person who has begun with the text stays there.
  const isText = names.length === 0 || chosen === "JSON";
  const [broken, setBroken] = useState<ReadonlySet<string>>(new Set());
  const [last, setLast] = useState(value);

  function change(next: unknown): void {
    if (!isJsonObject(next)) return;
    if (isText) setChosen("JSON");
    setLast(next);
    onChange(next);
  }
  const onBroken = useCallback((pointer: string, message: string | null) => {
    setBroken((before) => {
      const next = new Set(before);
      if (message === null) next.delete(pointer);
      else next.add(pointer);
      return next;
    });
  }, []);
  const isBroken = broken.size > 0;
  const told = useRef({ last, onChange });
  useEffect(() => {
    told.current = { last, onChange };
  });
  useEffect(() => {
    const { last: value, onChange: tell } = told.current;
    tell(isBroken ? null : value);
  }, [isBroken]);
  const others = Object.keys(last).filter((name) => !names.includes(name));
  const isOpen = (name: string) => mayChange(editable, name);

  return (
    <SchemaFormScope
      definitions={NO_DEFINITIONS}
      errors={NO_ERRORS}
      isReadOnly={isDisabled}
      suggestions={NO_SUGGESTIONS}
      onBroken={onBroken}
    >
      <div className="input-editor">
        {names.length > 0 && (
          <div className="input-editor-switch" role="group" aria-label="How to edit">
            {(["Form", "JSON"] as const).map((label) => (
              <button
                key={label}
                type="button"
                className="button button-small"
                aria-pressed={isText === (label === "JSON")}
                // A text that is not JSON has no value that the form could show.
                disabled={isBroken}
                onClick={() => setChosen(label)}
              >
                {label}
              </button>
            ))}
          </div>
        )}
        {isText ? (
          <FormField label="Arguments" {...(editable && { hint: wordsOf(editable) })}>
            <JsonText
              pointer="#"
              value={last}
              isOptional={false}
              rows={Math.min(16, JSON.stringify(last, null, 2).split("\n").length + 1)}
              findProblem={(next) =>
                isJsonObject(next) ? null : "This has to be a JSON object, in braces."
              }
              onChange={change}
            />
          </FormField>
        ) : (
          <>
            <Fields form={form} names={names.filter(isOpen)} value={last} onChange={change} />
            <Fixed
              names={names.filter((name) => !isOpen(name) && Object.hasOwn(last, name))}
              form={form}
              value={last}
            />
            {others.length > 0 && (
              <p className="quiet">Not in the tool&apos;s schema, see JSON: {others.join(", ")}</p>
            )}
          </>
        )}
      </div>
    </SchemaFormScope>
  );
}

const NO_DEFINITIONS = {};
const NO_ERRORS: ReadonlyMap<string, string> = new Map();
const NO_SUGGESTIONS = {};

interface FieldsProps {
  readonly form: JsonSchema;
  readonly names: readonly string[];
  readonly value: JsonObject;
  readonly onChange: (next: unknown) => void;
}

function Fields({ form, names, value, onChange }: FieldsProps) {
  return <ObjectFields schema={form} path={[]} value={value} names={names} onChange={onChange} />;
}

/** Arguments that a person may not change, as they are. */
function Fixed({ names, form, value }: Omit<FieldsProps, "onChange">) {
  if (names.length === 0) return null;
  return (
    <dl className="input-fixed">
      {names.map((name) => (
        <div key={name}>
          <dt>
            {form.properties?.[name]?.title ?? labelOf(name)}{" "}
            <span className="quiet">(cannot be changed)</span>
          </dt>
          <dd className="plain-text">{shownValue(value[name])}</dd>
        </div>
      ))}
    </dl>
  );
}

function shownValue(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

/** Whether a member, or something within it, is editable. */
function mayChange(editable: readonly string[] | undefined, name: string): boolean {
  if (!editable) return true;
  const place = `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
  return editable.some(
    (pointer) => pointer === "" || pointer === place || pointer.startsWith(`${place}/`),
  );
}

function wordsOf(editable: readonly string[]): string {
  return `The tool lets a person change ${editable.join(", ")}.`;
}
