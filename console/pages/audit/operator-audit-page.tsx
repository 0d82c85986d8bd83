import { useQuery } from "@tanstack/react-query";

import { useReprise } from "../../access/access-context.ts";
import { FormField } from "../../components/forms/form-field.tsx";
import { useFilters } from "../../components/use-filters.ts";
import { PAGE_ROWS } from "../../components/use-paged.ts";
import { AuditList } from "./audit-list.tsx";
import { TenantField } from "./tenant-field.tsx";

/** The name under which the operator's own acts are recorded: those that are about no tenant. */
const OPERATOR = "operator";

/** Changes with who made them: the operator's own acts, or acts in a tenant, also in one that is closed. */
export function OperatorAuditPage() {
  const reprise = useReprise();
  const filters = useFilters();
  const tenantId = filters.values["tenant_id"] ?? OPERATOR;
  const { data } = useQuery({
    queryKey: ["tenant names"],
    queryFn: () => reprise.tenants.list({ limit: PAGE_ROWS }).page(),
    staleTime: 60_000,
  });
  return (
    <AuditList
      subtitle={
        tenantId === OPERATOR
          ? "The operator’s own acts, such as sign-ins to this console"
          : "What was changed in one tenant, by its keys or by the operator"
      }
      tenantId={tenantId}
      filters={filters}
    >
      <FormField
        label="Tenant"
        hint="By its id. An empty field is the operator; a closed tenant has its audit still."
      >
        <TenantField
          key={filters.values["tenant_id"] ?? ""}
          value={filters.values["tenant_id"] ?? ""}
          tenants={data?.data ?? []}
          onCommit={(id) => filters.set("tenant_id", id)}
        />
      </FormField>
    </AuditList>
  );
}
