import { CirclePlay, OctagonX } from "lucide-react";

import type { Tenant } from "../../../sdk/index.ts";
import { useReprise } from "../../access/access-context.ts";
import { DangerDialog } from "../../components/danger-dialog.tsx";

interface StopButtonProps {
  readonly tenant: Tenant;
  readonly onChanged: () => Promise<void>;
}

/** Stops all activity of a tenant, or resumes it; the question names the tenant. */
export function StopButton({ tenant, onChanged }: StopButtonProps) {
  const reprise = useReprise();
  const isActive = tenant.status === "active";
  const set = async (status: "active" | "suspended") => {
    await reprise.tenants.update(tenant.id, { status });
    await onChanged();
  };
  if (!isActive) {
    return (
      <DangerDialog
        button={{ icon: CirclePlay }}
        title={`Resume ${tenant.name}?`}
        action="Resume"
        onConfirm={() => set("active")}
      >
        <Named tenant={tenant} />
        <p>
          Its keys work again within half a minute, and webhooks that waited are sent. Replies that
          were stopped stay as they are.
        </p>
      </DangerDialog>
    );
  }
  return (
    <DangerDialog
      button={{ text: "Stop", icon: OctagonX, look: "danger" }}
      title={`Stop all activity of ${tenant.name}?`}
      action="Stop everything"
      onConfirm={() => set("suspended")}
    >
      <Named tenant={tenant} />
      <p>
        Its running replies and streams are interrupted at once, and its keys, tokens and webhooks
        are refused. All data is kept, and the tenant can be resumed.
      </p>
    </DangerDialog>
  );
}

function Named({ tenant }: Pick<StopButtonProps, "tenant">) {
  return (
    <p>
      <strong>
        <bdi>{tenant.name}</bdi>
      </strong>{" "}
      <span className="code">{tenant.id}</span>
    </p>
  );
}
