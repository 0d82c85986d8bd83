import { useState } from "react";

import type { ApiKey, CreatedApiKey } from "../../../sdk/index.ts";
import { useReprise } from "../../access/access-context.ts";
import { DialogForm } from "../../components/forms/form-dialog.tsx";
import { DEFAULT_OVERLAP, OverlapField } from "../../components/forms/overlap-field.tsx";
import { SecretOnce } from "../../components/forms/secret-once.tsx";
import { TimeStamp } from "../../components/time-stamp.tsx";

interface RotateKeyProps {
  readonly apiKey: ApiKey;
  readonly onRotated: () => void;
  readonly onClose: () => void;
}

/** A new secret for the same key: its id, scopes and expiry stay. */
export function RotateKey({ apiKey, onRotated, onClose }: RotateKeyProps) {
  const reprise = useReprise();
  const [overlap, setOverlap] = useState(DEFAULT_OVERLAP);
  const [rotated, setRotated] = useState<CreatedApiKey | null>(null);
  if (rotated) {
    const until = rotated.old_secret_expires_at;
    return (
      <SecretOnce what="API key" secret={rotated.api_key} onClose={onClose}>
        <p className="quiet">
          {until !== null && Date.parse(until) > Date.now() ? (
            <>
              The old one works until <TimeStamp at={until} />.
            </>
          ) : (
            "The old one is not accepted any more."
          )}
        </p>
      </SecretOnce>
    );
  }
  return (
    <DialogForm
      action="Rotate"
      onCancel={onClose}
      onSubmit={async () => {
        setRotated(await reprise.apiKeys.rotate(apiKey.id, { overlap_ms: Number(overlap) }));
        onRotated();
      }}
    >
      <p>The key gets a new secret. Its id, its scopes and its expiry stay.</p>
      <OverlapField what="The old key" value={overlap} onChange={setOverlap} />
    </DialogForm>
  );
}
