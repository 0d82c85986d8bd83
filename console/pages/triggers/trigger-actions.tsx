import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Pause, Play, Trash2, Zap } from "lucide-react";
import { useState } from "react";

import type { CreatedTrigger, Trigger } from "../../../sdk/index.ts";
import { useReprise } from "../../access/access-context.ts";
import { DangerDialog } from "../../components/danger-dialog.tsx";
import { DialogForm, FormDialog } from "../../components/forms/form-dialog.tsx";
import { DEFAULT_OVERLAP, OverlapField } from "../../components/forms/overlap-field.tsx";
import { ShowSecret } from "./new-trigger.tsx";

interface TriggerProps {
  readonly trigger: Trigger;
  readonly onChange: () => void;
}

/** Running, pausing, rotating and deleting a trigger. */
export function TriggerActions({ trigger, onChange }: TriggerProps) {
  const reprise = useReprise();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { id, status, webhook } = trigger;
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (act: "run" | "pause" | "unpause") => {
      if (act === "run") await reprise.triggers.runs(id).create();
      else await reprise.triggers[act](id);
    },
    onSettled: onChange,
  });
  return (
    <>
      {error && (
        <p role="alert" className="field-error">
          {error.message}
        </p>
      )}
      <button type="button" className="button" disabled={isPending} onClick={() => mutate("run")}>
        <Zap size={16} aria-hidden />
        Run now
      </button>
      {status === "active" && (
        <button
          type="button"
          className="button"
          disabled={isPending}
          onClick={() => mutate("pause")}
        >
          <Pause size={16} aria-hidden />
          Pause
        </button>
      )}
      {status === "paused" && (
        <button
          type="button"
          className="button button-primary"
          disabled={isPending}
          onClick={() => mutate("unpause")}
        >
          <Play size={16} aria-hidden />
          Go on
        </button>
      )}
      {webhook && (
        <FormDialog
          title="Rotate the secret"
          trigger={
            <button type="button" className="button">
              Rotate the secret
            </button>
          }
        >
          {(close) => <RotateSecret trigger={trigger} onChange={onChange} onClose={close} />}
        </FormDialog>
      )}
      <DangerDialog
        button={{ text: "Delete", icon: Trash2 }}
        title="Delete this trigger?"
        action="Delete"
        onConfirm={async () => {
          await reprise.triggers.delete(id);
          queries.removeQueries({ queryKey: ["triggers"] });
          await navigate({ to: "/triggers" });
          queries.removeQueries({ queryKey: ["trigger", id] });
          queries.removeQueries({ queryKey: ["trigger runs", id] });
        }}
      >
        <p>It does not run any more, and its runs are not shown. Their sessions stay.</p>
      </DangerDialog>
    </>
  );
}

interface DialogProps extends TriggerProps {
  readonly onClose: () => void;
}

function RotateSecret({ trigger: { id }, onChange, onClose }: DialogProps) {
  const reprise = useReprise();
  const [overlap, setOverlap] = useState(DEFAULT_OVERLAP);
  const [rotated, setRotated] = useState<CreatedTrigger | null>(null);
  if (rotated) return <ShowSecret trigger={rotated} onClose={onClose} />;
  return (
    <DialogForm
      action="Rotate"
      onCancel={onClose}
      onSubmit={async () => {
        setRotated(await reprise.triggers.rotateSecret(id, { overlap_ms: Number(overlap) }));
        onChange();
      }}
    >
      <p>Webhooks that are signed with either of the two are taken meanwhile.</p>
      <OverlapField what="The old secret" value={overlap} onChange={setOverlap} />
    </DialogForm>
  );
}
