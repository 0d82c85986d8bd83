import { useState } from "react";

import type { ApiKey } from "../../../sdk/index.ts";
import { useReprise } from "../../access/access-context.ts";
import { ChoiceField } from "../../components/forms/fields.tsx";
import { DialogForm } from "../../components/forms/form-dialog.tsx";

interface RevokeKeyProps {
  readonly apiKey: ApiKey;
  /** Keys of the list so far, to name those that are revoked along with this one. */
  readonly keys: readonly ApiKey[];
  readonly onRevoked: () => void;
  readonly onClose: () => void;
}

/** Ends a key, alone or with everything that was made with it. */
export function RevokeKey({ apiKey, keys, onRevoked, onClose }: RevokeKeyProps) {
  const reprise = useReprise();
  const [extent, setExtent] = useState("alone");
  const [revoked, setRevoked] = useState<readonly string[] | null>(null);
  const made = keys.filter(
    ({ id, revoked_at }) => revoked_at === null && isMadeWith(id, apiKey.id, keys),
  );

  if (revoked) {
    return (
      <div className="form-stack">
        <p role="status">
          {revoked.length === 1 ? "One key is revoked." : `${revoked.length} keys are revoked.`}
        </p>
        <ul className="outcome-list">
          {revoked.map((id) => (
            <li key={id}>
              <code>{id}</code>
              <span className="quiet">{keys.find((key) => key.id === id)?.name}</span>
            </li>
          ))}
        </ul>
        <div className="dialog-actions">
          <button
            type="button"
            className="button button-primary"
            onClick={() => {
              // Not before: the row of a revoked key has no actions, and this dialog is one.
              onClose();
              onRevoked();
            }}
          >
            Close
          </button>
        </div>
      </div>
    );
  }
  return (
    <DialogForm
      action="Revoke"
      isDangerous
      onCancel={onClose}
      onSubmit={async () => {
        if (extent === "alone") {
          await reprise.apiKeys.revoke(apiKey.id);
          onRevoked();
          onClose();
          return;
        }
        const reason = extent === "leaked" ? ({ reason: "leaked" } as const) : {};
        const { revoked_key_ids } = await reprise.apiKeys.revokeCascading(apiKey.id, reason);
        setRevoked(revoked_key_ids);
      }}
    >
      <p>
        Requests with it are refused from now on, and streams that it has opened end. This cannot be
        undone. Consoles that were opened with it are signed out.
      </p>
      <ChoiceField
        label="What is revoked"
        value={extent}
        options={[
          ["alone", "This key alone"],
          ["cascade", "This key, keys made with it, and their client tokens"],
          ["leaked", "The same, since it has leaked"],
        ]}
        onChange={setExtent}
      />
      {extent !== "alone" && (
        <p className="notice" data-tone="bad">
          {made.length === 0
            ? "No other key of this list was made with it."
            : `Also: ${made.map((key) => key.name ?? key.prefix).join(", ")}`}
        </p>
      )}
    </DialogForm>
  );
}

/** Whether a key was made with another, directly or by keys in between. */
function isMadeWith(id: string, origin: string, keys: readonly ApiKey[]): boolean {
  const makers = new Map(keys.map((key) => [key.id, key.created_by]));
  for (let maker = makers.get(id); maker != null; maker = makers.get(maker)) {
    if (maker === origin) return true;
  }
  return false;
}
