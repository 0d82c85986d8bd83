// The demo's tenant, agent and session over starts of different versions.
import { expect, inject, test } from "vitest";

import { provisionDemo } from "../../../scripts/provision-demo.ts";
import { request } from "../../support/platform-client.ts";

interface ReadAgent {
  readonly version: number;
  readonly tools: readonly { readonly name: string; readonly url?: string }[];
  readonly permission: { readonly rules: readonly { readonly tool_name: string }[] };
}

const baseUrl = inject("baseUrl");
const operatorKey = inject("operatorKey");

function provision(known: object, toolsPort = 4001) {
  return provisionDemo({ baseUrl, operatorKey, toolsPort, known });
}

async function readAgent({ api_key, agent_id }: { api_key: string; agent_id: string }) {
  const { body } = await request<ReadAgent>("GET", `/v1/agents/${agent_id}`, { key: api_key });
  return {
    version: body.version,
    tools: body.tools.map(({ name, url }) => [name, url ?? null]),
    rules: body.permission.rules.map(({ tool_name }) => tool_name),
  };
}

const TOOLS = [
  ["lookup_order", "http://127.0.0.1:4001/lookup_order"],
  ["refund_order", "http://127.0.0.1:4001/refund_order"],
  ["print_label", null],
];

test("a second start uses what the first one made", async () => {
  const first = await provision({});

  expect(await provision(first)).toEqual(first);
  expect(await readAgent(first)).toEqual({ version: 1, tools: TOOLS, rules: ["print_label"] });
});

test("an agent of an earlier version gets the tools and rules of today, and a session with them", async () => {
  const first = await provision({});
  const path = `/v1/agents/${first.agent_id}`;
  const { tools } = (await request<{ tools: object[] }>("GET", path, { key: first.api_key })).body;
  const older = { tools: tools.slice(0, 2), permission: { mode: "default", rules: [] } };
  await request("PATCH", path, { key: first.api_key, body: older });
  const session = await request<{ id: string }>("POST", "/v1/sessions", {
    key: first.api_key,
    body: { agent_id: first.agent_id },
  });

  const second = await provision({ ...first, session_id: session.body.id });

  expect(await readAgent(second)).toEqual({ version: 3, tools: TOOLS, rules: ["print_label"] });
  expect([second.api_key, second.agent_id]).toEqual([first.api_key, first.agent_id]);
  const opened = await request<{ agent_version: number }>(
    "GET",
    `/v1/sessions/${second.session_id}`,
    { key: second.api_key },
  );
  expect(opened.body.agent_version).toBe(3);
});

test("tools that moved to another port are found there", async () => {
  const first = await provision({});

  const second = await provision(first, 4002);

  expect((await readAgent(second)).tools[0]).toEqual([
    "lookup_order",
    "http://127.0.0.1:4002/lookup_order",
  ]);
  expect(second.session_id).not.toBe(first.session_id);
});
