// Questions of a tool to a person, and a sign-in, as clients of an agent over MCP see them.
import { expect, it, onTestFinished } from "vitest";

import { callTool, openMcpDesk } from "../../support/mcp-desk.ts";
import { startAskingServer } from "../../support/mcp/asking-server.ts";
import { startAuthorizationServer } from "../../support/mcp/authorization-server.ts";
import { createAgent, request } from "../../support/platform-client.ts";

/** @param server Beside its name. */
async function open(server: object) {
  const desk = await openMcpDesk();
  const { key } = desk;
  const made = await request<{ id: string }>("POST", "/v1/mcp-servers", {
    key,
    body: { name: "wh", ...server },
  });
  const tools = [{ type: "mcp", server_id: made.body.id, permissions: { "*": "allow" } }];
  const agentId = await createAgent(key, { name: "Desk", tools });
  return { ...desk, server_id: made.body.id, path: `/v1/agents/${agentId}/mcp` };
}

it("a question is in the result, and its answer is given with `resume`", async () => {
  const mcp = await startAskingServer("modern");
  onTestFinished(() => mcp.stop());
  const desk = await open({ url: mcp.url });
  const message = "/call mcp__wh__book {}\n/say Booked.";
  const asked = await callTool(desk, "ask_desk", { message });
  const { session_id = "", pending = [] } = asked.structuredContent ?? {};
  const call_id = pending[0]?.call_id ?? "";
  expect(pending[0]).toMatchObject({
    kind: "external_result",
    question: "Which seat?",
    elicitation: { server: "wh", round: 1, requests: { seat: { mode: "form" } } },
  });
  const output = '{"action":"accept","content":{"seat":"12A"}}';
  const answers = [{ call_id, output }];
  const done = await callTool(desk, "resume_desk", { session_id, answers });

  expect(done.structuredContent?.status).toBe("completed");
  expect(mcp.heard).toEqual([
    { seat: { action: "accept", content: { seat: "12A" } }, state: "state of book" },
  ]);
});

it("a sign-in is in the result, with its address", async () => {
  const server = await startAuthorizationServer();
  onTestFinished(() => server.stop());
  const desk = await open({ url: server.mcpUrl, oauth: { grant: "authorization_code" } });
  const message = "/call mcp__wh__sign_in {}\n/say Thanks.";
  const asked = await callTool(desk, "ask_desk", { message });
  const url = expect.stringContaining(`${server.url}/authorize?`) as string;

  expect(asked.structuredContent?.pending[0]).toMatchObject({
    authorization: { mcp_server_id: desk.server_id, url },
  });
  expect(asked.content[0]?.text).toContain(`${server.url}/authorize?`);
});

it("a question of an agent that the agent has called is in the result, and is answered there", async () => {
  const desk = await openMcpDesk();
  const { key } = desk;
  const refund = { type: "external", name: "refund" };
  const agent_id = await createAgent(key, { name: "Helper", tools: [refund] });
  const helper = { type: "agent", name: "helper", agent_id, read_only: true };
  const caller = await createAgent(key, { name: "Desk", tools: [helper] });
  const path = `/v1/agents/${caller}/mcp`;
  const input = JSON.stringify({ message: "/call refund {}\n/say Refunded." });
  const call = { ...desk, path };

  const asked = await callTool(call, "ask_desk", {
    message: `/call helper ${input}\n/say Thanks.`,
  });
  const { session_id = "", status, pending = [] } = asked.structuredContent ?? {};
  const [question] = pending;
  const call_id = question?.call_id ?? "";
  const input_hash = question?.input_hash;
  const answers = [{ call_id, approved: true, ...(input_hash && { input_hash }) }];
  const allowed = await callTool(call, "resume_desk", { session_id, answers });
  const wanted = allowed.structuredContent?.pending[0];
  const given = [{ call_id, output: "Paid." }];
  const done = await callTool(call, "resume_desk", { session_id, answers: given });

  expect([status, pending.map(({ kind, tool }) => [kind, tool])]).toEqual([
    "waiting",
    [["permission", "refund"]],
  ]);
  expect([wanted?.kind, wanted?.call_id]).toEqual(["external_result", call_id]);
  expect(done.structuredContent?.status).toBe("completed");
  expect(done.content.map(({ text }) => text).join("")).toContain("Thanks.");
});
