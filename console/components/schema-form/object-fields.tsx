import { labelOf } from "./field-labels.ts";
import { useSchemaForm } from "./form-context.ts";
import type { JsonObject, JsonSchema } from "./json-schema.ts";
import { setAt, type Path } from "./pointers.ts";

interface ObjectFieldsProps {
  readonly schema: JsonSchema;
  readonly path: Path;
  readonly value: JsonObject;
  /** Members to show, in this order; all of the schema when left out. */
  readonly names?: readonly string[];
  readonly onChange: (next: unknown) => void;
}

/** A field for each member. */
export function ObjectFields({ schema, path, value, names, onChange }: ObjectFieldsProps) {
  const { Member } = useSchemaForm();
  const { properties = {}, required = [] } = schema;
  return (
    <div className="schema-fields">
      {(names ?? Object.keys(properties)).map((name) => {
        const member = properties[name];
        if (!member) return null;
        return (
          <Member
            key={name}
            schema={member}
            path={[...path, name]}
            label={member.title ?? labelOf(name)}
            value={Object.hasOwn(value, name) ? value[name] : undefined}
            isRequired={required.includes(name)}
            onChange={(next) => onChange(setAt(value, [name], next))}
          />
        );
      })}
    </div>
  );
}
