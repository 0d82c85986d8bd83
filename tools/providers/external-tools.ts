import type { ToolDeclaration } from "../../agent/ports.ts";
import type { ExternalTool } from "../../protocol/agents/contract.ts";
import type { ToolProvider } from "../tool-provider.ts";
import { delegatedTools } from "./delegated-tools.ts";
import { declareTool } from "./declare-tool.ts";

/** Tools whose results are posted from outside. */
export function externalTools(definitions: readonly ExternalTool[]): ToolProvider {
  return delegatedTools(
    definitions.map((tool) => ({ ...declareTool(tool), external: waitingTime(tool) })),
  );
}

function waitingTime({ result_ttl }: ExternalTool): NonNullable<ToolDeclaration["external"]> {
  return result_ttl === undefined ? {} : { result_ttl_ms: result_ttl * 1_000 };
}
