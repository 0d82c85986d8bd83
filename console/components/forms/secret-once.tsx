import { KeyRound } from "lucide-react";
import type { ReactNode } from "react";

import { CopyButton } from "../copy-button.tsx";
import { DialogEnd } from "./dialog-end.tsx";

interface SecretOnceProps {
  /** Name of the secret, such as "API key". */
  readonly what: string;
  readonly secret: string;
  /** Advice about the secret, and the time for which an older one works. */
  readonly children?: ReactNode;
  readonly onClose: () => void;
}

/** A secret that the platform shows this once: it keeps a hash, and cannot show it again. */
export function SecretOnce({ what, secret, children, onClose }: SecretOnceProps) {
  return (
    <div className="form-stack">
      <p role="status" className="notice" data-tone="waiting">
        <KeyRound size={16} aria-hidden />
        Copy the {what} now. It is not shown again.
      </p>
      <div className="secret">
        <code>{secret}</code>
        <CopyButton text={secret} what={what} />
      </div>
      {children}
      <DialogEnd onClose={onClose}>I have stored it</DialogEnd>
    </div>
  );
}
