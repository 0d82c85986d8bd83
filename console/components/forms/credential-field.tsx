import { useKnownCredentials } from "../../access/use-known-credentials.ts";
import { ChoiceField, TextField } from "./fields.tsx";

interface CredentialFieldProps {
  readonly label: string;
  readonly hint: string;
  /** The choice of no credential. */
  readonly none: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** The tenant's credentials for tools by their names, where the console may read them; else an id. */
export function CredentialField({ label, hint, none, value, onChange }: CredentialFieldProps) {
  const { credentials, isComing } = useKnownCredentials();
  // A field for an id that turned into a list would take away what was typed into it.
  if (!credentials && !isComing) return <TextField isCode {...{ label, hint, value, onChange }} />;
  const known = (credentials ?? [])
    .filter(({ type }) => type === "tool")
    .map(({ id, name }) => [id, `${name} (${id})`] as const);
  const isKnown = value === "" || known.some(([id]) => id === value);
  const options = [["", none] as const, ...known, ...(isKnown ? [] : [[value, value] as const])];
  return <ChoiceField {...{ label, hint, value, options, onChange }} />;
}
