// Calls of an agent's tool by hand.
import type { Agent } from "../../../protocol/agents/contract.ts";
import { ask, makeAgent, makeSession, makeTenant } from "../../worker/support/api.ts";
import type { DocumentedApi } from "../../worker/support/documented-api.ts";
import type { KeyedRequests } from "../../worker/support/keyed-request.ts";
import { countRows } from "../../worker/support/read-cell.ts";
import type { ConceptRows } from "../row.ts";

export const ROWS = {
  callTool: {
    answers: 200,
    body: ({ ids }) => ({ session_id: ids.session_id }),
    places: [
      {
        where: "body session_id",
        id: ({ ids }) => ids.session_id,
        body: (session_id) => ({ session_id }),
        refused: 404,
      },
    ],
    shows: [],
    stores: ["+audit_entries"],
    refusedBy: ["running_replies", "database_bytes"],
  },
} satisfies ConceptRows;

export const KEYED = {
  /** Its server cannot be reached, which is a result. */
  async callTool() {
    const { call } = await makeTenant();
    const tools = [{ type: "http", name: "refund", url: "https://shop.example/refund" }];
    const json = { name: "Desk", tools };
    const { json: agent } = await ask<Agent>("POST", "/v1/agents", { ...call, json });
    return {
      path: `/v1/agents/${agent.id}/tools/refund/call`,
      call,
      json: { input: { order: 1 } },
      other: { input: { order: 2 } },
      count: () =>
        countRows(
          "SELECT count(*) AS found FROM audit_entries WHERE action = 'tool.called' AND target_id = ?",
          agent.id,
        ),
    };
  },
} satisfies KeyedRequests;

/** The refund desk of the example has an http tool that asks; another agent has an external one, and denies. */
export async function askAll(api: DocumentedApi): Promise<void> {
  const { call } = await makeTenant();
  const agent = await makeAgent(call, api.exampleOf("createAgent", "refundDesk") as object);
  const [tool] = agent.tools;
  const input = { order_id: "A-1003" };
  const place = { agent_id: agent.id, tool_name: tool && "name" in tool ? tool.name : "" };
  await api.ask("callTool", place, { ...call, json: { input } });
  const other = await makeAgent(call, {
    name: "Other",
    tools: [
      { type: "http", name: "refund", url: "https://shop.example/refund" },
      { type: "external", name: "label" },
    ],
    permission: { mode: "default", rules: [{ tool_name: "refund", behavior: "deny" }] },
  });
  const otherPlace = { agent_id: other.id };
  await api.ask("callTool", { ...otherPlace, tool_name: "refund" }, { ...call, json: {} });
  await api.ask("callTool", { ...otherPlace, tool_name: "label" }, { ...call, json: {} });
  const { id: session_id } = await makeSession(call, otherPlace);
  await api.ask("callTool", place, { ...call, json: { session_id } });
}
