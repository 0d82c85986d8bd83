import { Link } from "@tanstack/react-router";
import { Wrench } from "lucide-react";

import type { McpTool } from "../../../../sdk/index.ts";
import { EmptyState } from "../../../components/empty-state.tsx";

/** In place of a form: the server's page has one for each of its tools. */
export function McpToolNote({ tool }: { readonly tool: McpTool }) {
  return (
    <EmptyState icon={Wrench} title="An MCP server has these tools">
      <p>
        They are listed and called alone{" "}
        <Link to="/mcp-servers/$serverId" params={{ serverId: tool.server_id }}>
          on the server&apos;s page
        </Link>
        .
      </p>
    </EmptyState>
  );
}
