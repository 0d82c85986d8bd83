// Warnings about rules, tools and hooks of one session that say nothing: in the answers of writes, and as a refusal.
import { expect, onTestFinished, test } from "vitest";

import type { WrittenAgent } from "../../../protocol/agents/contract.ts";
import type { WrittenSessionHooks } from "../../../protocol/hooks/contract.ts";
import type { AddedRules, CheckedRules } from "../../../protocol/permission/contract.ts";
import type { Problem } from "../../../protocol/problem.ts";
import type { WrittenSession } from "../../../protocol/sessions/contract.ts";
import { startAskingServer } from "../../support/mcp/asking-server.ts";
import { createTenant, openRequest, request } from "../../support/platform-client.ts";

const SCHEMA = {
  type: "object",
  properties: { reason: { type: "string", enum: ["late", "broken"] } },
  required: ["reason"],
};
const REFUND = {
  type: "external",
  name: "refund_order",
  input_schema: SCHEMA,
  rule_argument: "/reason",
};
const MISSPELLED = { tool_name: "refund_ordr", behavior: "deny" };
const MISSPELLED_WORDS =
  "the session has no tool refund_ordr; did you mean `refund_order`? Only one that a page brings could have this name";
const HOOK = {
  type: "http",
  point: "pre_acting",
  url: "https://shop.example/hook",
};

type Answer = Omit<WrittenAgent & WrittenSession, "permission" | "hooks" | "status"> &
  Pick<WrittenSessionHooks, "hooks" | "version"> &
  Pick<AddedRules, "data"> &
  Pick<Problem, "code" | "errors">;

async function openDesk(definition: object = {}) {
  const { key } = await createTenant();
  const ask = async (method: string, path: string, body?: object, headers = {}) => {
    const { status, body: answer } = await request<Answer>(method, path, { key, body, headers });
    return { ...answer, status };
  };
  const made = await ask("POST", "/v1/agents", { name: "Desk", tools: [REFUND], ...definition });
  const opened = await ask("POST", "/v1/sessions", { agent_id: made.id });
  const rules = `/v1/sessions/${opened.id}/permission-rules`;
  return { ask, key, agentId: made.id, sessionId: opened.id, rules };
}

test("rules that decide about no call of the session are added and warned of, unless the request is strict", async () => {
  const { ask, rules } = await openDesk({
    permission: { rules: [{ tool_name: "refund_order", behavior: "deny" }] },
  });
  const written = [
    MISSPELLED,
    { tool_name: "refund_order", rule_content: "lost", behavior: "deny" },
    { tool_name: "refund_order", rule_content: "late", behavior: "allow" },
    { tool_name: "read_tool_result", behavior: "deny" },
  ];

  const checked = await ask("POST", `${rules}?validate_only=true`, { rules: written });
  const refused = await ask("POST", `${rules}?validate_only=true&strict=true`, { rules: written });
  const unwritten = await ask("POST", `${rules}?strict=true`, { rules: written });
  const misspelled = await ask("POST", `${rules}?stritc=true`, { rules: written });
  const before = await ask("GET", rules);
  const added = await ask("POST", rules, { rules: written });
  const again = await ask("POST", rules, { rules: written });
  const sound = await ask("POST", `${rules}?strict=true`, { rules: [written[3]!] });

  const warnings = [
    { pointer: "#/rules/0/tool_name", detail: MISSPELLED_WORDS },
    {
      pointer: "#/rules/1",
      detail: "rule 0 of the agent decides every call of refund_order that this one could",
    },
    {
      pointer: "#/rules/2",
      detail: "rule 0 of the agent decides every call of refund_order that this one could",
    },
  ];
  expect([checked.status, checked.warnings]).toEqual([200, warnings]);
  expect((checked as unknown as CheckedRules).data[0]).toEqual({
    ...MISSPELLED,
    rule_content: null,
    source: "session",
  });
  for (const { status, code, errors } of [refused, unwritten]) {
    expect([status, code, errors]).toEqual([400, "validation_failed", warnings]);
  }
  expect([misspelled.status, misspelled.errors?.[0]?.pointer]).toEqual([400, "#/query/stritc"]);
  expect(before.data.map(({ scope }) => scope)).toEqual(["agent"]);
  expect([added.status, added.data.length, added.warnings]).toEqual([201, 4, warnings]);
  expect([again.data, again.warnings]).toEqual([added.data, warnings]);
  expect([sound.status, sound.warnings]).toEqual([201, undefined]);
});

test("a repeated strict request is answered as it was, whatever has become of the agent since", async () => {
  const { ask, agentId, sessionId, rules } = await openDesk();
  await ask("PATCH", `/v1/sessions/${sessionId}`, { agent_version: "latest" });
  const strict = () =>
    ask(
      "POST",
      `${rules}?strict=true`,
      { rules: [{ tool_name: "refund_order", behavior: "ask" }] },
      { "Idempotency-Key": "strict-1" },
    );

  const first = await strict();
  await ask("PATCH", `/v1/agents/${agentId}`, { tools: [] });
  const repeated = await strict();
  const other = await ask("POST", `${rules}?strict=true`, {
    rules: [{ tool_name: "refund_order", behavior: "deny" }],
  });

  expect([first.status, first.warnings]).toEqual([201, undefined]);
  expect(repeated).toEqual(first);
  expect([other.status, other.errors?.[0]?.detail]).toEqual([
    400,
    "the session has no tool refund_order. Only one that a page brings could have this name",
  ]);
});

test("rules and tools that a session is opened with are warned of, and those that a change leaves without a call", async () => {
  const { ask, agentId } = await openDesk();
  const tool = { ...REFUND, name: "track_order", rule_argument: "/reasn" };
  const settings = {
    agent_id: agentId,
    tools: [tool],
    permission: { rules: [MISSPELLED, { tool_name: "track_order", behavior: "ask" }] },
  };

  const refused = await ask("POST", "/v1/sessions?strict=true", settings);
  const opened = await ask("POST", "/v1/sessions", settings);
  const path = `/v1/sessions/${opened.id}`;
  const read = await ask("GET", path);
  const kept = await ask("PATCH", `${path}?strict=true`, { tools: [] });
  const dropped = await ask("PATCH", path, { tools: [] });
  await ask("PATCH", `/v1/agents/${agentId}`, {
    tools: [{ ...REFUND, name: "refund_ordr" }],
  });
  const moved = await ask("PATCH", `${path}?strict=true`, { agent_version: 2 });
  const back = await ask("PATCH", `${path}?strict=true`, { agent_version: 1 });
  const fork = await ask("POST", `${path}/fork`, { agent_version: 1 });

  const warnings = [
    {
      pointer: "#/tools/0/rule_argument",
      detail: "the input_schema has no property reasn; did you mean `reason`?",
    },
    { pointer: "#/permission/rules/0/tool_name", detail: MISSPELLED_WORDS },
  ];
  const lost = (pointer: string, words: string) => [
    {
      pointer,
      detail: expect.stringMatching(new RegExp(`^the session's rule rul_\\w+: .*${words}`)),
    },
  ];
  expect([refused.status, refused.errors]).toEqual([400, warnings]);
  expect([opened.status, opened.warnings, read.warnings]).toEqual([201, warnings, undefined]);
  expect([kept.status, kept.errors]).toEqual([400, lost("#/tools", "no tool track_order")]);
  expect([dropped.status, dropped.warnings]).toEqual([200, lost("#/tools", "no tool track_order")]);
  expect([moved.status, moved.warnings]).toEqual([200, undefined]);
  expect([back.status, back.errors]).toEqual([400, lost("#/agent_version", "refund_ordr")]);
  expect([fork.status, fork.warnings]).toEqual([
    201,
    [
      {
        pointer: "#/agent_version",
        detail: `the session's rule on refund_ordr: ${MISSPELLED_WORDS}`,
      },
    ],
  ]);
});

test("a tool of an MCP server is warned of once its catalogue is kept, and one of a page only where it is misspelled", async () => {
  const mcp = await startAskingServer("modern");
  onTestFinished(() => mcp.stop());
  const { ask, key, agentId, sessionId, rules } = await openDesk();
  const server = await ask("POST", "/v1/mcp-servers", { name: "travel", url: mcp.url });
  await ask("PATCH", `/v1/agents/${agentId}`, {
    tools: [REFUND, { type: "mcp", server_id: server.id }],
  });
  await ask("PATCH", `/v1/sessions/${sessionId}`, { agent_version: "latest" });
  const check = (...names: readonly string[]) =>
    ask("POST", `${rules}?validate_only=true`, {
      rules: names.map((tool_name) => ({ tool_name, behavior: "ask" })),
    });

  const unknown = await check("mcp__travel__surveys");
  await ask("GET", `/v1/mcp-servers/${server.id}/tools`);
  const known = await check("mcp__travel__surveys", "mcp__travel__survey", "show_map");
  const run = await openRequest("POST", `/v1/agents/${agentId}/ag-ui`, {
    key,
    body: {
      threadId: sessionId,
      runId: "run-1",
      state: {},
      messages: [{ id: "m1", role: "user", content: "/say Hello." }],
      tools: [{ name: "show_map", description: "Shows a map.", parameters: SCHEMA }],
      context: [],
      forwardedProps: {},
    },
  });
  await run.text();
  const onPage = await check("show_map", "open_page", "show_mpa");

  expect(unknown.warnings).toBeUndefined();
  expect(known.warnings?.map(({ pointer }) => pointer)).toEqual([
    "#/rules/0/tool_name",
    "#/rules/2/tool_name",
  ]);
  expect(onPage.warnings).toEqual([
    {
      pointer: "#/rules/2/tool_name",
      detail:
        "the session has no tool show_mpa; did you mean `show_map`? Only one that a page brings could have this name",
    },
  ]);
});

test("a hook of the session that asks what another one asks is set and warned of, unless the request is strict", async () => {
  const { ask, sessionId } = await openDesk({ hooks: [{ ...HOOK, name: "agent" }] });
  const path = `/v1/sessions/${sessionId}/hooks`;
  const other = { ...HOOK, url: "https://shop.example/other" };
  const hooks = [
    { ...other, name: "a" },
    { ...other, name: "b" },
    { ...HOOK, name: "c" },
  ];

  const checked = await ask("PUT", `${path}?validate_only=true`, { hooks });
  const refused = await ask("PUT", `${path}?strict=true`, { hooks });
  const before = await ask("GET", path);
  const written = await ask("PUT", path, { hooks });
  const mended = await ask("PUT", `${path}?strict=true`, { hooks: hooks.slice(0, 1) });

  const words = "asks this address at pre_acting too: it is asked twice about everything";
  const warnings = [
    { pointer: "#/hooks/1/url", detail: `hook 0 ${words}` },
    { pointer: "#/hooks/2/url", detail: `hook 0 of the agent ${words}` },
  ];
  expect([checked.status, checked.hooks.length, checked.warnings]).toEqual([200, 3, warnings]);
  expect([refused.status, refused.errors]).toEqual([400, warnings]);
  expect([before.hooks, before.version]).toEqual([[], 0]);
  expect([written.status, written.warnings, written.version]).toEqual([200, warnings, 1]);
  expect([mended.status, mended.warnings, mended.version]).toEqual([200, undefined, 2]);
});
