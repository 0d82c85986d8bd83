import { useReprise } from "../../access/access-context.ts";
import { DownloadButton } from "../../components/download-button.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { useFilters } from "../../components/use-filters.ts";
import { AuditList, toAuditFilter } from "./audit-list.tsx";

/** Who has changed what in the tenant. */
export function AuditPage() {
  const reprise = useReprise();
  const filters = useFilters();
  return (
    <div className="list-page">
      <PageHeader
        title="Audit"
        subtitle="Administrative acts: who changed what, with which key, from which address"
      >
        <DownloadButton
          label="JSON lines"
          fileName="audit.jsonl"
          read={() => reprise.audit.export(toAuditFilter(filters.values))}
        />
      </PageHeader>
      <AuditList filters={filters} />
    </div>
  );
}
