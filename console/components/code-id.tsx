import { CopyButton } from "./copy-button.tsx";

/** An id, whole, with a button that copies it. */
export function CodeId({ id, what }: { readonly id: string; readonly what: string }) {
  return (
    <span className="code-id">
      <code>{id}</code>
      <CopyButton text={id} what={what} />
    </span>
  );
}
