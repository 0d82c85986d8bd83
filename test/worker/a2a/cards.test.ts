// Cards of agents: who is shown them, how long they are kept, and who has signed them.
import { type AgentCard, verifyAgentCardSignature } from "@a2a-js/sdk";
import { env } from "cloudflare:workers";
import type { JWK } from "jose";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";

import type { A2aCard } from "../../../protocol/a2a/wire.ts";
import { ask, type Call, makeAgent, makeTenant, OPERATOR } from "../support/api.ts";

/** The SDK tells its console of each signature that is another key's. */
beforeEach(() => {
  const log = vi.spyOn(console, "debug").mockImplementation(() => undefined);
  onTestFinished(() => log.mockRestore());
});

const OTHER = btoa("another-card-key-of-the-tests-32");

async function desk(a2a: object = { enabled: true }) {
  const { call, id } = await makeTenant();
  const agent = await makeAgent(call, { name: "Refund desk", a2a });
  const base = `/v1/agents/${agent.id}`;
  return { tenantId: id, call, agent, base, card: `${base}/a2a/.well-known/agent-card.json` };
}

async function keysOf(bindings: Env): Promise<readonly JWK[]> {
  const { json } = await ask<{ keys: JWK[] }>("GET", "/.well-known/a2a-keys.json", { bindings });
  return json.keys;
}

/** The ids of the keys whose signature the SDK takes for the card. */
async function signers(card: A2aCard, keys: readonly JWK[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const key of keys) {
    const verify = verifyAgentCardSignature(async (kid) => {
      if (kid !== key.kid) throw new Error("another key");
      return key;
    });
    const isSigned = await verify(card as unknown as AgentCard).then(
      () => true,
      () => false,
    );
    if (isSigned) found.push(String(key.kid));
  }
  return found;
}

describe("A card", () => {
  test("says what the agent is, and where it is asked", async () => {
    const { call, agent, card } = await desk();

    const { status, json } = await ask<A2aCard>("GET", card, call);

    const url = `https://api.test/v1/agents/${agent.id}/a2a`;
    const { signatures, ...said } = json;
    expect({ status, said, count: signatures?.length }).toEqual({
      status: 200,
      count: 1,
      said: {
        name: "Refund desk",
        description: "Refund desk",
        version: "1",
        supportedInterfaces: [
          { url, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
          { url, protocolBinding: "HTTP+JSON", protocolVersion: "1.0" },
        ],
        capabilities: {
          streaming: true,
          pushNotifications: true,
          extendedAgentCard: true,
          extensions: [
            { uri: "urn:reprise:a2a:replies:v1", description: expect.any(String) as string },
          ],
        },
        securitySchemes: {
          bearer: {
            httpAuthSecurityScheme: { scheme: "Bearer", description: expect.any(String) as string },
          },
        },
        securityRequirements: [
          { schemes: { bearer: { list: ["replies:write", "sessions:read"] } } },
        ],
        defaultInputModes: ["text/plain", "application/json"],
        defaultOutputModes: ["text/plain", "application/json"],
        skills: [{ id: "agent", name: "Refund desk", description: "Refund desk", tags: ["agent"] }],
      },
    });
  });

  test("has the skills and the description of the agent's settings", async () => {
    const { call, card } = await desk({
      enabled: true,
      description: "Gives money back.",
      card_skills: [
        {
          id: "refunds",
          name: "Refunds",
          description: "Refunds an order.",
          tags: ["orders"],
          examples: [],
          input_modes: ["text/plain"],
        },
      ],
    });

    const { json } = await ask<A2aCard>("GET", card, call);

    expect([json.description, json.skills]).toEqual([
      "Gives money back.",
      [
        {
          id: "refunds",
          name: "Refunds",
          description: "Refunds an order.",
          tags: ["orders"],
          inputModes: ["text/plain"],
        },
      ],
    ]);
  });

  test("is the same beside the base, for clients that take its last segment off", async () => {
    const { call, base, card } = await desk();

    const [below, beside] = await Promise.all([
      ask<A2aCard>("GET", card, call),
      ask<A2aCard>("GET", `${base}/.well-known/agent-card.json`, call),
    ]);

    expect(beside.headers.get("ETag")).toBe(below.headers.get("ETag"));
    expect({ ...beside.json, signatures: [] }).toEqual({ ...below.json, signatures: [] });
  });

  test("is kept by caches for a minute, and not sent again while its ETag is the same", async () => {
    const { call, agent, card } = await desk();
    const first = await ask("GET", card, call);
    const etag = first.headers.get("ETag") ?? "";

    const again = await ask("GET", card, { ...call, headers: { "If-None-Match": etag } });
    await ask("PATCH", `/v1/agents/${agent.id}`, { ...call, json: { name: "Another desk" } });
    const changed = await ask("GET", card, { ...call, headers: { "If-None-Match": etag } });

    expect(first.headers.get("Cache-Control")).toBe("private, max-age=60");
    expect([again.status, again.text, again.headers.get("ETag")]).toEqual([304, "", etag]);
    expect(changed.status).toBe(200);
    expect(changed.headers.get("ETag")).not.toBe(etag);
  });
});

describe("Without a credential", () => {
  test("a card is shown where the agent says so, and shared caches keep it", async () => {
    const { card } = await desk({ enabled: true, public_card: true });

    const { status, json, headers } = await ask<A2aCard>("GET", card);

    expect([status, json.name, headers.get("Cache-Control")]).toEqual([
      200,
      "Refund desk",
      "public, max-age=60",
    ]);
  });

  test("an agent that shows none, one without A2A and one that never was are the same", async () => {
    const { card } = await desk();
    const { card: off } = await desk({ enabled: false, public_card: true });
    const never = card.replace(/agt_\w+/, `agt_${"0".repeat(26)}`);

    const answers = await Promise.all([card, off, never].map((path) => ask("GET", path)));

    const told = answers.map(({ status, json, headers }) => [
      status,
      json.code,
      json.detail,
      headers.get("WWW-Authenticate") !== null,
    ]);
    expect(new Set(told.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(told[0]).toEqual([
      401,
      "unauthenticated",
      "send the header `Authorization: Bearer <API key>`",
      true,
    ]);
  });

  test("the card of a tenant that is suspended, or of a deleted agent, is shown no more", async () => {
    const suspended = await desk({ enabled: true, public_card: true });
    const deleted = await desk({ enabled: true, public_card: true });
    await ask("PATCH", `/v1/tenants/${suspended.tenantId}`, {
      ...OPERATOR,
      json: { status: "suspended" },
    });
    await ask("DELETE", deleted.base, deleted.call);

    const answers = await Promise.all([suspended, deleted].map(({ card }) => ask("GET", card)));

    expect(answers.map(({ status }) => status)).toEqual([401, 401]);
  });

  test("a wrong credential is refused, also where the card is public", async () => {
    const { card } = await desk({ enabled: true, public_card: true });
    const { call: other } = await makeTenant();

    const wrong = await ask("GET", card, { key: "rk_wrong" });
    const foreign = await ask("GET", card, other);

    expect([wrong.status, foreign.status]).toEqual([401, 404]);
  });
});

describe("The signature of a card", () => {
  test("is verified by the SDK with the published key, and no other card has it", async () => {
    const { call, card } = await desk();
    const { json } = await ask<A2aCard>("GET", card, call);
    const keys = await keysOf(env);

    expect(keys).toEqual([
      {
        kty: "EC",
        crv: "P-256",
        x: expect.any(String) as string,
        y: expect.any(String) as string,
        kid: expect.any(String) as string,
        alg: "ES256",
        use: "sig",
      },
    ]);
    expect(await signers(json, keys)).toEqual([keys[0]?.kid]);
    expect(await signers({ ...json, name: "Another" }, keys)).toEqual([]);
    const [signature] = json.signatures ?? [];
    const header = JSON.parse(atob(signature?.protected ?? "")) as object;
    expect(header).toEqual({
      alg: "ES256",
      typ: "JOSE",
      kid: keys[0]?.kid,
      jku: "https://api.test/.well-known/a2a-keys.json",
    });
  });

  test.each(["CARD_KEY_NEXT", "CARD_KEY_PREVIOUS"] as const)(
    "is beside that of %s during a rotation, and either is enough",
    async (name) => {
      const { call, card } = await desk();
      const bindings: Env = { ...env, [name]: OTHER };

      const { json } = await ask<A2aCard>("GET", card, { ...call, bindings });
      const [current] = await keysOf(env);
      const keys = await keysOf(bindings);

      expect(keys.map(({ kid }) => kid)).toContain(current?.kid);
      expect(keys).toHaveLength(2);
      expect(await signers(json, keys)).toEqual(keys.map(({ kid }) => kid));
    },
  );

  test("is missing where the deployment has no key, and the card is shown all the same", async () => {
    const { call, card } = await desk();
    const bindings = { ...env, CARD_KEY: undefined } as unknown as Env;

    const { status, json } = await ask<A2aCard>("GET", card, { ...call, bindings });

    expect([status, json.signatures, await keysOf(bindings)]).toEqual([200, undefined, []]);
  });

  test("is on the extended card too, which names the media that a message may have", async () => {
    const { call, base } = await desk();
    const headers = { "A2A-Version": "1.0" };

    const { json } = await ask<A2aCard>("GET", `${base}/a2a/extendedAgentCard`, {
      ...call,
      headers,
    } satisfies Call);

    expect(json.defaultInputModes).toContain("image/png");
    expect(await signers(json, await keysOf(env))).toHaveLength(1);
  });
});
