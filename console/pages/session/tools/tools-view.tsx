import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Undo2, Wrench } from "lucide-react";
import { useEffect, useState } from "react";

import type { Session, SessionToolGroups } from "../../../../sdk/index.ts";
import { useMay, useReprise } from "../../../access/access-context.ts";
import { EmptyState } from "../../../components/empty-state.tsx";
import { ErrorState } from "../../../components/error-state.tsx";
import { LoadingState } from "../../../components/loading-state.tsx";
import { GroupCard } from "./group-card.tsx";
import { SessionTools } from "./session-tools.tsx";
import { refusalWords, type Switched } from "./switch-words.ts";
import { ToolRows } from "./tool-rows.tsx";

/** The tools that a session's model has at the moment: groups and single tools can be switched, and the session has its own. */
export function ToolsView({ session }: { readonly session: Session }) {
  const reprise = useReprise();
  const queries = useQueryClient();
  const { id, cursor } = session;
  const queryKey = ["tool-groups", id];
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: () => reprise.session(id).toolGroups.get(),
  });
  useEffect(() => void refetch(), [cursor, refetch]);
  const reload = () => queries.invalidateQueries({ queryKey });
  if (error && !data) return <ErrorState error={error} onRetry={() => void reload()} />;
  if (!data) return <LoadingState label="Loading the tools…" />;
  return (
    <div className="hooks-view">
      <Switches sessionId={id} current={data} onChanged={reload} />
      <SessionTools sessionId={id} tools={data.session_tools ?? []} onChanged={reload} />
    </div>
  );
}

interface SwitchesProps {
  readonly sessionId: string;
  readonly current: SessionToolGroups;
  readonly onChanged: () => Promise<void>;
}

function Switches({ sessionId, current, onChanged }: SwitchesProps) {
  const reprise = useReprise();
  const mayReply = useMay("replies:write");
  const mayAll = useMay("sessions:write") && mayReply;
  const [failure, setFailure] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const { groups, tools, meta_tool, version } = current;
  // As the platform decides it: what the agent could do itself needs no further scope.
  const may = { groups: mayAll || (mayReply && meta_tool), tools: mayAll };

  async function set(next: Pick<SessionToolGroups, "groups" | "tools">): Promise<void> {
    setFailure(null);
    setIsBusy(true);
    try {
      await reprise.session(sessionId).toolGroups.set(next, { ifVersion: version });
    } catch (error) {
      setFailure(refusalWords(error));
    }
    await onChanged();
    setIsBusy(false);
  }
  const setGroup = (name: string, switched: Switched) =>
    void set({
      tools,
      groups: groups.map((one) => (one.name === name ? { ...one, switched } : one)),
    });
  const setTool = (name: string, switched: Switched) =>
    void set({
      groups,
      tools: tools.map((one) => (one.name === name ? { ...one, switched } : one)),
    });
  const rows = (of: (tool: SessionToolGroups["tools"][number]) => boolean) => (
    <ToolRows tools={tools.filter(of)} isOff={isBusy} {...(may.tools && { onSwitch: setTool })} />
  );
  if (tools.length === 0 && groups.length === 0) {
    return (
      <EmptyState icon={Wrench} title="No tools">
        <p>
          The agent has no tools of its own. Tools that the platform gives it, such as those of
          plans and skills, are not switched.
        </p>
        <p>
          <a href="/docs/tool-groups">Read about groups of tools</a>
        </p>
      </EmptyState>
    );
  }
  const isSwitched = [...groups, ...tools].some(({ switched }) => switched !== null);
  const basic = tools.filter(({ group }) => group === null);
  return (
    <>
      <div className="panel-head">
        <p className="quiet">
          {groups.length > 0 &&
            (meta_tool
              ? "The agent switches its groups itself, and so may people. "
              : "People switch the groups; the agent does not. ")}
          A switch holds from the next step of a reply on.
        </p>
        {isSwitched && mayAll && (
          <button
            type="button"
            className="button"
            disabled={isBusy}
            onClick={() => void set({ groups: [], tools: [] })}
          >
            <Undo2 size={16} aria-hidden />
            Take all switches back
          </button>
        )}
      </div>
      {failure !== null && (
        <p role="alert" className="field-error">
          {failure}
        </p>
      )}
      {groups.map((group) => (
        <GroupCard
          key={group.name}
          group={group}
          isOff={isBusy}
          {...(may.groups && { onSwitch: (switched: Switched) => setGroup(group.name, switched) })}
        >
          {group.tools.length === 0 ? (
            <p className="quiet">It has no tools: its notes are all that it brings.</p>
          ) : (
            rows((tool) => tool.group === group.name)
          )}
        </GroupCard>
      ))}
      {basic.length > 0 && (
        <section className="panel" aria-label="Tools in no group">
          <h2>{groups.length === 0 ? "Tools" : "In no group"}</h2>
          {rows(({ group }) => group === null)}
        </section>
      )}
    </>
  );
}
