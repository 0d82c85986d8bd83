// Switches that an end user's token may set: those that the agent itself could, and no more.
import { beforeAll, describe, expect, it } from "vitest";

import type { SessionToolGroups } from "../../../protocol/tool-groups/contract.ts";
import { createAgent, createTenant, request } from "../../support/platform-client.ts";

const external = (name: string) => ({ type: "external", name, read_only: true });
const AGENT = {
  tools: [external("look_up"), external("open_page")],
  tool_groups: [{ name: "web", description: "Web pages.", tools: ["open_page"] }],
  meta_tool: true,
};
const ON = { groups: [{ name: "web", switched: "on" }] };

let key: string;
beforeAll(async () => {
  ({ key } = await createTenant());
});

async function openDesk(agent: object = {}) {
  const agent_id = await createAgent(key, { ...AGENT, ...agent });
  const { body } = await request<{ readonly id: string }>("POST", "/v1/sessions", {
    key,
    body: { agent_id, agent_version: "latest" },
  });
  const path = `/v1/sessions/${body.id}`;
  const minted = await request<{ readonly token: string }>("POST", `${path}/tokens`, {
    key,
    body: { verbs: ["read", "reply"] },
  });
  const put = (by: string, given: object) =>
    request<SessionToolGroups>("PUT", `${path}/tool-groups`, { key: by, body: given });
  return { agent_id, path, put, token: minted.body.token };
}

describe("a client token", () => {
  it("switches no groups where a rule denies the agent to choose them", async () => {
    const rule = { tool_name: "reset_equipped_tools", behavior: "deny" };
    const ofAgent = await openDesk({ permission: { rules: [rule] } });
    const ofSession = await openDesk();
    await request("POST", `${ofSession.path}/permission-rules`, { key, body: { rules: [rule] } });
    const refused = [
      await ofAgent.put(ofAgent.token, ON),
      await ofSession.put(ofSession.token, ON),
    ];
    expect(refused.map(({ status }) => status)).toEqual([403, 403]);
    expect((await ofAgent.put(key, ON)).status).toBe(200);
  });

  it("switches groups that a rule asks about only where it may confirm", async () => {
    const rule = { tool_name: "reset_equipped_tools", behavior: "ask" };
    const desk = await openDesk({ permission: { rules: [rule] } });
    const confirming = await request<{ readonly token: string }>("POST", `${desk.path}/tokens`, {
      key,
      body: { verbs: ["read", "reply", "confirm"] },
    });
    const scopes = ["sessions:read", "replies:write"];
    const narrow = await request<{ readonly api_key: string }>("POST", "/v1/api-keys", {
      key,
      body: { scopes },
    });
    const refused = [await desk.put(desk.token, ON), await desk.put(narrow.body.api_key, ON)];

    expect(refused.map(({ status, body }) => [status, body])).toMatchObject([
      [403, { required_scope: "confirmations:write" }],
      [403, { required_scope: "confirmations:write" }],
    ]);
    expect((await desk.put(confirming.body.token, ON)).status).toBe(200);
    expect((await desk.put(desk.token, ON)).status).toBe(200);
  });

  it("switches groups also when a tool that was switched off is gone, and that tool comes back switched off", async () => {
    const { agent_id, path, put, token } = await openDesk();
    await put(key, { tools: [{ name: "look_up", switched: "off" }] });
    const patch = (tools: readonly object[]) =>
      request("PATCH", `/v1/agents/${agent_id}`, { key, body: { tools } });
    const reply = () => request("POST", `${path}/replies`, { key, body: { input: "/say hi" } });
    await patch([external("open_page")]);
    await reply();
    expect((await put(token, ON)).status).toBe(200);
    await patch(AGENT.tools);
    await reply();
    const { body } = await request<SessionToolGroups>("GET", `${path}/tool-groups`, { key });
    expect(body.tools.map(({ name, active }) => [name, active])).toEqual([
      ["look_up", false],
      ["open_page", true],
    ]);
  });
});
