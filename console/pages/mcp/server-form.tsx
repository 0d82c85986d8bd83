import { useCallback, useRef, useState } from "react";

import type { McpServer } from "../../../sdk/index.ts";
import { useReprise } from "../../access/access-context.ts";
import { CredentialField } from "../../components/forms/credential-field.tsx";
import { CheckFields, TextField } from "../../components/forms/fields.tsx";
import { DialogForm } from "../../components/forms/form-dialog.tsx";
import { errorsOf } from "../../components/schema-form/errors-of.ts";
import { OAuthFields } from "./oauth-fields.tsx";
import { draftOf, NEW_SERVER, serverBody, serverChange } from "./server-draft.ts";

interface ServerFormProps {
  /** Null for a new one. */
  readonly server: McpServer | null;
  readonly onSaved: (server: McpServer) => void;
  readonly onCancel: () => void;
}

const KEPT = "It keeps state: one of its sessions for each session here, over all replies";

/** The settings of a server, new or to be changed. Nothing is sent to it yet. */
export function ServerForm({ server, onSaved, onCancel }: ServerFormProps) {
  const reprise = useReprise();
  const [draft, setDraft] = useState(() => (server ? draftOf(server) : NEW_SERVER));
  const change = (more: Partial<typeof draft>) => setDraft({ ...draft, ...more });
  const [errors, setErrors] = useState<ReadonlyMap<string, string>>(new Map());
  const broken = useRef(new Map<string, string>());
  const onBroken = useCallback((pointer: string, message: string | null) => {
    if (message === null) broken.current.delete(pointer);
    else broken.current.set(pointer, message);
  }, []);

  async function save(): Promise<void> {
    if (broken.current.size > 0) throw new Error("A text of the OAuth settings is not JSON.");
    setErrors(new Map());
    try {
      onSaved(
        server
          ? await reprise.mcpServers.update(server.id, serverChange(draft))
          : await reprise.mcpServers.create(serverBody(draft)),
      );
    } catch (error) {
      setErrors(errorsOf(error));
      throw error;
    }
  }

  return (
    <DialogForm action={server ? "Save" : "Add"} onCancel={onCancel} onSubmit={save}>
      <TextField
        label="Name"
        hint="Letters and digits, with single _ and - between them: models know its tools as mcp__name__tool."
        isRequired
        isCode
        value={draft.name}
        onChange={(name) => change({ name })}
      />
      <TextField
        label="URL"
        hint="Its streamable HTTP endpoint. Servers over stdio need a bridge in front of them."
        type="url"
        isRequired
        isCode
        value={draft.url}
        onChange={(url) => change({ url })}
      />
      <CredentialField
        label="Credential"
        hint="Sent as Authorization: Bearer, to the hosts that it is bound to."
        none="none"
        value={draft.credential_id}
        onChange={(credential_id) => change({ credential_id })}
      />
      <OAuthFields
        value={draft.oauth}
        errors={errors}
        onChange={(oauth) => change({ oauth })}
        onBroken={onBroken}
      />
      <TextField
        label="Secret headers"
        hint="One a line, as Name: credential id."
        lines={2}
        isCode
        value={draft.secret_headers}
        onChange={(secret_headers) => change({ secret_headers })}
      />
      <TextField
        label="Other headers"
        hint="One a line, as Name: value. No secrets: everybody who may read agents sees them."
        lines={2}
        isCode
        value={draft.headers}
        onChange={(headers) => change({ headers })}
      />
      <CheckFields
        label="Sessions"
        options={[KEPT]}
        chosen={draft.stateful ? [KEPT] : []}
        onChange={(chosen) => change({ stateful: chosen.length > 0 })}
      />
      <div className="field-row">
        <TextField
          label="Timeout in ms"
          hint="Without an answer or progress."
          isRequired
          value={draft.timeout_ms}
          onChange={(timeout_ms) => change({ timeout_ms })}
        />
        <TextField
          label="Bytes of an answer"
          isRequired
          value={draft.max_bytes}
          onChange={(max_bytes) => change({ max_bytes })}
        />
      </div>
    </DialogForm>
  );
}
