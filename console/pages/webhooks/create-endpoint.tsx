import { useState } from "react";

import type { CreatedWebhookEndpoint } from "../../../sdk/index.ts";
import { useReprise } from "../../access/access-context.ts";
import { DialogForm } from "../../components/forms/form-dialog.tsx";
import { SecretOnce } from "../../components/forms/secret-once.tsx";
import { WarningList } from "../../components/warning-list.tsx";
import { EndpointFields, NEW_ENDPOINT, toEndpointBody } from "./endpoint-fields.tsx";

interface CreateEndpointProps {
  readonly onCreated: () => void;
  readonly onCancel: () => void;
  /** Its secret was shown. */
  readonly onStored: (endpoint: CreatedWebhookEndpoint) => void;
}

/** A new endpoint, whose secret is shown once. */
export function CreateEndpoint({ onCreated, onCancel, onStored }: CreateEndpointProps) {
  const reprise = useReprise();
  const [draft, setDraft] = useState(NEW_ENDPOINT);
  const [created, setCreated] = useState<CreatedWebhookEndpoint | null>(null);
  if (created) {
    return (
      <SecretOnce
        what="signing secret"
        secret={created.secret}
        onClose={() => {
          onCancel();
          onStored(created);
        }}
      >
        <p className="quiet">Your receiver verifies messages with it.</p>
        <WarningList warnings={created.warnings} />
      </SecretOnce>
    );
  }
  return (
    <DialogForm
      action="Add"
      onCancel={onCancel}
      onSubmit={async () => {
        const description = draft.description.trim();
        const endpoint = await reprise.webhookEndpoints.create({
          ...toEndpointBody(draft),
          ...(description !== "" && { description }),
        });
        setCreated(endpoint);
        onCreated();
      }}
    >
      <EndpointFields draft={draft} onChange={setDraft} />
    </DialogForm>
  );
}
