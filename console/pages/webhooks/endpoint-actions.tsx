import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";

import type { CreatedWebhookEndpoint, Warning, WebhookEndpoint } from "../../../sdk/index.ts";
import { useReprise } from "../../access/access-context.ts";
import { DangerDialog } from "../../components/danger-dialog.tsx";
import { DialogEnd } from "../../components/forms/dialog-end.tsx";
import { CheckFields } from "../../components/forms/fields.tsx";
import { DialogForm, FormDialog } from "../../components/forms/form-dialog.tsx";
import { DEFAULT_OVERLAP, OverlapField } from "../../components/forms/overlap-field.tsx";
import { SecretOnce } from "../../components/forms/secret-once.tsx";
import { WarningList } from "../../components/warning-list.tsx";
import { EndpointFields, toEndpointBody } from "./endpoint-fields.tsx";

interface EndpointProps {
  readonly endpoint: WebhookEndpoint;
  readonly onChange: () => void;
}

/** Changing, rotating and deleting an endpoint. */
export function EndpointActions({ endpoint, onChange }: EndpointProps) {
  const reprise = useReprise();
  const navigate = useNavigate();
  return (
    <>
      <FormDialog
        title="Change the endpoint"
        trigger={
          <button type="button" className="button">
            Change
          </button>
        }
      >
        {(close) => <EditEndpoint endpoint={endpoint} onChange={onChange} onClose={close} />}
      </FormDialog>
      <FormDialog
        title="Rotate the signing secret"
        trigger={
          <button type="button" className="button">
            Rotate the secret
          </button>
        }
      >
        {(close) => <RotateSecret endpoint={endpoint} onChange={onChange} onClose={close} />}
      </FormDialog>
      <DangerDialog
        title="Delete this endpoint?"
        action="Delete"
        onConfirm={async () => {
          await reprise.webhookEndpoints.delete(endpoint.id);
          await navigate({ to: "/webhooks" });
          onChange();
        }}
      >
        <p>It gets no more messages, and its deliveries are not shown any more.</p>
      </DangerDialog>
    </>
  );
}

interface DialogProps extends EndpointProps {
  readonly onClose: () => void;
}

function EditEndpoint({ endpoint, onChange, onClose }: DialogProps) {
  const reprise = useReprise();
  const { url, description, events, callback_verbs } = endpoint;
  const [draft, setDraft] = useState({
    url,
    description: description ?? "",
    events: events as readonly string[],
    callback_verbs: callback_verbs as readonly string[],
  });
  const [isDisabled, setIsDisabled] = useState(endpoint.disabled);
  const [warnings, setWarnings] = useState<readonly Warning[]>([]);
  if (warnings.length > 0) {
    return (
      <div className="form-stack">
        <p>The change is saved.</p>
        <WarningList warnings={warnings} />
        <DialogEnd onClose={onClose} />
      </div>
    );
  }
  return (
    <DialogForm
      action="Save"
      onCancel={onClose}
      onSubmit={async () => {
        const { warnings: found = [] } = await reprise.webhookEndpoints.update(endpoint.id, {
          ...toEndpointBody(draft),
          description: draft.description.trim() === "" ? null : draft.description.trim(),
          ...(isDisabled !== endpoint.disabled && { disabled: isDisabled }),
        });
        onChange();
        setWarnings(found);
        if (found.length === 0) onClose();
      }}
    >
      <EndpointFields draft={draft} onChange={setDraft} />
      <CheckFields
        label="State"
        options={["Disabled: it gets nothing, also not later"]}
        chosen={isDisabled ? ["Disabled: it gets nothing, also not later"] : []}
        onChange={(chosen) => setIsDisabled(chosen.length > 0)}
      />
    </DialogForm>
  );
}

function RotateSecret({ endpoint, onChange, onClose }: DialogProps) {
  const reprise = useReprise();
  const [overlap, setOverlap] = useState(DEFAULT_OVERLAP);
  const [rotated, setRotated] = useState<CreatedWebhookEndpoint | null>(null);
  if (rotated) {
    return <SecretOnce what="signing secret" secret={rotated.secret} onClose={onClose} />;
  }
  return (
    <DialogForm
      action="Rotate"
      onCancel={onClose}
      onSubmit={async () => {
        const overlap_ms = Number(overlap);
        setRotated(await reprise.webhookEndpoints.rotateSecret(endpoint.id, { overlap_ms }));
        onChange();
      }}
    >
      <p>Messages get a second signature with the new secret, so that none is lost meanwhile.</p>
      <OverlapField what="The old secret" value={overlap} onChange={setOverlap} />
    </DialogForm>
  );
}
