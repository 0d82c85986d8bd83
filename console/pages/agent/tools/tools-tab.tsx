import { Wrench } from "lucide-react";

import type { Agent } from "../../../../sdk/index.ts";
import { EmptyState } from "../../../components/empty-state.tsx";
import type { Filters } from "../../../components/use-filters.ts";
import { toolFormOf, type Tool } from "./tool-forms.tsx";

interface ToolsTabProps {
  readonly agent: Agent;
  /** State of the address, which names the tool that is shown. */
  readonly filters: Filters;
}

function nameOf(tool: Tool): string {
  return toolFormOf(tool).nameOf(tool);
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
  const { Call } = toolFormOf(shown);
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
        <Call key={`${nameOf(shown)} ${agent.version}`} agent={agent} tool={shown} />
      </section>
    </div>
  );
}
