import { Field } from "@base-ui/react/field";

import { labelOf } from "./field-labels.ts";
import { useSchemaForm } from "./form-context.ts";
import {
  initialValue,
  isJsonObject,
  variantsOf,
  type JsonObject,
  type JsonSchema,
} from "./json-schema.ts";
import { ObjectFields } from "./object-fields.tsx";
import { pointerOf, type Path } from "./pointers.ts";
import { Select } from "./scalar-fields.tsx";

interface ChoiceFieldProps {
  readonly schema: JsonSchema;
  readonly path: Path;
  readonly value: JsonObject;
  readonly onChange: (next: unknown) => void;
}

/** One of several kinds of object, such as the kinds of tools: which one, and its members. */
export function ChoiceField({ schema, path, value, onChange }: ChoiceFieldProps) {
  const { definitions, errors, extras } = useSchemaForm();
  const choice = variantsOf(schema, definitions);
  if (!choice) return null;
  const { name, variants } = choice;
  const told = value[name];
  const kind = typeof told === "string" ? told : "";
  const variant = variants.get(kind);
  const pointer = pointerOf([...path, name]);
  const error = errors.get(pointer) ?? null;
  const Extra = extras?.[kind];
  return (
    <>
      <Field.Root className="field schema-field" invalid={error !== null} data-pointer={pointer}>
        <Field.Label className="field-label">{labelOf(name)}</Field.Label>
        <Select
          options={[...variants.keys()].map((key) => [key, key] as const)}
          value={kind}
          onChange={(next) => {
            const to = variants.get(next);
            if (to) onChange(turnInto(to, value, initialValue(to, definitions)));
          }}
        />
        {error !== null && (
          <Field.Error match className="field-error">
            {error}
          </Field.Error>
        )}
      </Field.Root>
      {variant && <ObjectFields {...{ schema: variant, path, value, onChange }} />}
      {Extra && <Extra entry={value} onChange={onChange} />}
    </>
  );
}

/** The members that both kinds have are kept; the rest is as it is when one of the new kind is added. */
function turnInto(to: JsonSchema, value: JsonObject, initial: unknown): JsonObject {
  const kept = Object.entries(value).filter(([name]) => {
    const member = to.properties?.[name];
    return member !== undefined && member.const === undefined;
  });
  return { ...(isJsonObject(initial) ? initial : {}), ...Object.fromEntries(kept) };
}
