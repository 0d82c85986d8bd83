import { Field } from "@base-ui/react/field";
import { X } from "lucide-react";
import { memo, useState } from "react";

import { FormField } from "./forms/form-field.tsx";
import type { Filters } from "./use-filters.ts";

/** One filter, by the name that the address and the API have for it. */
export type FilterField =
  | { readonly name: string; readonly label: string; readonly kind: "text" | "date" }
  | {
      readonly name: string;
      readonly label: string;
      readonly kind: "choice";
      readonly options: readonly (readonly [value: string, label: string])[];
      /** The words for no choice; "All" when left out. */
      readonly all?: string;
    };

interface FilterBarProps {
  readonly fields: readonly FilterField[];
  readonly filters: Filters;
}

/** The filters of a list. They are in the address, so that a filtered list can be passed on and survives a reload. */
export const FilterBar = memo(function FilterBar({ fields, filters }: FilterBarProps) {
  const isFiltered = fields.some(({ name }) => filters.values[name] !== undefined);
  return (
    <form
      role="search"
      aria-label="Filters"
      className="filter-bar"
      onSubmit={(event) => event.preventDefault()}
    >
      {fields.map((field) => (
        <FormField key={field.name} label={field.label}>
          <Control field={field} filters={filters} />
        </FormField>
      ))}
      {isFiltered && (
        <button type="button" className="button" onClick={filters.clear}>
          <X size={16} aria-hidden />
          Clear
        </button>
      )}
    </form>
  );
});

function Control({ field, filters }: { readonly field: FilterField; readonly filters: Filters }) {
  const value = filters.values[field.name] ?? "";
  const set = (text: string) => filters.set(field.name, text);
  if (field.kind === "choice") {
    return (
      <Field.Control
        render={
          <select className="input">
            <option value="">{field.all ?? "All"}</option>
            {field.options.map(([option, label]) => (
              <option key={option} value={option}>
                {label}
              </option>
            ))}
          </select>
        }
        value={value}
        onValueChange={set}
      />
    );
  }
  if (field.kind === "date") {
    return <Field.Control type="date" className="input" value={value} onValueChange={set} />;
  }
  // A new one when the filter is changed from outside.
  return <TextControl key={value} value={value} onCommit={set} />;
}

/** Text takes effect with Enter, or when the field is left: each value is a request. */
function TextControl({
  value,
  onCommit,
}: {
  readonly value: string;
  readonly onCommit: (text: string) => void;
}) {
  const [text, setText] = useState(value);
  const commit = () => {
    if (text.trim() !== value) onCommit(text.trim());
  };
  return (
    <Field.Control
      type="text"
      className="input"
      spellCheck={false}
      autoComplete="off"
      value={text}
      onValueChange={setText}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === "Enter") commit();
      }}
    />
  );
}
