import { Field } from "@base-ui/react/field";
import { useId, useState } from "react";

import type { Tenant } from "../../../sdk/index.ts";

interface TenantFieldProps {
  readonly value: string;
  /** Suggestions: the newest ones. */
  readonly tenants: readonly Tenant[];
  readonly onCommit: (id: string) => void;
}

/** A tenant's id, with the newest tenants as suggestions. Takes effect with Enter, or when the field is left. */
export function TenantField({ value, tenants, onCommit }: TenantFieldProps) {
  const [text, setText] = useState(value);
  const listId = useId();
  const commit = () => {
    if (text.trim() !== value) onCommit(text.trim());
  };
  return (
    <>
      <Field.Control
        type="text"
        className="input tenant-field"
        placeholder="the operator"
        list={listId}
        spellCheck={false}
        autoComplete="off"
        value={text}
        onValueChange={setText}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === "Enter") commit();
        }}
      />
      <datalist id={listId}>
        {tenants.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </datalist>
    </>
  );
}
