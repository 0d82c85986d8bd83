import { Tabs } from "@base-ui/react/tabs";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { ArrowLeft, MessagesSquare, Trash2 } from "lucide-react";
import { memo, useCallback, useMemo, useState } from "react";

import type { Agent } from "../../../sdk/index.ts";
import { useMay, useReprise } from "../../access/access-context.ts";
import { CodeId } from "../../components/code-id.tsx";
import { DangerDialog } from "../../components/danger-dialog.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { LoadingState } from "../../components/loading-state.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import type { JsonObject } from "../../components/schema-form/json-schema.ts";
import { useFilters } from "../../components/use-filters.ts";
import { CheckView } from "./check-view.tsx";
import { DefinitionEditor } from "./definition-editor.tsx";
import { changesBetween, definitionIn } from "./definition.ts";
import { ConnectA2a } from "./a2a/connect-a2a.tsx";
import { hasRemoteAgents, RemoteAgents } from "./a2a/remote-agents.tsx";
import { ConnectTab } from "./mcp/connect-tab.tsx";
import { ReplayTab } from "./replay/replay-tab.tsx";
import { ToolsTab } from "./tools/tools-tab.tsx";
import { VersionsView } from "./versions-view.tsx";

/** One agent: its definition to edit, its versions, whether its models and tools answer, replays on it, and its tools. */
export function AgentPage() {
  const reprise = useReprise();
  const { agentId } = useParams({ strict: false });
  const id = agentId ?? "";
  const filters = useFilters();
  const mayWrite = useMay("agents:write");
  const mayCallTools = useMay("tools:call");
  const mayReadSessions = useMay("sessions:read");
  /** Definition in the editor that is not saved. */
  const [draft, setDraft] = useState<JsonObject | null>(null);
  const { data, error, refetch } = useQuery({
    queryKey: ["agent", id],
    queryFn: () => reprise.agents.get(id),
  });
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingState label="Loading the agent…" />;
  const mayReplay = mayWrite && mayReadSessions;
  return (
    <div className="detail-page">
      <Link to="/agents" className="back-link">
        <ArrowLeft size={16} aria-hidden />
        Agents
      </Link>
      <PageHeader title={data.name} subtitle={<CodeId id={data.id} what="agent id" />}>
        <span className="badge">v{data.version}</span>
        <Link to="/sessions" search={{ agent_id: id } as never} className="button">
          <MessagesSquare size={16} aria-hidden />
          Sessions
        </Link>
        <DeleteAgent id={id} />
      </PageHeader>
      <Tabs.Root
        value={filters.values["tab"] ?? "definition"}
        onValueChange={(tab: string) => filters.set("tab", tab === "definition" ? "" : tab)}
      >
        <Tabs.List className="tabs" aria-label="Views of the agent">
          <Tabs.Tab value="definition" className="tab">
            Definition
          </Tabs.Tab>
          <Tabs.Tab value="versions" className="tab">
            Versions
          </Tabs.Tab>
          {mayWrite && (
            <Tabs.Tab value="check" className="tab">
              Check
            </Tabs.Tab>
          )}
          {mayCallTools && (
            <Tabs.Tab value="tools" className="tab">
              Try a tool
            </Tabs.Tab>
          )}
          {mayReplay && (
            <Tabs.Tab value="replay" className="tab">
              Replay
            </Tabs.Tab>
          )}
          <Tabs.Tab value="connect" className="tab">
            Connect
          </Tabs.Tab>
          {hasRemoteAgents(data) && (
            <Tabs.Tab value="others" className="tab">
              Other agents
            </Tabs.Tab>
          )}
        </Tabs.List>
        <Tabs.Panel value="definition" className="tab-panel" keepMounted>
          <Definition key={id} agent={data} mayWrite={mayWrite} onDraft={setDraft} />
        </Tabs.Panel>
        <Tabs.Panel value="versions" className="tab-panel">
          <VersionsView agent={data} filters={filters} />
        </Tabs.Panel>
        {mayWrite && (
          <Tabs.Panel value="check" className="tab-panel">
            <CheckView agentId={id} version={data.version} />
          </Tabs.Panel>
        )}
        {mayCallTools && (
          <Tabs.Panel value="tools" className="tab-panel">
            <ToolsTab agent={data} filters={filters} />
          </Tabs.Panel>
        )}
        {mayReplay && (
          <Tabs.Panel value="replay" className="tab-panel">
            <ReplayTab key={id} agent={data} draft={draft} filters={filters} />
          </Tabs.Panel>
        )}
        <Tabs.Panel value="connect" className="tab-panel">
          <ConnectTab agent={data} />
          <ConnectA2a agent={data} />
        </Tabs.Panel>
        {hasRemoteAgents(data) && (
          <Tabs.Panel value="others" className="tab-panel">
            <RemoteAgents agent={data} />
          </Tabs.Panel>
        )}
      </Tabs.Root>
    </div>
  );
}

interface DefinitionProps {
  readonly agent: Agent;
  readonly mayWrite: boolean;
  readonly onDraft: (draft: JsonObject | null) => void;
}

/** Not drawn again for what other tabs do. */
const Definition = memo(function Definition({ agent, mayWrite, onDraft }: DefinitionProps) {
  const reprise = useReprise();
  const queries = useQueryClient();
  const { id } = agent;
  const saved = useMemo(() => definitionIn(agent), [agent]);
  const validate = useCallback(
    (definition: JsonObject, signal: AbortSignal) =>
      mayWrite
        ? reprise.agents.validateUpdate(id, changesBetween(saved, definition), { signal })
        : Promise.resolve({}),
    [reprise, id, saved, mayWrite],
  );
  async function save(definition: JsonObject): Promise<JsonObject> {
    const current = await reprise.agents.get(id);
    if (current.version !== agent.version) {
      queries.setQueryData(["agent", id], current);
      throw new Error(
        `Version ${current.version} was saved meanwhile. Look at it in Versions; saving again puts this on top of it.`,
      );
    }
    const changed = await reprise.agents.update(id, changesBetween(saved, definition));
    queries.setQueryData(["agent", id], changed);
    queries.removeQueries({ queryKey: ["agents"] });
    queries.removeQueries({ queryKey: ["agent-versions", id] });
    return definitionIn(changed);
  }
  return (
    <DefinitionEditor
      saved={saved}
      isNew={false}
      isReadOnly={!mayWrite}
      validate={validate}
      onSave={save}
      onDraft={onDraft}
    />
  );
});

function DeleteAgent({ id }: { readonly id: string }) {
  const reprise = useReprise();
  const navigate = useNavigate();
  const queries = useQueryClient();
  if (!useMay("agents:write")) return null;
  return (
    <DangerDialog
      button={{ icon: Trash2 }}
      title="Delete this agent?"
      action="Delete"
      onConfirm={async () => {
        await reprise.agents.delete(id);
        queries.removeQueries({ queryKey: ["agents"] });
        await navigate({ to: "/agents" });
      }}
    >
      <p>
        All its versions are erased, and no new session can be opened with it. Sessions that are
        open keep a copy of theirs.
      </p>
    </DangerDialog>
  );
}
