import { useFilters } from "../../components/use-filters.ts";
import { AuditList } from "./audit-list.tsx";

/** Changes in the tenant, with who made them. */
export function AuditPage() {
  const filters = useFilters();
  return (
    <AuditList
      subtitle="Administrative acts: who changed what, with which key, from which address"
      filters={filters}
    />
  );
}
