import type { ClientTool } from "../../protocol/dialects/ag-ui/input/run-input.ts";
import type { ToolProvider } from "../tool-provider.ts";
import { delegatedTools } from "./delegated-tools.ts";

/**
 * Tools that the client of a reply declared and runs. They run in the client, so that rules which deny or ask apply,
 * and results have no deadline.
 */
export function clientTools(tools: readonly ClientTool[]): ToolProvider {
  return delegatedTools(
    tools.map(({ name, description, input_schema }) => ({
      name,
      description,
      input_schema,
      read_only: true,
      concurrency_safe: true,
      idempotent: false,
      external: { offered_by: "client" },
    })),
  );
}
