// Tools of MCP servers in groups, switched alone, called by hand, and beside a session's own tools.
import { expect, it, onTestFinished } from "vitest";

import type { SessionToolGroups } from "../../../protocol/tool-groups/contract.ts";
import { BROAD } from "../../support/breadth.ts";
import { offeredTools, openMcpDesk, type McpDesk } from "../../support/mcp/mcp-desk.ts";
import { startOfficialServer } from "../../support/mcp/official-server.ts";
import { createTenant, request } from "../../support/platform-client.ts";

interface Problem {
  readonly code: string;
  readonly detail: string;
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[];
}

const FIND = "mcp__wh__find_order";
const CALL = `/call ${FIND} {"order_id":"A-1"}`;
const ORDERS = { name: "orders", description: "Finds orders.", tools: [FIND] };
const GROUPS = { tool_groups: [ORDERS], meta_tool: true };

async function open(agent: object = {}) {
  const mcp = await startOfficialServer("modern");
  onTestFinished(() => mcp.stop());
  return { mcp, desk: await openMcpDesk(mcp.url, { agent }) };
}

function equipmentOf({ key, path }: McpDesk) {
  const groups = `${path}/tool-groups`;
  return {
    get: async () => (await request<SessionToolGroups>("GET", groups, { key })).body,
    put: (body: object) => request<SessionToolGroups & Problem>("PUT", groups, { key, body }),
  };
}

it("a group has tools of a server, and the model has them while it is active", async () => {
  const { mcp, desk } = await open(GROUPS);
  const early = await desk.say(`${CALL}\n/then\n/say No.`);
  const before = await offeredTools(desk);
  const late = await desk.say(
    `/call reset_equipped_tools {"orders":true}\n/then\n${CALL}\n/then\n/say Found.`,
  );

  expect([early.status, early.results[0]?.["state"], before.includes("mcp__wh__look")]).toEqual([
    "completed",
    "error",
    true,
  ]);
  expect(desk.textOf(early.results[0])).toContain(`The tool ${FIND} is in the group orders`);
  expect(before).not.toContain(FIND);
  expect(late.results.map(({ state }) => state)).toEqual(["success", "success"]);
  expect(mcp.calls).toEqual([{ name: "find_order", input: { order_id: "A-1" } }]);
  expect(await offeredTools(desk)).toContain(FIND);
});

it("a tool of a server is switched before any reply has asked the server", async () => {
  const { mcp, desk } = await open();
  const { get, put } = equipmentOf(desk);
  const unknown = (await get()).tools;
  const { status } = await put({ tools: [{ name: FIND, switched: "off" }] });
  const reply = await desk.say(`${CALL}\n/then\n/say No.`);
  const shown = await get();
  const again = await put(shown);

  expect([unknown, status]).toEqual([[], 200]);
  expect(desk.textOf(reply.results[0])).toContain(`The tool ${FIND} was switched off`);
  expect(mcp.calls).toEqual([]);
  expect(shown.tools.find(({ name }) => name === FIND)).toEqual({
    name: FIND,
    origin: "agent",
    group: null,
    switched: "off",
    active: false,
  });
  expect(shown.tools.find(({ name }) => name === "mcp__wh__look")).toMatchObject({ active: true });
  expect([again.status, again.body.version]).toEqual([200, shown.version]);
});

it("tools in groups are shown before their server was asked", BROAD, async () => {
  const { desk } = await open(GROUPS);

  expect((await equipmentOf(desk).get()).tools).toEqual([
    { name: FIND, origin: "agent", group: "orders", switched: null, active: false },
  ]);
});

it.each([
  ["names a server's tool without a server", [ORDERS], "#/tool_groups/0/tools/0"],
  [
    "has 129 tools",
    [
      { ...ORDERS, tools: Array.from({ length: 128 }, (_, index) => `mcp__wh__${index}`) },
      { ...ORDERS, name: "more" },
    ],
    "#/tool_groups",
  ],
])("a definition whose groups are one that %s is refused", async (why, tool_groups, pointer) => {
  const { desk } = await open();
  const isBare = why.endsWith("without a server");
  const tools = isBare ? [] : [{ type: "mcp", server_id: desk.server_id }];
  const answer = await request<Problem>("POST", "/v1/agents", {
    key: desk.key,
    body: { name: "A", tools, tool_groups },
  });

  expect([answer.status, answer.body.errors?.map((one) => one.pointer)]).toEqual([400, [pointer]]);
});

it("a session's own tools are none of a server's, and have no name of one", BROAD, async () => {
  const { desk } = await open();
  const { key, agent: agent_id } = desk;
  const post = async (tool: object) => {
    const body = { agent_id, tools: [tool] };
    const answer = await request<Problem>("POST", "/v1/sessions", { key, body });
    return [answer.status, answer.body.errors?.map(({ pointer }) => pointer)];
  };
  const patch = await request<Problem>("PATCH", desk.path, {
    key,
    body: { tools: [{ type: "external", name: FIND }] },
  });

  expect(await post({ type: "mcp", server_id: desk.server_id })).toEqual([400, ["#/tools/0/type"]]);
  expect(await post({ type: "external", name: FIND })).toEqual([400, ["#/tools/0/name"]]);
  expect([patch.status, patch.body.errors?.[0]?.pointer]).toEqual([400, "#/tools/0/name"]);
});

it("a call by hand of a server's tool is sent to the server's own route", BROAD, async () => {
  const { mcp, desk } = await open();
  const call = (name: string) =>
    request<Problem>("POST", `/v1/agents/${desk.agent}/tools/${name}/call`, {
      key: desk.key,
      body: { input: { order_id: "A-1" } },
    });
  const refused = await call(FIND);
  const missing = await call("find_order");

  expect([refused.status, refused.body.code]).toEqual([409, "conflict"]);
  expect(refused.body.detail).toContain("POST /v1/mcp-servers/{mcp_server_id}/tools/");
  expect([missing.status, mcp.calls]).toEqual([404, []]);
});

it("a server's tools of another tenant cannot be switched by their name", async () => {
  const { desk } = await open();
  const { key } = await createTenant();
  const answer = await request("PUT", `${desk.path}/tool-groups`, {
    key,
    body: { tools: [{ name: FIND, switched: "off" }] },
  });

  expect(answer.status).toBe(404);
});
