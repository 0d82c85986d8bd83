import { Field } from "@base-ui/react/field";

import { FormField } from "../../../components/forms/form-field.tsx";

interface StructuredFieldProps {
  readonly value: string;
  readonly problem: string | null;
  readonly onChange: (value: string) => void;
}

/** The JSON Schema that the answers have to fit. */
export function StructuredField({ value, problem, onChange }: StructuredFieldProps) {
  return (
    <FormField
      label="JSON Schema of the answer"
      hint="Replies from here on fit it, beside the agent's own words."
      error={problem}
    >
      <Field.Control
        className="input input-code"
        render={<textarea rows={8} spellCheck={false} />}
        value={value}
        onValueChange={onChange}
      />
    </FormField>
  );
}
