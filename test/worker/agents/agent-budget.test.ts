// Members of an agent's definition that limit what its replies may use up.
import { describe, expect, it } from "vitest";

import type { Agent } from "../../../protocol/agents/contract.ts";
import type { Reply } from "../../../protocol/replies/contract.ts";
import { ask, openSession } from "../support/api.ts";

describe("an agent's budget", () => {
  it("is kept as it was given, and ends a reply that has spent it", async () => {
    const budget = { max_tokens: 1, max_seconds: 60 };
    const tools = [{ type: "http", name: "look", url: "https://tools.example/", read_only: true }];
    const { path, call, session } = await openSession({ name: "Desk", tools, budget });
    const agent = await ask<Agent>("GET", `/v1/agents/${session.agent_id}`, call);
    const reply = await ask<Reply>("POST", `${path}/replies`, {
      ...call,
      json: { input: "/call none {}\n/say done" },
    });

    expect(agent.json.budget).toEqual(budget);
    expect(reply.json).toMatchObject({
      status: "error",
      error: { type: "unknown", message: "The reply has used as many tokens as it may." },
    });
  });

  it.each([
    ["max_tokens", 0],
    ["max_tokens", 200_000_001],
    ["max_seconds", 86_401],
    ["max_seconds", 1.5],
    ["max_money", 1],
  ])("is refused with %s of %d", async (member, value) => {
    const { call } = await openSession();
    const { status, json } = await ask<{ errors: { pointer: string }[] }>("POST", "/v1/agents", {
      ...call,
      json: { name: "Desk", budget: { [member]: value } },
    });

    expect(status).toBe(400);
    expect(json.errors.map(({ pointer }) => pointer)).toEqual([`#/budget/${member}`]);
  });
});
