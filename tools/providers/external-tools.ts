import type { ToolDeclaration } from "../../agent/ports.ts";
import type { ExternalTool } from "../../protocol/tools/external-tool.ts";
import { NOT_SENT, type ToolKindOf } from "../tool-kind.ts";
import type { ToolProvider } from "../tool-provider.ts";
import { delegatedTools } from "./delegated-tools.ts";
import { declareTool } from "./declare-tool.ts";

/** Tools whose results are posted from outside. */
export const EXTERNAL_KIND: ToolKindOf<"external"> = {
  provide: externalTools,
  async check() {
    const note = "An external system runs it: nothing is sent to it.";
    return { ...NOT_SENT, status: "ok", note, hint: null };
  },
};

function externalTools(definitions: readonly ExternalTool[]): ToolProvider {
  return delegatedTools(
    definitions.map((tool) => ({ ...declareTool(tool), external: waitingTime(tool) })),
  );
}

function waitingTime({ result_ttl }: ExternalTool): NonNullable<ToolDeclaration["external"]> {
  return result_ttl === undefined ? {} : { result_ttl_ms: result_ttl * 1_000 };
}
