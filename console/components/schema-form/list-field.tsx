import { ArrowUp, ChevronDown, ChevronRight, Plus, Trash2 } from "lucide-react";
import { useState } from "react";

import { IconButton } from "../forms/icon-button.tsx";
import { ChoiceField } from "./choice-field.tsx";
import { FieldDocs } from "./field-words.tsx";
import { useSchemaForm, type SchemaFieldProps } from "./form-context.ts";
import {
  initialValue,
  isJsonObject,
  resolveSchema,
  variantsOf,
  type JsonSchema,
} from "./json-schema.ts";
import { ObjectFields } from "./object-fields.tsx";
import { pointerOf, setAt } from "./pointers.ts";

interface ListFieldProps extends SchemaFieldProps {
  readonly items: JsonSchema;
}

/** Entries that are open at first: a long list is one of closed cards, whose fields are not drawn. */
const OPEN_ENTRIES = 1;

/** A list: entries are added, moved up and taken away. */
export function ListField({ schema, items, path, label, value, onChange }: ListFieldProps) {
  const { Member, definitions, errors, isReadOnly } = useSchemaForm();
  const entries: readonly unknown[] = Array.isArray(value) ? value : [];
  const [open, setOpen] = useState<ReadonlySet<number>>(
    () => new Set(entries.length <= OPEN_ENTRIES ? entries.keys() : []),
  );
  const item = resolveSchema(items, definitions);
  const isCards = item.type === "object" || item.oneOf !== undefined;
  const pointer = pointerOf(path);
  const error = errors.get(pointer) ?? null;
  const toggle = (index: number) =>
    setOpen(
      open.has(index)
        ? new Set([...open].filter((one) => one !== index))
        : new Set([...open, index]),
    );
  return (
    <fieldset className="schema-group" data-pointer={pointer}>
      <legend className="schema-legend">
        {label} <span className="quiet">{entries.length}</span>
      </legend>
      <p className="field-hint">
        <FieldDocs schema={schema} />
      </p>
      {error !== null && <p className="field-error">{error}</p>}
      <ol className="schema-list" aria-label={label}>
        {entries.map((entry, index) => {
          const place = [...path, index];
          const isOpen = open.has(index) || hasErrorIn(errors, pointerOf(place));
          const change = (next: unknown) => onChange(setAt(entries, [index], next));
          const title = titleOf(entry, index);
          return (
            // An entry has no id, and may have no name yet.
            <li key={index} className="schema-entry">
              <div className="schema-entry-head">
                {isCards ? (
                  <button
                    type="button"
                    className="schema-entry-title"
                    aria-expanded={isOpen}
                    onClick={() => toggle(index)}
                  >
                    {isOpen ? (
                      <ChevronDown size={16} aria-hidden />
                    ) : (
                      <ChevronRight size={16} aria-hidden />
                    )}
                    <span className="code">{title}</span>
                    <span className="quiet">{kindOf(entry)}</span>
                  </button>
                ) : (
                  <Member
                    schema={item}
                    path={place}
                    label={`${label} ${index + 1}`}
                    value={entry}
                    isRequired
                    onChange={change}
                  />
                )}
                {!isReadOnly && index > 0 && (
                  <IconButton
                    label={`Move ${title} up`}
                    onPress={() =>
                      onChange(entries.with(index - 1, entry).with(index, entries[index - 1]))
                    }
                  >
                    <ArrowUp size={16} aria-hidden />
                  </IconButton>
                )}
                {!isReadOnly && (
                  <IconButton
                    label={`Take ${title} away`}
                    onPress={() => {
                      setOpen(withoutEntry(open, index));
                      change(undefined);
                    }}
                  >
                    <Trash2 size={16} aria-hidden />
                  </IconButton>
                )}
              </div>
              {isCards && isOpen && isJsonObject(entry) && (
                <div className="schema-entry-body">
                  {errors.has(pointerOf(place)) && (
                    <p className="field-error">{errors.get(pointerOf(place))}</p>
                  )}
                  {variantsOf(item, definitions) ? (
                    <ChoiceField schema={item} path={place} value={entry} onChange={change} />
                  ) : (
                    <ObjectFields schema={item} path={place} value={entry} onChange={change} />
                  )}
                </div>
              )}
            </li>
          );
        })}
      </ol>
      {!isReadOnly && entries.length < (schema.maxItems ?? Infinity) && (
        <button
          type="button"
          className="button button-quiet"
          onClick={() => {
            setOpen(new Set([...open, entries.length]));
            onChange([...entries, initialValue(item, definitions)]);
          }}
        >
          <Plus size={14} aria-hidden />
          Add to {label.toLowerCase()}
        </button>
      )}
    </fieldset>
  );
}

/** The open entries when one is taken out: those behind it move up. */
function withoutEntry(open: ReadonlySet<number>, gone: number): ReadonlySet<number> {
  const kept = [...open].filter((index) => index !== gone);
  return new Set(kept.map((index) => (index > gone ? index - 1 : index)));
}

/** A closed card would hide what is wrong in it. */
function hasErrorIn(errors: ReadonlyMap<string, string>, pointer: string): boolean {
  return [...errors.keys()].some((one) => one === pointer || one.startsWith(`${pointer}/`));
}

function titleOf(entry: unknown, index: number): string {
  const name = isJsonObject(entry)
    ? (entry["name"] ?? entry["tool_name"] ?? entry["server_id"])
    : entry;
  return typeof name === "string" && name !== "" ? name : `number ${index + 1}`;
}

function kindOf(entry: unknown): string {
  const kind = isJsonObject(entry) ? (entry["type"] ?? entry["provider"] ?? entry["behavior"]) : "";
  return typeof kind === "string" ? kind : "";
}
