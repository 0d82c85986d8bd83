// A session whose agent has answered, with a tool that has failed.
import type { Reply } from "../../../protocol/replies/contract.ts";
import { ask, openSession } from "./api.ts";
import { FAILING_TOOL_URL } from "./failing-tool-url.ts";

/** Nobody listens there: the tool fails, and the reply goes on. */
const TOOL = { type: "http", name: "lookup_order", url: FAILING_TOOL_URL, read_only: true };

export async function openTold() {
  const opened = await openSession({ name: "Refund desk", tools: [TOOL] });
  const input = { id: "phone-5-message-1", content: "Where is my order A-1001?" };
  const { json: reply } = await ask<Reply>("POST", `${opened.path}/replies`, {
    ...opened.call,
    json: { input },
  });
  return { ...opened, place: { session_id: opened.session.id }, reply, input };
}
