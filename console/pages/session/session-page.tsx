import { Tabs } from "@base-ui/react/tabs";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { ArrowLeft, Trash2 } from "lucide-react";

import type { Session } from "../../../sdk/index.ts";
import { useMay, useReprise } from "../../access/access-context.ts";
import { CodeId } from "../../components/code-id.tsx";
import { ConfirmDialog } from "../../components/forms/confirm-dialog.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { JsonViewer } from "../../components/json-viewer.tsx";
import { LoadingState } from "../../components/loading-state.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { TimeStamp } from "../../components/time-stamp.tsx";
import { useFilters } from "../../components/use-filters.ts";
import { Conversation } from "./conversation.tsx";
import { EventList } from "./event-list.tsx";

/** Milliseconds between two looks at a session whose reply runs or waits, and at one that rests. */
const BUSY_MS = 2_000;
const IDLE_MS = 15_000;

/** One session: its conversation, its numbered events, and all that the API says of it. */
export function SessionPage() {
  const reprise = useReprise();
  const { sessionId } = useParams({ strict: false });
  const id = sessionId ?? "";
  const filters = useFilters();
  const { data, error, refetch } = useQuery({
    queryKey: ["session", id],
    queryFn: () => reprise.session(id).get(),
    refetchInterval: ({ state }) => (state.data?.status === "idle" ? IDLE_MS : BUSY_MS),
  });
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingState label="Loading the session…" />;
  return (
    <div className="detail-page">
      <Link to="/sessions" className="back-link">
        <ArrowLeft size={16} aria-hidden />
        Sessions
      </Link>
      <PageHeader title="Session" subtitle={<CodeId id={data.id} what="session id" />}>
        <StatusBadge status={data.status} />
        <DeleteSession id={data.id} />
      </PageHeader>
      <Facts session={data} />
      <Tabs.Root
        value={filters.values["tab"] ?? "conversation"}
        onValueChange={(tab: string) => filters.set("tab", tab === "conversation" ? "" : tab)}
      >
        <Tabs.List className="tabs" aria-label="Views of the session">
          <Tabs.Tab value="conversation" className="tab">
            Conversation
          </Tabs.Tab>
          <Tabs.Tab value="events" className="tab">
            Events
          </Tabs.Tab>
          <Tabs.Tab value="data" className="tab">
            Data
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="conversation" className="tab-panel">
          <Conversation session={data} />
        </Tabs.Panel>
        <Tabs.Panel value="events" className="tab-panel">
          <EventList sessionId={data.id} filters={filters} />
        </Tabs.Panel>
        <Tabs.Panel value="data" className="tab-panel">
          <JsonViewer value={data} label="session" openLevels={2} />
        </Tabs.Panel>
      </Tabs.Root>
    </div>
  );
}

function DeleteSession({ id }: { readonly id: string }) {
  const reprise = useReprise();
  const navigate = useNavigate();
  const queries = useQueryClient();
  if (!useMay("sessions:write")) return null;
  return (
    <ConfirmDialog
      trigger={
        <button type="button" className="button">
          <Trash2 size={16} aria-hidden />
          Delete
        </button>
      }
      title="Delete this session?"
      action="Delete"
      onConfirm={async () => {
        await reprise.sessions.delete(id);
        queries.removeQueries({ queryKey: ["sessions"] });
        await navigate({ to: "/sessions" });
      }}
    >
      <p>Its conversation, its log and its files are erased. A reply that runs is stopped.</p>
    </ConfirmDialog>
  );
}

function Facts({ session }: { readonly session: Session }) {
  const { agent_id, agent_version, follows_latest, end_user_id, created_at, pending } = session;
  return (
    <dl className="facts">
      <div>
        <dt>End user</dt>
        <dd>{end_user_id ?? "–"}</dd>
      </div>
      <div>
        <dt>Agent</dt>
        <dd>
          <CodeId id={agent_id} what="agent id" />
        </dd>
      </div>
      <div>
        <dt>Version</dt>
        <dd>
          {agent_version}
          {follows_latest && " (follows the latest)"}
        </dd>
      </div>
      <div>
        <dt>Created</dt>
        <dd>
          <TimeStamp at={created_at} />
        </dd>
      </div>
      <div>
        <dt>Waiting calls</dt>
        <dd>{pending.length}</dd>
      </div>
    </dl>
  );
}
