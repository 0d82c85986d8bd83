import { describe, expect, test } from "vitest";

import type { ApiKey } from "../../../protocol/keys/contract.ts";
import type { Page } from "../../../protocol/schemas/common.ts";
import { ask, makeAgent, makeTenant, refusalOf } from "../support/api.ts";

describe("one tenant and another", () => {
  test("an agent's id is worth nothing in another tenant's hands", async () => {
    const [owner, stranger] = [await makeTenant("Owner"), await makeTenant("Stranger")];
    const agent = await makeAgent(owner.call, { name: "Secret desk", system_prompt: "the recipe" });
    const path = `/v1/agents/${agent.id}`;

    const answers = [
      await ask("GET", path, stranger.call),
      await ask("PATCH", path, { ...stranger.call, json: { name: "Mine now" } }),
      await ask("DELETE", path, stranger.call),
      await ask("POST", "/v1/sessions", { ...stranger.call, json: { agent_id: agent.id } }),
    ];

    const missing = `/v1/agents/agt_${"0".repeat(26)}`;
    const nothing = await ask("GET", missing, stranger.call);
    expect(answers.map(refusalOf)).toEqual([
      refusalOf(nothing),
      refusalOf(nothing),
      refusalOf(nothing),
      { status: 404, code: "not_found", pointers: ["#/agent_id"] },
    ]);
    expect(answers[0]?.json).toEqual({ ...nothing.json, request_id: answers[0]?.json.request_id });
    expect((await ask("GET", path, owner.call)).json).toEqual(agent);
  });

  test("lists hold the caller's own rows and no others", async () => {
    const [owner, stranger] = [await makeTenant("Owner"), await makeTenant("Stranger")];
    await makeAgent(owner.call);

    const agents = await ask<Page<unknown>>("GET", "/v1/agents", stranger.call);
    const sessions = await ask<Page<unknown>>("GET", "/v1/sessions", stranger.call);
    const keys = await ask<Page<ApiKey>>("GET", "/v1/api-keys", stranger.call);

    expect([
      agents.json.data,
      sessions.json.data,
      keys.json.data.map((key) => key.tenant_id),
    ]).toEqual([[], [], [stranger.id]]);
  });

  test("a page token of one tenant shows another nothing of it", async () => {
    const [owner, stranger] = [await makeTenant("Owner"), await makeTenant("Stranger")];
    for (const name of ["A", "B", "C"]) await makeAgent(owner.call, { name });
    const { json } = await ask<Page<unknown>>("GET", "/v1/agents?limit=1", owner.call);

    const peek = await ask("GET", `/v1/agents?page=${json.next_page}`, stranger.call);

    expect(peek.json).toEqual({ data: [], has_more: false, next_page: null });
  });

  test("a key revokes no other tenant's key", async () => {
    const [owner, stranger] = [await makeTenant("Owner"), await makeTenant("Stranger")];
    const { json } = await ask<Page<ApiKey>>("GET", "/v1/api-keys", owner.call);

    const answer = await ask("DELETE", `/v1/api-keys/${json.data[0]?.id}`, stranger.call);

    expect([answer.status, (await ask("GET", "/v1/agents", owner.call)).status]).toEqual([
      404, 200,
    ]);
  });
});
