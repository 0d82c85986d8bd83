import { Tabs } from "@base-ui/react/tabs";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { ArrowLeft, Trash2 } from "lucide-react";

import type { Session } from "../../../sdk/index.ts";
import { useMay, useReprise } from "../../access/access-context.ts";
import { CodeId } from "../../components/code-id.tsx";
import { DangerDialog } from "../../components/danger-dialog.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { JsonViewer } from "../../components/json-viewer.tsx";
import { LoadingState } from "../../components/loading-state.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { PlanView } from "../../components/plan/plan-view.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { TimeStamp } from "../../components/time-stamp.tsx";
import { useFilters } from "../../components/use-filters.ts";
import { CalledView } from "./called-view.tsx";
import { ContextView } from "./context-view.tsx";
import { Conversation } from "./conversation.tsx";
import { DecisionList } from "./decision-list.tsx";
import { EventList } from "./event-list.tsx";
import { MemoryView } from "./memory-view.tsx";
import { ReplayView } from "./replay-view.tsx";
import { HooksView } from "./hooks/hooks-view.tsx";
import { RenameButton } from "./rename-button.tsx";
import { ExportButton, ForkButton } from "./session-actions.tsx";
import { TasksView } from "./tasks-view.tsx";
import { Timeline } from "./timeline.tsx";
import { ToolsView } from "./tools/tools-view.tsx";
import { ViewTabs } from "./view-tabs.tsx";

/** Milliseconds between two looks at a session whose reply runs or waits, and at an idle one. */
const BUSY_MS = 2_000;
const IDLE_MS = 3_000;

const TABS = [
  ["conversation", "Conversation"],
  ["timeline", "Timeline"],
  ["replay", "Replay"],
  ["events", "Events"],
  ["decisions", "Decisions"],
  ["context", "Context"],
  ["plan", "Plan"],
  ["tools", "Tools"],
  ["tasks", "Tasks"],
  ["agents", "Called agents"],
  ["memory", "Memory"],
  ["hooks", "Hooks"],
  ["data", "Data"],
] as const;

/** One session: its conversation, its numbered events, and all that the API says of it. */
export function SessionPage() {
  const reprise = useReprise();
  const { sessionId } = useParams({ strict: false });
  const id = sessionId ?? "";
  const filters = useFilters();
  const mayReadMemories = useMay("memories:read");
  const tabs = mayReadMemories ? TABS : TABS.filter(([value]) => value !== "memory");
  const { data, error, refetch } = useQuery({
    queryKey: ["session", id],
    queryFn: () => reprise.session(id).get(),
    refetchInterval: ({ state }) => (state.data?.status === "idle" ? IDLE_MS : BUSY_MS),
  });
  // The address of one event names no tab.
  const tab = filters.values["tab"] ?? (filters.values["seq"] ? "events" : "conversation");
  const show = (next: string) =>
    filters.change({ tab: next === "conversation" ? "" : next, seq: "" });
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingState label="Loading the session…" />;
  return (
    <div className="detail-page">
      <Link to="/sessions" className="back-link">
        <ArrowLeft size={16} aria-hidden />
        Sessions
      </Link>
      <PageHeader
        title={data.title ?? "Session"}
        subtitle={<CodeId id={data.id} what="session id" />}
      >
        <StatusBadge status={data.status} />
        <RenameButton session={data} />
        <ForkButton sessionId={data.id} />
        <ExportButton sessionId={data.id} />
        <DeleteSession id={data.id} />
      </PageHeader>
      <Facts session={data} />
      <Tabs.Root value={tab} onValueChange={show}>
        <ViewTabs label="Views of the session" tabs={tabs} shown={tab} onShow={show} />
        <Tabs.Panel value="conversation" className="tab-panel">
          <Conversation session={data} />
        </Tabs.Panel>
        <Tabs.Panel value="timeline" className="tab-panel">
          <Timeline sessionId={data.id} cursor={data.cursor} filters={filters} />
        </Tabs.Panel>
        <Tabs.Panel value="replay" className="tab-panel">
          <ReplayView sessionId={data.id} agentId={data.agent_id} />
        </Tabs.Panel>
        <Tabs.Panel value="events" className="tab-panel">
          <EventList sessionId={data.id} filters={filters} />
        </Tabs.Panel>
        <Tabs.Panel value="decisions" className="tab-panel">
          <DecisionList sessionId={data.id} cursor={data.cursor} />
        </Tabs.Panel>
        <Tabs.Panel value="context" className="tab-panel">
          <ContextView sessionId={data.id} cursor={data.cursor} />
        </Tabs.Panel>
        <Tabs.Panel value="plan" className="tab-panel">
          <PlanView sessionId={data.id} cursor={data.cursor} />
        </Tabs.Panel>
        <Tabs.Panel value="tools" className="tab-panel">
          <ToolsView session={data} />
        </Tabs.Panel>
        <Tabs.Panel value="tasks" className="tab-panel">
          <TasksView sessionId={data.id} cursor={data.cursor} />
        </Tabs.Panel>
        <Tabs.Panel value="agents" className="tab-panel">
          <CalledView session={data} />
        </Tabs.Panel>
        {mayReadMemories && (
          <Tabs.Panel value="memory" className="tab-panel">
            <MemoryView session={data} filters={filters} />
          </Tabs.Panel>
        )}
        <Tabs.Panel value="hooks" className="tab-panel">
          <HooksView session={data} />
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
    <DangerDialog
      button={{ icon: Trash2 }}
      title="Delete this session?"
      action="Delete"
      onConfirm={async () => {
        await reprise.sessions.delete(id);
        queries.removeQueries({ queryKey: ["sessions"] });
        await navigate({ to: "/sessions" });
      }}
    >
      <p>Its conversation, its log and its files are erased. A reply that runs is stopped.</p>
    </DangerDialog>
  );
}

function Facts({ session }: { readonly session: Session }) {
  const { agent_id, agent_version, follows_latest, end_user_id, created_at, pending } = session;
  // An older platform has no called agents, and no rooms.
  const { parent_session_id = null, room_id = null } = session as Partial<Session>;
  return (
    <dl className="facts">
      <div>
        <dt>End user</dt>
        <dd>{end_user_id ?? "–"}</dd>
      </div>
      <div>
        <dt>Agent</dt>
        <dd>
          <Link to="/agents/$agentId" params={{ agentId: agent_id }} className="code">
            {agent_id}
          </Link>
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
      {parent_session_id !== null && (
        <div>
          <dt>Called by</dt>
          <dd>
            <Link
              to="/sessions/$sessionId"
              params={{ sessionId: parent_session_id }}
              className="code"
            >
              {parent_session_id}
            </Link>
          </dd>
        </div>
      )}
      {room_id !== null && (
        <div>
          <dt>Room</dt>
          <dd>
            <Link to="/rooms/$roomId" params={{ roomId: room_id }} className="code">
              {room_id}
            </Link>
          </dd>
        </div>
      )}
      <div>
        <dt>Waiting calls</dt>
        <dd>{pending.length}</dd>
      </div>
    </dl>
  );
}
