// A field of any schema: a control, a group of fields, a list, a choice of variants, or JSON as text.
import { Field } from "@base-ui/react/field";
import { Plus, Trash2 } from "lucide-react";
import type { ReactNode } from "react";

import { ChoiceField } from "./choice-field.tsx";
import { inSentence } from "./field-labels.ts";
import { FieldDocs, hasDocs } from "./field-words.tsx";
import { useSchemaForm, type SchemaFieldProps } from "./form-context.ts";
import { JsonText } from "./json-text.tsx";
import {
  initialValue,
  isJsonObject,
  resolveSchema,
  variantsOf,
  withoutNull,
  type JsonSchema,
} from "./json-schema.ts";
import { ListField } from "./list-field.tsx";
import { ObjectFields } from "./object-fields.tsx";
import { pointerOf } from "./pointers.ts";
import { ChoiceControl, NumberControl, TextControl, YesNoControl } from "./scalar-fields.tsx";

const SCALARS: Readonly<Record<string, typeof TextControl>> = {
  string: TextControl,
  integer: NumberControl,
  number: NumberControl,
  boolean: YesNoControl,
};

export function SchemaField(props: SchemaFieldProps) {
  const { definitions } = useSchemaForm();
  const schema = withoutNull(resolveSchema(props.schema, definitions), definitions);
  const resolved = { ...props, schema };
  if (schema.const !== undefined) return null;
  const Control = schema.enum ? ChoiceControl : SCALARS[kindOf(schema)];
  if (Control) {
    const { path, value, isRequired, onChange } = resolved;
    const name = String(path.findLast((part) => typeof part === "string") ?? "");
    return (
      <Labelled {...resolved}>
        <Control {...{ schema, name, value, isRequired, onChange }} />
      </Labelled>
    );
  }
  if (schema.type === "array" && schema.items && isListOrNone(props.value)) {
    return <ListField {...resolved} items={schema.items} />;
  }
  const isGroup = variantsOf(schema, definitions) !== null || schema.properties !== undefined;
  if (isGroup && (isNone(props.value) || isJsonObject(props.value))) {
    return <GroupField {...resolved} />;
  }
  return (
    <Labelled {...resolved}>
      <JsonText
        pointer={pointerOf(props.path)}
        value={props.value}
        isOptional={!props.isRequired}
        rows={Math.min(
          16,
          Math.max(2, JSON.stringify(props.value, null, 2)?.split("\n").length ?? 2),
        )}
        onChange={props.onChange}
      />
    </Labelled>
  );
}

/** A text that may be null is a text; other choices without a discriminator are JSON. */
function kindOf({ type, anyOf }: JsonSchema): string {
  if (type !== undefined) return type;
  const kinds = anyOf?.flatMap((one) => (one.type === "null" ? [] : [one.type ?? ""])) ?? [];
  return kinds.length === 1 && kinds[0] === "string" ? "string" : "";
}

function isNone(value: unknown): boolean {
  return value === undefined || value === null;
}

function isListOrNone(value: unknown): boolean {
  return value === undefined || Array.isArray(value);
}

interface LabelledProps extends SchemaFieldProps {
  readonly children: ReactNode;
}

/** A control with its label, its documentation, and what is wrong with it. */
function Labelled({ schema, path, label, children }: LabelledProps) {
  const { errors } = useSchemaForm();
  const pointer = pointerOf(path);
  const error = errors.get(pointer) ?? null;
  return (
    <Field.Root className="field schema-field" invalid={error !== null} data-pointer={pointer}>
      <Field.Label className="field-label">{label}</Field.Label>
      {children}
      {error !== null && (
        <Field.Error match className="field-error">
          {error}
        </Field.Error>
      )}
      {hasDocs(schema) && (
        <Field.Description className="field-hint">
          <FieldDocs schema={schema} />
        </Field.Description>
      )}
    </Field.Root>
  );
}

/** An object's members behind a heading. One that is optional is added and taken away as a whole. */
function GroupField({ schema, path, label, value, isRequired, onChange }: SchemaFieldProps) {
  const { definitions, errors, isReadOnly } = useSchemaForm();
  const pointer = pointerOf(path);
  const error = errors.get(pointer) ?? null;
  const isThere = isJsonObject(value);
  const isChoice = variantsOf(schema, definitions) !== null;
  return (
    <fieldset className="schema-group" data-pointer={pointer}>
      <legend className="schema-legend">{label}</legend>
      <p className="field-hint">
        <FieldDocs schema={schema} />
      </p>
      {error !== null && <p className="field-error">{error}</p>}
      {isThere &&
        (isChoice ? (
          <ChoiceField {...{ schema, path, value, onChange }} />
        ) : (
          <ObjectFields {...{ schema, path, value, onChange }} />
        ))}
      {!isThere && !isReadOnly && (
        <button
          type="button"
          className="button button-quiet"
          onClick={() => onChange(initialValue(schema, definitions))}
        >
          <Plus size={14} aria-hidden />
          Set {inSentence(label)}
        </button>
      )}
      {!isThere && isReadOnly && <p className="quiet">not set</p>}
      {isThere && !isRequired && !isReadOnly && (
        <button type="button" className="button button-quiet" onClick={() => onChange(undefined)}>
          <Trash2 size={14} aria-hidden />
          Take {inSentence(label)} away
        </button>
      )}
    </fieldset>
  );
}
