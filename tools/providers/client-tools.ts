import type { ClientTool } from "../../protocol/dialects/ag-ui/input/run-input.ts";
import type { ToolProvider } from "../tool-provider.ts";
import { handedOut } from "./handed-out.ts";

/**
 * Tools that the client of a reply brought and runs. What they do happens in the client's hands: the rules that deny or
 * ask hold, and no result is too late.
 */
export function clientTools(tools: readonly ClientTool[]): ToolProvider {
  return handedOut(
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
