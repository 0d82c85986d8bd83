// The kinds of tools in the console. The fields of a definition follow from the schema of the API.
import type { ComponentType } from "react";

import type { Agent } from "../../../../sdk/index.ts";
import type { JsonObject } from "../../../components/schema-form/json-schema.ts";
import { McpToolTable } from "../mcp/mcp-tool-table.tsx";
import { AgentChoice } from "./agent-choice.tsx";
import { AgentToolNote } from "./agent-tool-note.tsx";
import { CallForm } from "./call-form.tsx";
import { ExternalToolNote } from "./external-tool-note.tsx";
import { McpToolNote } from "./mcp-tool-note.tsx";

export type Tool = Agent["tools"][number];
type ToolOfKind<Kind extends Tool["type"]> = Extract<Tool, { readonly type: Kind }>;

interface ToolForm<Kind extends Tool["type"]> {
  /** The name in the list of an agent's tools. */
  readonly nameOf: (tool: ToolOfKind<Kind>) => string;
  /** The place to call the tool by hand, or the reason that there is none. */
  readonly Call: ComponentType<{ readonly agent: Agent; readonly tool: ToolOfKind<Kind> }>;
  /** An addition below the fields of its definition. */
  readonly Extra?: ComponentType<{
    readonly entry: JsonObject;
    readonly onChange: (entry: unknown) => void;
  }>;
}

const TOOL_FORMS: { readonly [Kind in Tool["type"]]: ToolForm<Kind> } = {
  http: { nameOf: ({ name }) => name, Call: CallForm },
  external: { nameOf: ({ name }) => name, Call: ExternalToolNote },
  code: { nameOf: ({ name }) => name, Call: CallForm },
  agent: { nameOf: ({ name }) => name, Call: AgentToolNote, Extra: AgentChoice },
  a2a: { nameOf: ({ name }) => name, Call: CallForm },
  // One entry for all tools of the server.
  mcp: { nameOf: ({ server_id }) => server_id, Call: McpToolNote, Extra: McpToolTable },
};

export function toolFormOf(tool: Tool): ToolForm<Tool["type"]> {
  // A form of any kind for a tool of that kind.
  return TOOL_FORMS[tool.type] as ToolForm<Tool["type"]>;
}

/** Additions to the fields of a definition, by the kind. */
export const TOOL_EXTRAS = Object.fromEntries(
  Object.entries(TOOL_FORMS).flatMap(([kind, { Extra }]) =>
    Extra ? [[kind, Extra] as const] : [],
  ),
);
