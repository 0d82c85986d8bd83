import { Field } from "@base-ui/react/field";
import { useQuery } from "@tanstack/react-query";
import { MessagesSquare } from "lucide-react";

import type { Agent } from "../../../sdk/index.ts";
import { useReprise } from "../../access/access-context.ts";
import { FormField } from "../../components/forms/form-field.tsx";
import type { Filters } from "../../components/use-filters.ts";

interface SessionStartProps {
  readonly agents: readonly Agent[];
  /** The chosen one. */
  readonly agent: Agent | undefined;
  /** Loads more agents; undefined at the end of the list. */
  readonly onMore: (() => void) | undefined;
  readonly filters: Filters;
}

/** Before the first message: which agent, which version, and for whom. */
export function SessionStart({ agents, agent, onMore, filters }: SessionStartProps) {
  const { version = "", end_user_id = "" } = filters.values;
  return (
    <div className="session-start">
      <MessagesSquare size={32} aria-hidden />
      <h2>Talk to an agent</h2>
      <p className="quiet">
        A new session begins with the first message. Its address can be passed on, and survives a
        reload.
      </p>
      <div className="session-start-fields">
        <FormField label="Agent">
          <Field.Control
            render={
              <select className="input">
                {agents.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </select>
            }
            value={agent?.id ?? ""}
            // The version belongs to the agent.
            onValueChange={(id: string) => filters.change({ agent: id, version: "" })}
          />
        </FormField>
        {onMore && (
          <button type="button" className="button" onClick={onMore}>
            More agents
          </button>
        )}
        {agent && <VersionField agent={agent} version={version} filters={filters} />}
        <FormField label="End user">
          <Field.Control
            className="input"
            placeholder="nobody in particular"
            autoComplete="off"
            maxLength={200}
            value={end_user_id}
            onValueChange={(text: string) => filters.set("end_user_id", text)}
          />
        </FormField>
      </div>
      {agent && <AgentNote agent={agent} />}
    </div>
  );
}

function VersionField({
  agent,
  version,
  filters,
}: {
  readonly agent: Agent;
  readonly version: string;
  readonly filters: Filters;
}) {
  const reprise = useReprise();
  const { data } = useQuery({
    queryKey: ["agent-versions", agent.id, agent.version],
    queryFn: () => reprise.agents.versions(agent.id, { limit: 100 }).page(),
  });
  const older = data?.data.filter((one) => one.version !== agent.version && !one.retired_at) ?? [];
  return (
    <FormField label="Version">
      <Field.Control
        render={
          <select className="input">
            <option value="">{agent.version} (current)</option>
            <option value="latest">Always the latest</option>
            {older.map((one) => (
              <option key={one.version} value={String(one.version)}>
                {one.version}
              </option>
            ))}
          </select>
        }
        value={version}
        onValueChange={(chosen: string) => filters.set("version", chosen)}
      />
    </FormField>
  );
}

function AgentNote({ agent }: { readonly agent: Agent }) {
  const { model, tools, permission } = agent;
  return (
    <p className="quiet">
      {model.name} · {tools.length === 1 ? "1 tool" : `${tools.length} tools`} · permission mode{" "}
      {permission.mode}
    </p>
  );
}
