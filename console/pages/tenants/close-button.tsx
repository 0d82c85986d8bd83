import { Trash2 } from "lucide-react";

import type { Tenant } from "../../../sdk/index.ts";
import { useReprise } from "../../access/access-context.ts";
import { DangerDialog } from "../../components/danger-dialog.tsx";

interface CloseButtonProps {
  readonly tenant: Tenant;
  /** Told whether everything is erased already. */
  readonly onClosed: (isErased: boolean) => void;
}

/** Closes a tenant for good, behind a question for its name that says what is lost. */
export function CloseButton({ tenant, onClosed }: CloseButtonProps) {
  const reprise = useReprise();
  return (
    <DangerDialog
      button={{ text: "Close…", icon: Trash2 }}
      title={`Close ${tenant.name} for good?`}
      typed={tenant.name}
      action="Close the tenant"
      onConfirm={async () => onClosed(await reprise.tenants.delete(tenant.id))}
    >
      <div className="form-stack">
        <p className="code">{tenant.id}</p>
        <p>
          Replies and streams end at once, and no key, token or link works any more. Then everything
          is erased: sessions with all that was said in them, agents and their versions, skills,
          files, credentials, keys, members, webhooks, usage and plots.
        </p>
        <p>
          <strong>Nothing of it can be brought back.</strong> The audit remains as long as it is
          kept. To stop a tenant and keep its data, use <em>Stop</em>.
        </p>
      </div>
    </DangerDialog>
  );
}
