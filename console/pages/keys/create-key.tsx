import { useState } from "react";

import type { CreatedApiKey, Scope } from "../../../sdk/index.ts";
import { useAccessState, useReprise } from "../../access/access-context.ts";
import { CheckFields, ChoiceField, TextField } from "../../components/forms/fields.tsx";
import { DialogForm } from "../../components/forms/form-dialog.tsx";
import { SecretOnce } from "../../components/forms/secret-once.tsx";

interface CreateKeyProps {
  readonly onCreated: () => void;
  readonly onClose: () => void;
}

/** A new key, with some of the scopes that the console itself has: more it could not give. */
export function CreateKey({ onCreated, onClose }: CreateKeyProps) {
  const reprise = useReprise();
  const access = useAccessState();
  const own = access.kind === "signed_in" ? (access.session.scopes ?? []) : [];
  const [name, setName] = useState("");
  const [mode, setMode] = useState("live");
  const [expiry, setExpiry] = useState("");
  const [scopes, setScopes] = useState<readonly string[]>(own);
  const [created, setCreated] = useState<CreatedApiKey | null>(null);

  if (created) {
    return (
      <SecretOnce what="API key" secret={created.api_key} onClose={onClose}>
        <p className="quiet">
          It has {created.scopes.length} scopes. Send it as <code>Authorization: Bearer …</code>,
          from a server, never from an app.
        </p>
      </SecretOnce>
    );
  }
  return (
    <DialogForm
      action="Create"
      onCancel={onClose}
      onSubmit={async () => {
        if (scopes.length === 0) throw new Error("Choose at least one scope.");
        const key = await reprise.apiKeys.create({
          mode: mode === "test" ? "test" : "live",
          scopes: scopes as Scope[],
          ...(name.trim() !== "" && { name: name.trim() }),
          ...(expiry !== "" && { expires_at: new Date(expiry).toISOString() }),
        });
        setCreated(key);
        onCreated();
      }}
    >
      <TextField
        label="Name"
        hint="Where it is used, such as “shop back end”."
        value={name}
        onChange={setName}
      />
      <div className="form-row">
        <ChoiceField
          label="Prefix"
          value={mode}
          options={[
            ["live", "rk_live_"],
            ["test", "rk_test_"],
          ]}
          onChange={setMode}
        />
        <TextField
          label="Expires"
          hint="Never, when left empty."
          type="datetime-local"
          value={expiry}
          onChange={setExpiry}
        />
      </div>
      <CheckFields label="Scopes" options={own} chosen={scopes} onChange={setScopes} />
      <div className="button-row">
        <button type="button" className="button button-small" onClick={() => setScopes(own)}>
          All
        </button>
        <button
          type="button"
          className="button button-small"
          onClick={() => setScopes(own.filter((scope) => scope.endsWith(":read")))}
        >
          Reading alone
        </button>
        <button type="button" className="button button-small" onClick={() => setScopes([])}>
          None
        </button>
      </div>
    </DialogForm>
  );
}
