import { ChoiceField } from "./fields.tsx";

interface OverlapFieldProps {
  /** Name of the old secret, such as "The old key". */
  readonly what: string;
  /** Milliseconds, as text. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Milliseconds of a day, which is the platform's own choice. */
export const DEFAULT_OVERLAP = "86400000";

/** Choice of the time for which a replaced secret is still accepted. */
export function OverlapField({ what, value, onChange }: OverlapFieldProps) {
  return (
    <ChoiceField
      label={`${what} works on for`}
      hint="At most two secrets are valid: rotating again ends the one before."
      value={value}
      options={[
        ["0", "no time: it ends at once"],
        ["3600000", "an hour"],
        [DEFAULT_OVERLAP, "a day"],
        ["604800000", "a week"],
      ]}
      onChange={onChange}
    />
  );
}
