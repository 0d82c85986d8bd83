import { Link } from "@tanstack/react-router";
import { Wrench } from "lucide-react";

import type { Agent } from "../../../../sdk/index.ts";
import { EmptyState } from "../../../components/empty-state.tsx";
import type { Filters } from "../../../components/use-filters.ts";
import { CallForm } from "./call-form.tsx";

interface ToolsTabProps {
  readonly agent: Agent;
  /** State of the address, which names the tool that is shown. */
  readonly filters: Filters;
}

/** An MCP server is one entry for all of its tools. */
function nameOf(tool: Agent["tools"][number]): string {
  return tool.type === "mcp" ? tool.server_id : tool.name;
}

/** The agent's tools, to be called by hand. */
export function ToolsTab({ agent, filters }: ToolsTabProps) {
  const { tools } = agent;
  const shown = tools.find((tool) => nameOf(tool) === filters.values["tool"]) ?? tools[0];
  if (!shown) {
    return (
      <EmptyState icon={Wrench} title="No tool to try">
        <p>The newest version of this agent has no tools. Add one under Definition, and save.</p>
      </EmptyState>
    );
  }
  return (
    <div className="versions">
      <ol className="version-list" aria-label="Tools">
        {tools.map((tool) => (
          <li key={nameOf(tool)}>
            <button
              type="button"
              className="version-row tool-row"
              aria-pressed={tool === shown}
              onClick={() => filters.set("tool", nameOf(tool))}
            >
              <strong className="code">{nameOf(tool)}</strong>
              <span className="badge">{tool.type}</span>
            </button>
          </li>
        ))}
      </ol>
      <section className="version-detail" aria-label={`Tool ${nameOf(shown)}`}>
        <header className="version-head">
          <h2 className="code">{nameOf(shown)}</h2>
          <span className="quiet">version {agent.version}</span>
        </header>
        {"description" in shown && shown.description !== "" && (
          <p className="plain-text">{shown.description}</p>
        )}
        {shown.type === "mcp" ? (
          <EmptyState icon={Wrench} title="An MCP server has these tools">
            <p>
              They are listed and called alone{" "}
              <Link to="/mcp-servers/$serverId" params={{ serverId: shown.server_id }}>
                on the server&apos;s page
              </Link>
              .
            </p>
          </EmptyState>
        ) : shown.type === "external" ? (
          <EmptyState icon={Wrench} title="Another system runs it">
            <p>
              A call of an external tool waits until your system posts the result, so there is
              nothing to call here. Try it in the playground, where you can give the result.
            </p>
          </EmptyState>
        ) : (
          <CallForm
            key={`${shown.name} ${agent.version}`}
            agent={agent}
            name={shown.name}
            schema={"input_schema" in shown ? shown.input_schema : null}
          />
        )}
      </section>
    </div>
  );
}
