import { Link } from "@tanstack/react-router";
import { Building2 } from "lucide-react";

import type { Tenant } from "../../../sdk/index.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { PageHeader } from "../../components/page-header.tsx";

interface TenantClosedProps {
  readonly tenant: Tenant;
  readonly isErased: boolean;
}

/** A tenant after it was closed on this page. */
export function TenantClosed({ tenant, isErased }: TenantClosedProps) {
  return (
    <div className="detail-page">
      <PageHeader title={tenant.name} subtitle="Closed" />
      <div role="status">
        <EmptyState
          icon={Building2}
          title={isErased ? "Closed, and erased" : "Closed, and being erased"}
        >
          <p>
            {isErased
              ? "Nothing of its data is left but the audit."
              : "Its keys are refused already. The rest of its data is erased without you; Health counts tenants that are not erased yet."}
          </p>
          <p>
            <Link to="/tenants">All tenants</Link>
          </p>
          <p>
            <Link to="/audit" search={{ tenant_id: tenant.id } as never}>
              What was changed
            </Link>
          </p>
        </EmptyState>
      </div>
    </div>
  );
}
