import { ScrollText } from "lucide-react";
import type { ReactNode } from "react";

import type { AuditAction, AuditEntry, AuditFilter } from "../../../sdk/index.ts";
import { useReprise } from "../../access/access-context.ts";
import { dayStart } from "../../components/day-start.ts";
import type { Column } from "../../components/data-table.tsx";
import { DownloadButton } from "../../components/download-button.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { FilterBar, type FilterField } from "../../components/filter-bar.tsx";
import { ListPage } from "../../components/list-page/list-page.tsx";
import { TimeStamp } from "../../components/time-stamp.tsx";
import type { Filters } from "../../components/use-filters.ts";
import { PAGE_ROWS, usePaged } from "../../components/use-paged.ts";
import { AuditEntryDialog } from "./audit-entry-dialog.tsx";

/** Each with its words; a record by the actions, so that the compiler names one that is new. */
const ACTIONS: Readonly<Record<AuditAction, string>> = {
  "tenant.created": "Tenant created",
  "tenant.updated": "Tenant changed",
  "tenant.closed": "Tenant closed",
  "api_key.created": "API key created",
  "api_key.rotated": "API key rotated",
  "api_key.revoked": "API key revoked",
  "member.invited": "Member invited",
  "member.joined": "Member joined",
  "member.updated": "Member changed",
  "member.link_renewed": "Member's link renewed",
  "member.removed": "Member removed",
  "credential.created": "Credential stored",
  "credential.updated": "Credential changed",
  "credential.deleted": "Credential deleted",
  "agent.created": "Agent created",
  "agent.updated": "Agent changed",
  "agent.version_retired": "Version of an agent retired",
  "agent.version_restored": "Version of an agent brought back",
  "agent.deleted": "Agent deleted",
  "agent.checked": "Agent checked",
  "skill.created": "Skill created",
  "skill.version_created": "Skill changed",
  "skill.deleted": "Skill deleted",
  "memory_store.created": "Memory store created",
  "room.created": "Room opened",
  "room.bounds_changed": "Bounds of a room changed",
  "room.state_imported": "State of a room imported",
  "room.deleted": "Room deleted",
  "room_participant.added": "Participant let into a room",
  "room_participant.deleted": "Participant taken out of a room",
  "memory_store.deleted": "Memory store deleted",
  "memory_consolidation.started": "Consolidation of a memory store begun",
  "memory_consolidation.cancelled": "Consolidation of a memory store cancelled",
  "memory.corrected": "Memory corrected",
  "memory.deleted": "Memory deleted",
  "memory.redacted": "Memory redacted",
  "mcp_server.created": "MCP server created",
  "mcp_server.updated": "MCP server changed",
  "mcp_server.deleted": "MCP server deleted",
  "mcp_tool.called": "Tool of an MCP server called alone",
  "mcp_page.read": "Page of an MCP server read",
  "connection.completed": "Signed in at an MCP server",
  "connection.deleted": "Connection to an MCP server deleted",
  "file.link_created": "Link to a file made",
  "file.deleted": "File deleted",
  "console_link.created": "Console link made",
  "console_session.started": "Signed in to the console",
  "console_session.ended": "Signed out of the console",
  "webhook_endpoint.created": "Webhook endpoint created",
  "webhook_endpoint.updated": "Webhook endpoint changed",
  "webhook_endpoint.deleted": "Webhook endpoint deleted",
  "webhook_endpoint.secret_rotated": "Webhook secret rotated",
  "webhook_endpoint.tested": "Webhook test sent",
  "inbound_endpoint.created": "Inbound endpoint created",
  "inbound_endpoint.deleted": "Inbound endpoint deleted",
  "inbound_endpoint.secret_rotated": "Inbound secret rotated",
  "sign_in_provider.created": "Sign-in provider registered",
  "sign_in_provider.deleted": "Sign-in provider deleted",
  "trigger.created": "Trigger created",
  "trigger.updated": "Trigger changed",
  "trigger.deleted": "Trigger deleted",
  "trigger.paused": "Trigger paused",
  "trigger.unpaused": "Trigger unpaused",
  "trigger.secret_rotated": "Trigger's secret rotated",
  "trigger.run": "Trigger run by hand",
  "token_issuer.created": "Token issuer registered",
  "token_issuer.deleted": "Token issuer deleted",
  "session_search.updated": "Search over sessions turned on or off",
  "session.permission_changed": "Permission of a session changed",
  "session.content_vouched": "Imported content vouched for",
  "session.version_changed": "Version of a session changed",
  "session.rules_added": "Rules added to a session",
  "session.rule_removed": "Rule removed from a session",
  "session.hooks_changed": "Hooks of a session changed",
  "session.tools_changed": "Tools of a session changed",
  "session.tool_groups_changed": "Tools of a session switched",
  "session.deleted": "Session deleted",
  "end_user.deleted": "End user erased",
  "session.replayed": "Session replayed",
  "tool.called": "Tool called by hand",
};

const FIELDS: readonly FilterField[] = [
  { name: "action", label: "What", kind: "choice", options: Object.entries(ACTIONS) },
  { name: "actor_id", label: "Key or member id", kind: "text" },
  { name: "target_id", label: "Target id", kind: "text" },
  { name: "from", label: "From", kind: "date" },
  { name: "to", label: "To", kind: "date" },
];

const COLUMNS: readonly Column<AuditEntry>[] = [
  {
    label: "What",
    cell: (entry) => (
      <AuditEntryDialog entry={entry} words={ACTIONS[entry.action] ?? entry.action} />
    ),
  },
  { label: "Who", cell: ({ actor }) => <Actor actor={actor} /> },
  {
    label: "Target",
    from: "desktop",
    cell: ({ target_id }) => <span className="code">{target_id}</span>,
  },
  {
    label: "Address",
    from: "desktop",
    cell: ({ address }) => address ?? <span className="quiet">–</span>,
  },
  { label: "When", align: "end", cell: ({ created_at }) => <TimeStamp at={created_at} /> },
];

function Actor({ actor }: Pick<AuditEntry, "actor">) {
  const through = actor.console_session_id === undefined ? "" : ", in the console";
  const isOperator = actor.kind === "operator";
  if (isOperator && actor.id === null) return <>the operator{through}</>;
  return (
    <>
      {actor.name ?? <span className="code">{actor.id}</span>}
      <span className="quiet">
        {isOperator && ", of the operator"}
        {through}
      </span>
    </>
  );
}

interface AuditListProps {
  readonly subtitle: string;
  /** Tenant whose acts the operator looks at; left out for a tenant's own. */
  readonly tenantId?: string;
  readonly filters: Filters;
  /** Above the filters. */
  readonly children?: ReactNode;
}

/** Page of administrative acts, newest first. */
export function AuditList({ subtitle, tenantId, filters, children }: AuditListProps) {
  const reprise = useReprise();
  const filter = { ...toFilter(filters.values), ...(tenantId && { tenant_id: tenantId }) };
  const paged = usePaged(["audit", filter], reprise.audit.list({ ...filter, limit: PAGE_ROWS }));
  const isFiltered = FIELDS.some(({ name }) => filters.values[name] !== undefined);
  return (
    <ListPage
      title="Audit"
      subtitle={subtitle}
      actions={
        <DownloadButton
          label="JSON lines"
          fileName={tenantId ? `audit-${tenantId}.jsonl` : "audit.jsonl"}
          read={() => reprise.audit.export(filter)}
        />
      }
      table={{
        label: "Audit",
        columns: COLUMNS,
        paged,
        keyOf: ({ id }) => id,
        empty: (
          <EmptyState
            icon={ScrollText}
            title={isFiltered ? "Nothing fits these filters" : "Nothing was recorded"}
          >
            <p>
              {isFiltered
                ? "Take one off, or check the spelling of an id: filters compare whole ids."
                : "Keys, credentials, agents, webhooks, permissions: what is changed is listed here with who has done it."}
            </p>
          </EmptyState>
        ),
      }}
    >
      {children}
      <FilterBar fields={FIELDS} filters={filters} />
    </ListPage>
  );
}

/** The names of the address in the API's terms: days begin and end in the reader's zone. */
function toFilter(values: Readonly<Record<string, string>>): AuditFilter {
  const { action, actor_id, target_id, from, to } = values;
  const after = from === undefined ? null : dayStart(from, 0);
  const before = to === undefined ? null : dayStart(to, 1);
  return {
    ...(action !== undefined && { action: action as AuditAction }),
    ...(actor_id !== undefined && { actor_id }),
    ...(target_id !== undefined && { target_id }),
    ...(after !== null && { created_after: after }),
    ...(before !== null && { created_before: before }),
  };
}
