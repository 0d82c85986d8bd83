// A link to an MCP server on loopback, without a platform around it.
import { onTestFinished } from "vitest";

import { MemoryLog } from "../memory-log.ts";
import type { ToolRunner } from "../../../agent/ports.ts";
import { streamResult } from "../../../agent/tool-call/stream-result.ts";
import { CallDeadline } from "../../../tools/mcp/call-deadline.ts";
import { McpLink } from "../../../tools/mcp/mcp-link.ts";
import type { McpMemory } from "../../../tools/mcp/mcp-memory.ts";
import type { McpPeople } from "../../../tools/mcp/mcp-people.ts";
import { runMcpTool } from "../../../tools/mcp/run-mcp-tool.ts";

/** @param memory What is remembered of the server. */
export function testLink(
  url: string,
  memory: Partial<McpMemory> = {},
  outgoing: typeof fetch = fetch,
): McpLink {
  const endpoint = { url, headers: new Headers(), secrets: [], outgoing, maxBytes: 1_000_000 };
  const link = new McpLink(
    { name: "wh", endpoint, stateful: false },
    {
      dialect: null,
      sessionId: null,
      noteDialect: () => undefined,
      noteSession: () => undefined,
      noteListChanged: () => undefined,
      ...memory,
    },
  );
  onTestFinished(() => link.close());
  return link;
}

/** Time enough for any machine. */
export function longDeadline(): CallDeadline {
  const { signal } = new AbortController();
  const deadline = new CallDeadline({ idleMs: 60_000, totalMs: 60_000 }, signal);
  onTestFinished(() => deadline.release());
  return deadline;
}

interface TestCall {
  readonly people?: McpPeople | null;
  readonly timeoutMs?: number;
  readonly stop?: AbortSignal;
  readonly name?: string;
}

const NOBODY = { stop: new AbortController().signal, people: null, timeoutMs: 60_000 };

/** The log of a reply whose one call runs a tool of the server. */
export async function callInLog(
  link: McpLink,
  { name = "act", ...more }: TestCall = {},
  log: MemoryLog = startedCall(),
): Promise<MemoryLog> {
  const call = { ...NOBODY, ...more, link, server_id: "mcp_1", server: "wh", tool: { name } };
  const runner: ToolRunner = {
    tools: [],
    run: (request) => runMcpTool({ ...call, input: request.input }),
  };
  const [block] = log.state.message.content;
  if (block?.type !== "tool_call") throw new Error("the log has no call");
  await streamResult(block, {}, { ...CONTEXT, log, runner, stop: call.stop });
  return log;
}

const CONTEXT = {
  session_id: "ses_1",
  end_user_id: null,
  asking: {
    confirmation_ttl_ms: 60_000,
    hashInput: async () => "sha256:0",
    expiresAt: () => "2026-01-01T00:10:00.000Z",
  },
};

/** A log with one call, `call_1`, whose result has begun. */
export function startedCall(): MemoryLog {
  const log = new MemoryLog();
  const target = { reply_id: "rep_1", tool_call_id: "call_1" };
  log.append([
    { type: "TOOL_CALL_START", ...target, tool_call_name: "mcp__wh__act" },
    { type: "TOOL_CALL_DELTA", ...target, delta: "{}" },
    { type: "TOOL_CALL_END", ...target },
    { type: "TOOL_RESULT_START", ...target, tool_call_name: "mcp__wh__act" },
  ]);
  return log;
}

/** The text of the log's one result. */
export function resultText({ state }: MemoryLog): string {
  const [result] = state.message.content.filter((block) => block.type === "tool_result");
  const output = result?.output ?? "";
  if (typeof output === "string") return output;
  return output.map((block) => (block.type === "text" ? block.text : "")).join("");
}
