// Turning the mode `bypass` on is a right of its own, wherever it can be turned on.
import { describe, expect, test } from "vitest";

import { SCOPES } from "../../../protocol/keys/contract.ts";
import type { CreatedApiKey } from "../../../protocol/keys/contract.ts";
import type { Agent } from "../../../protocol/agents/contract.ts";
import type { Session } from "../../../protocol/sessions/contract.ts";
import type { Answer, Call } from "../support/api.ts";
import { ask, makeAgent, makeSession, makeTenant } from "../support/api.ts";

const BYPASS = { permission: { mode: "bypass" } };

/** A tenant with a key of all scopes, and one that lacks the right, as keys from before it was there do. */
async function makeKeys() {
  const { call } = await makeTenant();
  const scopes = SCOPES.filter((scope) => scope !== "permission_bypass:write");
  const { json } = await ask<CreatedApiKey>("POST", "/v1/api-keys", { ...call, json: { scopes } });
  const agent = await makeAgent(call);
  return { full: call, narrow: { key: json.api_key } as Call, agent };
}

function outcomeOf({ status, json }: Answer<unknown>) {
  const { code, required_scope } = json as Record<string, unknown>;
  return status < 300 ? status : [status, code, required_scope];
}
const REFUSED = [403, "insufficient_scope", "permission_bypass:write"];

describe("the mode bypass", () => {
  test("needs its scope on a new agent, and on one that has another mode", async () => {
    const { full, narrow, agent } = await makeKeys();
    const outcomes = [];
    for (const call of [narrow, full]) {
      outcomes.push(
        outcomeOf(await ask("POST", "/v1/agents", { ...call, json: { name: "A", ...BYPASS } })),
        outcomeOf(await ask("PATCH", `/v1/agents/${agent.id}`, { ...call, json: BYPASS })),
      );
    }

    expect(outcomes).toEqual([REFUSED, REFUSED, 201, 200]);
  });

  test("stays on an agent that is changed otherwise, and may be turned off, without it", async () => {
    const { full, narrow } = await makeKeys();
    const agent = await makeAgent(full, { name: "A", ...BYPASS });
    const path = `/v1/agents/${agent.id}`;
    const rules = [{ tool_name: "x", rule_content: null, behavior: "deny", source: "agent" }];
    const changes = [
      { name: "B" },
      { permission: { mode: "bypass", rules } },
      { permission: { mode: "default" } },
      BYPASS,
    ];
    const outcomes = [];
    for (const json of changes) {
      const answer = await ask<Agent>("PATCH", path, { ...narrow, json });
      outcomes.push([outcomeOf(answer), answer.json.permission?.mode]);
    }

    expect(outcomes).toEqual([
      [200, "bypass"],
      [200, "bypass"],
      [200, "default"],
      [REFUSED, undefined],
    ]);
  });

  test("needs its scope on a new session, on one that is there, and in a state that is brought in", async () => {
    const { full, narrow, agent } = await makeKeys();
    const state = { permission_context: { mode: "bypass" } };
    const outcomes = [];
    for (const call of [narrow, full]) {
      const session = await makeSession(full, { agent_id: agent.id });
      const path = `/v1/sessions/${session.id}`;
      const json = { agent_id: agent.id, ...BYPASS };
      outcomes.push(
        outcomeOf(await ask("POST", "/v1/sessions", { ...call, json })),
        outcomeOf(await ask("PATCH", path, { ...call, json: BYPASS })),
        outcomeOf(await ask("PATCH", path, { ...call, json: { ...BYPASS, metadata: {} } })),
        outcomeOf(await ask("PUT", `${path}/state`, { ...call, json: state })),
      );
      const { json: after } = await ask<Session>("GET", path, full);
      outcomes.push(after.permission.mode);
    }

    const [refused, allowed] = [outcomes.slice(0, 5), outcomes.slice(5)];
    expect(refused).toEqual([REFUSED, REFUSED, REFUSED, REFUSED, "default"]);
    expect(allowed).toEqual([201, 200, 200, 200, "bypass"]);
  });

  test("is not copied to a fork without it", async () => {
    const { full, narrow, agent } = await makeKeys();
    const session = await makeSession(full, { agent_id: agent.id, ...BYPASS });
    const path = `/v1/sessions/${session.id}/fork`;

    expect([
      outcomeOf(await ask("POST", path, { ...narrow, json: {} })),
      outcomeOf(await ask("POST", path, { ...full, json: {} })),
    ]).toEqual([REFUSED, 201]);
  });

  test("is a right that no key gives on that lacks it", async () => {
    const { narrow } = await makeKeys();
    const json = { scopes: ["permission_bypass:write"] };

    const answer = await ask("POST", "/v1/api-keys", { ...narrow, json });
    expect([answer.status, answer.json.code]).toEqual([403, "insufficient_scope"]);
  });
});
