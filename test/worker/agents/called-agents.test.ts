// An agent calls another one: the call is a session of its own, for which the reply waits without an execution.
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";

import type { Page } from "../../../protocol/schemas/common.ts";
import type { LoggedEvent } from "../../../protocol/events.ts";
import type { ToolResultBlock } from "../../../protocol/messages/blocks.ts";
import type { Reply } from "../../../protocol/replies/contract.ts";
import type { Session, SessionPage } from "../../../protocol/sessions/contract.ts";
import { ask, makeAgent, makeSession, makeTenant, type Call } from "../support/api.ts";

const SCRIPTED = { provider: "scripted", name: "refund-desk" } as const;
const HELPER = { name: "Helper", model: SCRIPTED };

interface Desk {
  readonly call: Call;
  readonly tenantId: string;
  readonly session: Session;
  readonly helperId: string;
}

function agentTool(agent_id: string, more: object = {}) {
  return { type: "agent", name: "helper", agent_id, read_only: true, ...more };
}

async function openDesk(helper: object = {}, tool: object = {}, desk: object = {}): Promise<Desk> {
  const { id: tenantId, call } = await makeTenant();
  const { id: helperId } = await makeAgent(call, { ...HELPER, ...helper });
  const tools = [agentTool(helperId, tool)];
  const agent = await makeAgent(call, { name: "Desk", model: SCRIPTED, tools, ...desk });
  const session = await makeSession(call, { agent_id: agent.id, end_user_id: "ada" });
  return { call, tenantId, session, helperId };
}

function callHelper(message: string): string {
  return `/call helper ${JSON.stringify({ message })}`;
}

async function begin({ call, session }: Desk, input: string): Promise<string> {
  const path = `/v1/sessions/${session.id}/replies`;
  const { json } = await ask<Reply>("POST", path, { ...call, json: { input, background: true } });
  return json.id;
}

async function readReply({ call, session }: Desk, id: string, wait = 0): Promise<Reply> {
  const path = `/v1/sessions/${session.id}/replies/${id}?wait=${wait}`;
  return (await ask<Reply>("GET", path, call)).json;
}

async function ended(desk: Desk, id: string): Promise<Reply> {
  await expect.poll(async () => (await readReply(desk, id)).status).not.toBe("running");
  return readReply(desk, id);
}

async function run(desk: Desk, input: string): Promise<Reply> {
  return ended(desk, await begin(desk, input));
}

async function childrenOf({ call, session }: Desk) {
  const path = `/v1/sessions?parent_session_id=${session.id}`;
  return (await ask<SessionPage>("GET", path, call)).json.data;
}

function resultsIn({ message }: Reply): readonly ToolResultBlock[] {
  return (message?.content ?? []).flatMap((block) => (block.type === "tool_result" ? [block] : []));
}

function textOf({ output }: ToolResultBlock): string {
  if (typeof output === "string") return output;
  return output.map((block) => (block.type === "text" ? block.text : "")).join("");
}

describe("a call of an agent", () => {
  it("is a session of that agent, whose words are the result", async () => {
    const desk = await openDesk();
    const reply = await run(desk, `${callHelper("/say The parcel left.")}\n/say Thanks.`);
    const children = await childrenOf(desk);

    expect(reply.status).toBe("completed");
    expect(resultsIn(reply).map(textOf)).toEqual(["The parcel left."]);
    expect(
      children.map(({ agent_id, end_user_id, parent_session_id }) => [
        agent_id,
        end_user_id,
        parent_session_id,
      ]),
    ).toEqual([[desk.helperId, "ada", desk.session.id]]);
    expect(reply.subagents).toEqual([
      expect.objectContaining({ session_id: children[0]?.id, status: "ended" }),
    ]);
  });
});
