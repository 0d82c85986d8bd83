// A reply as the result of a call of a tool.
import type { ContentBlock } from "../messages/blocks.ts";
import type { PendingCall, Reply, ReplyStatus } from "../replies/contract.ts";
import { MAX_MCP_INPUT_CHARACTERS } from "./limits.ts";
import type { McpOutcome, McpPending } from "./agent-tools.ts";
import { waitingCalls } from "./waiting-calls.ts";

export interface CallResult {
  readonly content: readonly object[];
  readonly structuredContent?: McpOutcome;
  readonly isError?: true;
}

const STATUSES = {
  running: "running",
  awaiting_permission: "waiting",
  awaiting_external_result: "waiting",
  completed: "completed",
  interrupted: "interrupted",
  exceed_max_iters: "out_of_rounds",
  error: "failed",
} as const satisfies Record<ReplyStatus, McpOutcome["status"]>;

/** @param resumeTool The name of the tool that answers what waits. */
export function toCallResult(reply: Reply, resumeTool: string): CallResult {
  const waiting = waitingCalls(reply).map(({ call }) => toPending(call));
  // A reply whose agents ask runs, as it has nothing else to do than to wait for them.
  const status = waiting.length > 0 ? "waiting" : STATUSES[reply.status];
  const outcome: McpOutcome = {
    session_id: reply.session_id,
    reply_id: reply.id,
    status,
    pending: [...waiting],
  };
  const said = (reply.message?.content ?? []).flatMap(toContent);
  const output = reply.message?.structured_output;
  const structured = output == null ? [] : [text(JSON.stringify(output))];
  const note = noteOf(reply, { ...outcome, status }, resumeTool);
  const content = [...said, ...structured, ...(note === null ? [] : [text(note)])];
  return {
    // A client that shows the content alone still has something to show.
    content: content.length > 0 ? content : [text("The agent has said nothing.")],
    structuredContent: outcome,
    ...(status === "failed" && { isError: true as const }),
  };
}

/** An expected failure, which the calling model is to see. */
export function failedCall(message: string): CallResult {
  return { content: [text(message)], isError: true };
}

/** The outcome's members in words, for clients that read the text alone. */
function noteOf(
  { error }: Reply,
  { session_id, status, pending }: McpOutcome,
  resumeTool: string,
): string | null {
  const more = `session_id ${session_id}`;
  switch (status) {
    case "waiting": {
      const calls = pending.map(describePending).join("\n");
      return `The agent waits for answers:\n${calls}\nGive them with ${resumeTool}, ${more}.`;
    }
    case "running":
      return `The agent still works on its answer. Wait for it with ${resumeTool}, ${more}.`;
    case "interrupted":
      return "The answer was stopped.";
    case "out_of_rounds":
      return "The agent has used up its rounds and stopped.";
    case "failed":
      return `The answer failed: ${error?.message ?? "the reason is not known"}`;
    case "completed":
      return null;
    default:
      return status satisfies never;
  }
}

function describePending({ call_id, kind, tool, input, question, ...more }: McpPending): string {
  if (more.authorization) {
    return `- ${call_id}: the user signs in for ${tool}, at ${String(more.authorization["url"])}`;
  }
  if (more.elicitation) return `- ${call_id}: ${tool} asks the user: ${question ?? ""}`;
  const wanted = kind === "permission" ? "permission for" : "the result of";
  return `- ${call_id}: ${wanted} ${tool} with ${input}${question === null ? "" : ` (${question})`}`;
}

export function toPending(call: PendingCall): McpPending {
  const { input } = call.tool_call;
  return {
    call_id: call.tool_call.id,
    kind: call.kind,
    tool: call.tool_call.name,
    input:
      input.length > MAX_MCP_INPUT_CHARACTERS
        ? `${input.slice(0, MAX_MCP_INPUT_CHARACTERS)} …`
        : input,
    input_hash: call.input_hash,
    question: call.question ?? null,
    expires_at: call.expires_at,
    ...(call.elicitation && { elicitation: { ...call.elicitation } }),
    ...(call.authorization && { authorization: { ...call.authorization } }),
  };
}

/** The parts of a block that the other side gets: neither thoughts nor calls. */
function toContent(block: ContentBlock): readonly object[] {
  if (block.type === "text") return block.text === "" ? [] : [text(block.text)];
  if (block.type !== "data") return [];
  const { source, id, name } = block;
  const mimeType = source.media_type;
  if (source.type === "url") {
    return [{ type: "resource_link", uri: source.url, name: name ?? id, mimeType }];
  }
  const [kind] = mimeType.split("/");
  if (kind === "image" || kind === "audio") return [{ type: kind, data: source.data, mimeType }];
  return [
    { type: "resource", resource: { uri: `reprise:block/${id}`, mimeType, blob: source.data } },
  ];
}

function text(value: string): object {
  return { type: "text", text: value };
}
