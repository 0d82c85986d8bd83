// Warnings about parts of an agent that say nothing: in the answers of writes and of a check, and as a refusal.
import { expect, onTestFinished, test } from "vitest";

import type { WrittenAgent } from "../../../protocol/agents/contract.ts";
import type { AgentCheck } from "../../../protocol/agents/agent-check.ts";
import type { Problem } from "../../../protocol/problem.ts";
import { startAskingServer } from "../../support/mcp/asking-server.ts";
import { createTenant, request } from "../../support/platform-client.ts";

const PERMISSION = {
  rules: [{ tool_name: "refund_ordr", rule_content: null, behavior: "deny", source: "test" }],
};
const TOOL = { type: "external", name: "refund_order" };
const DESK = { name: "Desk", tools: [TOOL], permission: PERMISSION };
const WARNED = [
  {
    pointer: "#/permission/rules/0/tool_name",
    detail: expect.stringContaining("did you mean `refund_order`?") as string,
  },
];

test("a write is done and warned of, unless it is strict; reading says nothing of it", async () => {
  const { key } = await createTenant();
  const write = (method: string, path: string, body: object) =>
    request<WrittenAgent & Problem>(method, path, { key, body });

  const validated = await write("POST", "/v1/agents?validate_only=true", DESK);
  const refused = await write("POST", "/v1/agents?validate_only=true&strict=true", DESK);
  const unwritten = await write("POST", "/v1/agents?strict=true", DESK);
  const none = (await request<{ data: object[] }>("GET", "/v1/agents", { key })).body.data;
  const made = await write("POST", "/v1/agents", DESK);
  const path = `/v1/agents/${made.body.id}`;
  const named = await write("PATCH", path, { name: "Desk 2" });
  const strict = await write("PATCH", `${path}?strict=true`, { name: "Desk 3" });
  const mended = await write("PATCH", `${path}?strict=true`, { permission: { rules: [] } });
  const read = await request<WrittenAgent>("GET", path, { key });

  expect([validated, made, named].map(({ status, body }) => [status, body.warnings])).toEqual([
    [200, WARNED],
    [201, WARNED],
    [200, WARNED],
  ]);
  for (const { status, body } of [refused, unwritten, strict]) {
    expect([status, body.code, body.errors]).toEqual([400, "validation_failed", WARNED]);
  }
  expect(none).toEqual([]);
  expect([mended.status, mended.body.warnings]).toEqual([200, undefined]);
  expect([read.body.version, read.body.name, read.body.warnings]).toEqual([3, "Desk 2", undefined]);
});

test("what an MCP server does not list is warned of when its catalogue is kept; a check asks for it", async () => {
  const mcp = await startAskingServer("modern");
  onTestFinished(() => mcp.stop());
  const { key } = await createTenant();
  const server = await request<{ id: string }>("POST", "/v1/mcp-servers", {
    key,
    body: { name: "travel", url: mcp.url },
  });
  const tool = { type: "mcp", server_id: server.body.id, permissions: { surveys: "allow" } };

  const made = await request<WrittenAgent>("POST", "/v1/agents", {
    key,
    body: { name: "Desk", tools: [tool] },
  });
  const path = `/v1/agents/${made.body.id}`;
  await request("GET", `/v1/mcp-servers/${server.body.id}/tools`, { key });
  const checked = await request<AgentCheck>("POST", `${path}/check`, { key, body: {} });
  const renamed = await request<WrittenAgent>("PATCH", path, { key, body: { name: "Desk 2" } });

  const warned = [
    {
      pointer: "#/tools/0/permissions/surveys",
      detail:
        "travel lists no tool surveys, as far as its catalogue is known; did you mean `survey`?",
    },
  ];
  expect(made.body.warnings).toBeUndefined();
  expect([checked.status, checked.body.ok, checked.body.warnings]).toEqual([200, true, warned]);
  expect(renamed.body.warnings).toEqual(warned);
});
