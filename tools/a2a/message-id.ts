import type { ToolCallRequest } from "../../agent/ports.ts";

/** Characters of it at most: servers take 128, and the messages of one call are told apart by what follows. */
const MAX_CHARACTERS = 120;

/** The beginning of the ids of a call's messages. Ids of calls are a model's own, of any length and any characters. */
export async function messageIdOf({
  reply_id,
  tool_call_id,
}: Pick<ToolCallRequest, "reply_id" | "tool_call_id">): Promise<string> {
  const id = `${reply_id}:${tool_call_id}`;
  if (id.length <= MAX_CHARACTERS && /^[!-~]+$/.test(id)) return id;
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(tool_call_id));
  const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0"));
  return `${reply_id}:${hex.join("")}`;
}
