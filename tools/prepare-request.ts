// Builds the request of a call of an http tool.
import type { ToolCallRequest } from "../agent/ports.ts";
import type { HttpTool } from "../protocol/tools/http-tool.ts";
import type { SecretSource } from "../outgoing/secret-source.ts";
import { wholeJson } from "../outgoing/whole-letters.ts";
import { signedRequest, targetHeaders, type PreparedRequest } from "./signed-request.ts";

export type { PreparedRequest } from "./signed-request.ts";

export interface RequestContext {
  readonly request: ToolCallRequest;
  readonly secrets: SecretSource;
  readonly nowMs: number;
  /** Left out for a call that is not let go. */
  readonly task?: { readonly task_id: string; readonly callback_url: string | null };
}

export function prepareRequest(
  tool: HttpTool,
  { request, secrets, nowMs, task }: RequestContext,
): Promise<PreparedRequest> {
  const { tool_call_id, name, input, session_id, reply_id, end_user_id } = request;
  const sentCall = { tool_call_id, name, input, session_id, reply_id, end_user_id };
  const place = task && { task_id: task.task_id, callback_url: task.callback_url };
  const body = wholeJson({ ...sentCall, ...place });
  return signedRequest(tool, { id: callKey(request), body, nowMs, secrets, of: OF });
}

/** A tool's own headers and secrets, for a request to `address`. */
export function toolHeaders(
  tool: HttpTool,
  address: string,
  secrets: SecretSource,
): ReturnType<typeof targetHeaders> {
  return targetHeaders(tool, { address, secrets, of: OF });
}

const OF = "tool";

/**
 * The idempotency key of a call, the same at each attempt. It includes the session, since a call's id is unique only
 * there. Without a dot.
 */
function callKey({ session_id, tool_call_id }: ToolCallRequest): string {
  return `${session_id}:${encodeURIComponent(tool_call_id.toWellFormed()).replaceAll(".", "%2E")}`;
}
