// Each secret of the deployment is rotated while requests go on, in isolates that have come to different steps of it.
import { env } from "cloudflare:workers";
import { Webhook } from "standardwebhooks";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";

import type { CreatedApiKey } from "../../../protocol/keys/contract.ts";
import type { ClientToken } from "../../../protocol/client-tokens/contract.ts";
import type { CreatedInboundEndpoint } from "../../../protocol/inbound/contract.ts";
import type { CreatedTenant } from "../../../protocol/tenants/contract.ts";
import { keyIdOf } from "../../../storage/secrets/key-id.ts";
import { countOlderApiKeys } from "../../../storage/keys/rehash-api-key.ts";
import { signToken } from "../../../storage/secrets/signed-token.ts";
import { knownKeys } from "../../../worker/auth/known-keys.ts";
import { rewrapTenantKeys, logRotation } from "../../../worker/jobs/rotation.ts";
import { BROAD, sampled } from "../../support/breadth.ts";
import { waitFor } from "../../support/wait-for.ts";
import { ask, makeAgent, makeSession, send } from "../support/api.ts";
import { runInput } from "../support/run-input.ts";

/** The secrets before the rotation; those after it are the ones that the sessions' objects have. */
const OLD = {
  ...env,
  KEY_PEPPER: "the-pepper-before-the-rotation",
  MASTER_KEY: btoa("a master key that has 32 bytes !"),
  OPERATOR_KEY: "the-operator-key-before-the-rotation",
};
const SECRETS = ["KEY_PEPPER", "MASTER_KEY", "OPERATOR_KEY"] as const;
type Secret = (typeof SECRETS)[number];

/** The isolates that run beside each other in each step of rotating `names`; the other secrets stay the old ones. */
function stepsOf(names: readonly Secret[]): readonly (readonly Env[])[] {
  const pick = (suffix: string, from: Env) =>
    Object.fromEntries(names.map((name) => [`${name}${suffix}`, from[name]]));
  const announced = { ...OLD, ...pick("_NEXT", env) };
  const swapped = { ...OLD, ...pick("", env), ...pick("_PREVIOUS", OLD) };
  const ended = { ...OLD, ...pick("", env), THREAD_KEY: OLD.KEY_PEPPER };
  const lasting = { ...swapped, THREAD_KEY: OLD.KEY_PEPPER };
  return [[OLD], [OLD, announced], [announced, swapped], [swapped, lasting], [lasting, ended]];
}

beforeEach(() => {
  const logs = [vi.spyOn(console, "error"), vi.spyOn(console, "warn")];
  for (const log of logs) log.mockImplementation(() => {});
  onTestFinished(() => logs.forEach((log) => log.mockRestore()));
});

/** Credentials that a tenant has handed out so far. */
interface Shop {
  readonly path: string;
  readonly agentId: string;
  readonly tenantId: string;
  readonly keys: string[];
  readonly tokens: string[];
  readonly callbacks: string[];
  readonly endpoints: CreatedInboundEndpoint[];
  /** Named threads, with their sessions. */
  readonly threads: Map<string, string>;
  readonly operatorKeys: Set<string>;
}

async function openShop(bindings: Env): Promise<Shop> {
  const { json: tenant } = await ask<CreatedTenant>("POST", "/v1/tenants", {
    key: bindings.OPERATOR_KEY,
    json: { name: "Shoe shop" },
    bindings,
  });
  const call = { key: tenant.api_key, bindings };
  const agent = await makeAgent(call);
  const session = await makeSession(call, { agent_id: agent.id });
  return {
    path: `/v1/sessions/${session.id}`,
    agentId: agent.id,
    tenantId: tenant.id,
    keys: [tenant.api_key],
    tokens: [],
    callbacks: [],
    endpoints: [],
    threads: new Map(),
    operatorKeys: new Set([bindings.OPERATOR_KEY]),
  };
}

type Failures = unknown[];

/** Everything that is made with a secret, in one isolate. */
async function make(shop: Shop, bindings: Env, failures: Failures): Promise<void> {
  const call = { key: shop.keys[0]!, bindings };
  const post = async <Body>(path: string, json: object) => {
    const { status, json: body, text } = await ask<Body>("POST", path, { ...call, json });
    if (status !== 201) failures.push(["POST", path, text]);
    return body;
  };
  shop.keys.push((await post<CreatedApiKey>("/v1/api-keys", { name: "Till" })).api_key);
  shop.tokens.push((await post<ClientToken>(`${shop.path}/tokens`, { verbs: ["read"] })).token);
  shop.endpoints.push(await post<CreatedInboundEndpoint>("/v1/inbound-endpoints", { name: "L" }));
  const thread = `thread-${crypto.randomUUID()}`;
  const run = await ask("POST", `/v1/agents/${shop.agentId}/ag-ui`, {
    ...call,
    json: runInput(thread, "Hello"),
  });
  if (run.status !== 200) failures.push(["run", run.text]);
  shop.threads.set(thread, run.headers.get("Reprise-Session-Id") ?? "");
  const claims = {
    tenant_id: shop.tenantId,
    session_id: shop.path.slice("/v1/sessions/".length),
    reply_id: "rep_none",
    tool_call_ids: [],
    kind: "permission" as const,
    message_id: "whm_1",
    exp: Date.now() + 3_600_000,
  };
  shop.callbacks.push(await signToken("callback", claims, bindings.KEY_PEPPER));
  shop.operatorKeys.add(bindings.OPERATOR_KEY);
}

/** Everything that was made so far, in one isolate. */
async function use(shop: Shop, bindings: Env, failures: Failures): Promise<void> {
  // As in an isolate that has just begun.
  knownKeys.forget(() => true);
  const expectStatus = async (what: string, wanted: number, path: string, key?: string) => {
    const { status, text } = await ask("GET", path, { key, bindings });
    if (status !== wanted) failures.push([what, status, text]);
  };
  await Promise.all([
    ...shop.keys.map((key) => expectStatus("key", 200, "/v1/agents", key)),
    ...shop.tokens.map((token) => expectStatus("token", 200, shop.path, token)),
    // The signature fits, and there is no such reply.
    ...shop.callbacks.map((token) => expectStatus("callback", 404, `/v1/callbacks/${token}`)),
    ...[...shop.operatorKeys].map((key) => expectStatus("operator", 200, "/v1/tenants", key)),
    ...shop.endpoints.map((endpoint) => sendSigned(endpoint, bindings, failures)),
    ...[...shop.threads].map(([thread, session]) =>
      findThread(shop, { thread, session }, bindings, failures),
    ),
  ]);
}

async function sendSigned(
  { id: endpointId, secret }: CreatedInboundEndpoint,
  bindings: Env,
  failures: Failures,
): Promise<void> {
  const [id, at, body] = [`msg_${crypto.randomUUID()}`, new Date(), "{}"];
  const { json, text } = await ask("POST", `/v1/inbound/${endpointId}`, {
    bindings,
    headers: {
      "Content-Type": "application/json",
      "webhook-id": id,
      "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
      "webhook-signature": new Webhook(secret).sign(id, at, body),
    },
    body,
  });
  // Its body is read once its signature fits.
  if (json.code !== "validation_failed") failures.push(["inbound", text]);
}

async function findThread(
  { agentId, keys }: Shop,
  { thread, session }: { readonly thread: string; readonly session: string },
  bindings: Env,
  failures: Failures,
): Promise<void> {
  const path = `/v1/agents/${agentId}/ag-ui?thread_id=${thread}`;
  const stream = await send("GET", path, { key: keys[0]!, bindings });
  await stream.body?.cancel();
  const found = stream.headers.get("Reprise-Session-Id");
  if (stream.status !== 200 || found !== session) failures.push(["thread", stream.status, found]);
}

const ROTATIONS: readonly (readonly [string, readonly Secret[]])[] = [
  ...SECRETS.map((name) => [name, [name]] as const),
  ["all of them", SECRETS],
];

describe("no request fails, in whichever step an isolate is,", BROAD, () => {
  for (const [rows, breadth] of sampled(ROTATIONS, 1))
    test.each(rows)("while requests go on and %s is rotated", breadth, async (_, names) => {
      const failures: Failures = [];
      const shop = await openShop(OLD);
      const steps = stepsOf(names);
      for (const isolates of steps) {
        if (isolates === steps.at(-1)) await letTokensExpire(shop, isolates.at(-1)!);
        // Of two steps at once what one has made the other takes.
        await Promise.all(
          isolates.flatMap((bindings) => [
            make(shop, bindings, failures),
            use(shop, bindings, failures),
            rewrapTenantKeys(bindings, 100),
          ]),
        );
        for (const bindings of isolates) await use(shop, bindings, failures);
        // Work of an isolate behind its answers is done before the secret that it needs is taken away.
        await waitFor(async () => {
          const { KEY_PEPPER, KEY_PEPPER_PREVIOUS } = isolates.at(-1)!;
          if (!KEY_PEPPER_PREVIOUS) return;
          expect(await leftOf(shop, KEY_PEPPER)).toBe(0);
        });
        // The operator's people change over while both keys are good.
        if (isolates.at(-1)!.OPERATOR_KEY_PREVIOUS) shop.operatorKeys.delete(OLD.OPERATOR_KEY);
      }

      expect(failures).toEqual([]);
    });
});

/** The overlap outlasts what was signed with the old pepper. */
async function letTokensExpire({ tokens, callbacks }: Shop, { KEY_PEPPER }: Env): Promise<void> {
  const keyId = await keyIdOf(KEY_PEPPER);
  for (const list of [tokens, callbacks]) {
    list.splice(0, list.length, ...list.filter((token) => token.slice(3).startsWith(keyId)));
  }
}

async function leftOf({ tenantId }: Shop, pepper: string): Promise<number> {
  const row = await env.DB.prepare(
    "SELECT count(*) AS left FROM api_keys WHERE tenant_id = ?1 AND hash NOT LIKE ?2",
  )
    .bind(tenantId, `${await keyIdOf(pepper)}:%`)
    .first<{ left: number }>();
  return row?.left ?? -1;
}

/** As keys were stored before peppers had ids. */
async function storeWithoutKeyId({ tenantId }: Shop): Promise<void> {
  await env.DB.prepare("UPDATE api_keys SET hash = substr(hash, 10) WHERE tenant_id = ?")
    .bind(tenantId)
    .run();
}

describe("a swap that is taken back", BROAD, () => {
  test("finds each named thread, in isolates of before and after it", async () => {
    const failures: Failures = [];
    const shop = await openShop(OLD);
    const KEY_PEPPER_NEXT = env.KEY_PEPPER;
    const swapped = {
      ...OLD,
      KEY_PEPPER: env.KEY_PEPPER,
      KEY_PEPPER_PREVIOUS: OLD.KEY_PEPPER,
      KEY_PEPPER_NEXT,
    };
    const back = { ...OLD, KEY_PEPPER_PREVIOUS: env.KEY_PEPPER, KEY_PEPPER_NEXT };
    for (const bindings of [OLD, swapped, back, OLD]) await make(shop, bindings, failures);
    for (const bindings of [swapped, back]) await use(shop, bindings, failures);

    expect(failures).toEqual([]);
  });

  test("comes to its end for keys too that the version before has stored", async () => {
    const shop = await openShop(OLD);
    await storeWithoutKeyId(shop);
    const bindings = { ...OLD, KEY_PEPPER_PREVIOUS: env.KEY_PEPPER };
    knownKeys.forget(() => true);
    const { status } = await ask("GET", "/v1/agents", { key: shop.keys[0]!, bindings });

    expect(status).toBe(200);
    await waitFor(async () => expect(await leftOf(shop, OLD.KEY_PEPPER)).toBe(0));
  });
});

describe("when a rotation has ended", () => {
  test("what was made with the old secrets and never moved is refused", async () => {
    const shop = await openShop(OLD);
    await make(shop, OLD, []);
    const gone = { ...env, THREAD_KEY: OLD.KEY_PEPPER };
    const codes = [];
    for (const key of [shop.keys[0]!, shop.tokens[0]!, OLD.OPERATOR_KEY]) {
      codes.push((await ask("GET", "/v1/agents", { key, bindings: gone })).json.code);
    }
    const callback = `/v1/callbacks/${shop.callbacks[0]!}`;
    codes.push((await ask("GET", callback, { bindings: gone })).json.code);

    expect(codes).toEqual(codes.map(() => "unauthenticated"));
  });

  test("a key of a client is found under the previous pepper after its own rotation too", async () => {
    const shop = await openShop(OLD);
    const made = await ask<CreatedApiKey>("POST", "/v1/api-keys", {
      key: shop.keys[0]!,
      json: {},
      bindings: OLD,
    });
    await ask("POST", `/v1/api-keys/${made.json.id}/rotate`, {
      key: shop.keys[0]!,
      json: {},
      bindings: OLD,
    });
    const swapped = { ...env, KEY_PEPPER_PREVIOUS: OLD.KEY_PEPPER };
    const key = made.json.api_key;
    const before = await ask("GET", "/v1/agents", { key, bindings: swapped });
    await waitFor(async () => {
      knownKeys.forget(() => true);
      expect(
        (await ask("GET", "/v1/agents", { key: shop.keys[0]!, bindings: swapped })).status,
      ).toBe(200);
      const row = await env.DB.prepare("SELECT old_hash FROM api_keys WHERE id = ?")
        .bind(made.json.id)
        .first<{ old_hash: string }>();
      expect(row?.old_hash.split(":")[0]).toBe(await keyIdOf(env.KEY_PEPPER));
    });

    expect([before.status, (await ask("GET", "/v1/agents", { key })).status]).toEqual([200, 200]);
  });
});

describe("what the version before has stored", BROAD, () => {
  test("is a key that works, and that a rotation stores anew", async () => {
    const shop = await openShop(OLD);
    await storeWithoutKeyId(shop);
    const swapped = { ...env, KEY_PEPPER_PREVIOUS: OLD.KEY_PEPPER };
    const asked = async (bindings: Env) =>
      (await ask("GET", "/v1/agents", { key: shop.keys[0]!, bindings })).status;
    const statuses = [await asked(OLD), await asked(swapped)];
    await waitFor(async () => expect(await leftOf(shop, env.KEY_PEPPER)).toBe(0));

    expect([...statuses, await asked(env)]).toEqual([200, 200, 200]);
  });

  test("is a session with a copy of its tenant's key, which goes on when the master key is gone", async () => {
    const shop = await openShop(OLD);
    const call = { key: shop.keys[0]!, bindings: OLD };
    const { json: credential } = await ask<{ id: string }>("POST", "/v1/credentials", {
      ...call,
      json: {
        name: "The shop's",
        type: "tool",
        secret: "secret",
        allowed_hosts: ["tool.example"],
      },
    });
    const tool = { type: "http", name: "t", url: "https://tool.example/" };
    const agent = await makeAgent(call, {
      name: "Desk",
      tools: [{ ...tool, credential_id: credential.id }],
    });
    const sessions = [
      await makeSession(call, { agent_id: agent.id }),
      await makeSession(call, { agent_id: agent.id }),
    ];
    const reply = async (index: number) =>
      (
        await ask<{ status: string }>("POST", `/v1/sessions/${sessions[index]!.id}/replies`, {
          ...call,
          json: { input: "Hi" },
        })
      ).json.status;
    // The sessions' objects have the new master key alone.
    const before = await reply(0);
    await rewrapTenantKeys({ ...env, MASTER_KEY_PREVIOUS: OLD.MASTER_KEY }, 1_000);

    expect([before, await reply(1), await reply(1)]).toEqual(["error", "completed", "completed"]);
  });
});

describe("the operator is told by the sweep", () => {
  test("how much is left under the previous secrets, and what to do before they go", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    const shop = await openShop(OLD);
    await make(shop, OLD, []);
    const swapped = {
      ...env,
      KEY_PEPPER_PREVIOUS: OLD.KEY_PEPPER,
      MASTER_KEY_PREVIOUS: OLD.MASTER_KEY,
    };
    const keyId = await keyIdOf(env.KEY_PEPPER);
    const left = await countOlderApiKeys(env.DB, keyId, new Date().toISOString());
    await logRotation(env);
    const silent = warn.mock.calls.length;
    await logRotation(swapped);
    await rewrapTenantKeys(swapped, 1_000);
    await logRotation({ ...swapped, THREAD_KEY: OLD.KEY_PEPPER });

    const lines = warn.mock.calls.map(([text, details]) => [text, details]);
    expect([silent, left >= 2]).toEqual([0, true]);
    expect(lines).toEqual([
      [
        "MASTER_KEY is being rotated",
        { key_id: expect.any(String), tenant_keys_left: expect.any(Number) },
      ],
      [
        "KEY_PEPPER is being rotated",
        {
          key_id: keyId,
          api_keys_left: left,
          before_it_ends: expect.stringContaining("THREAD_KEY"),
        },
      ],
      ["MASTER_KEY is being rotated", { key_id: expect.any(String), tenant_keys_left: 0 }],
      ["KEY_PEPPER is being rotated", { key_id: keyId, api_keys_left: left }],
    ]);
  });
});
