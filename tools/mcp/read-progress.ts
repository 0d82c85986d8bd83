import { plainLine } from "../../agent/tool-call/confirmation-question.ts";
import type { ToolProgress } from "../../protocol/tools/events.ts";
import { MAX_MCP_PROGRESS_CHARACTERS } from "../../protocol/mcp/limits.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The progress in a `notifications/progress`; null when there is none. */
export function readProgress({ progress, total, message }: Fields): ToolProgress | null {
  const said =
    typeof message === "string" ? plainLine(message, MAX_MCP_PROGRESS_CHARACTERS).trim() : "";
  const read: ToolProgress = {
    message: said === "" ? null : said,
    progress: numberOf(progress),
    total: numberOf(total),
  };
  return read.message === null && read.progress === null ? null : read;
}

function numberOf(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}
