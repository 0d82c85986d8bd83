// A secret is held against its hosts again whenever it is sent, and against D1 whenever a reply begins or goes on.
import { evictDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";

import { sessionObjectName } from "../../../durable-objects/api/session-api.ts";
import type { Credential } from "../../../protocol/credentials/contract.ts";
import type { Reply } from "../../../protocol/replies/contract.ts";
import type { Session } from "../../../protocol/sessions/contract.ts";
import { BROAD, sampled } from "../../support/breadth.ts";
import { advanceClock } from "../support/advance-clock.ts";
import { ask, makeAgent, makeSession, makeTenant, type Call } from "../support/api.ts";
import { forgeHosts, makeCredential } from "../support/credentials.ts";

const MINUTE_MS = 60_000;
const TOOL = { type: "http", name: "look", url: "https://shop.example/look", read_only: true };
const SIGNING = `whsec_${btoa("a signing key of thirty-two byte")}`;

interface Sent {
  readonly url: string;
  readonly headers: Headers;
}

/** Requests that left the platform for models and tools, in order. */
let sent: Sent[] = [];

const COMPLETION = [
  { choices: [{ index: 0, delta: { content: "hi" }, finish_reason: "stop" }] },
  "[DONE]",
]
  .map((data) => `data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`)
  .join("");

beforeEach(() => {
  sent = [];
  const spies = [
    vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
      const { url, headers } = new Request(input, init as RequestInit);
      sent.push({ url, headers });
      const isModel = url.endsWith("/chat/completions");
      return new Response(isModel ? COMPLETION : "looked", {
        headers: { "content-type": isModel ? "text/event-stream" : "text/plain" },
      });
    }),
    vi.spyOn(console, "warn").mockImplementation(() => {}),
  ];
  onTestFinished(() => spies.forEach((spy) => spy.mockRestore()));
});

interface Shop {
  readonly call: Call;
  readonly tenantId: string;
  readonly credential: Credential;
  readonly session: Session;
  readonly path: string;
}

async function openShop(
  type: "model" | "tool",
  place: object = {},
  more: object = {},
): Promise<Shop> {
  const { id: tenantId, call } = await makeTenant();
  const credential = await makeCredential(
    call,
    type === "model" ? {} : { type, secret: SIGNING, allowed_hosts: ["shop.example"] },
  );
  const named = Object.keys(place).length > 0 ? place : { credential_id: "" };
  const filled = JSON.parse(JSON.stringify(named).replaceAll('""', `"${credential.id}"`)) as object;
  const agent = await makeAgent(call, {
    name: "Desk",
    ...(type === "model" && { model: { provider: "openai", name: "m", ...filled } }),
    tools: type === "tool" ? [{ ...TOOL, ...filled }] : [],
    ...more,
  });
  const session = await makeSession(call, { agent_id: agent.id });
  return { call, tenantId, credential, session, path: `/v1/sessions/${session.id}` };
}

async function talk({ call, path }: Shop, input = "/call look {}\n/say done"): Promise<Reply> {
  const answer = await ask<Reply>("POST", `${path}/replies`, { ...call, json: { input } });
  expect(answer.status).toBe(200);
  return answer.json;
}

/** As {@link talk} while D1 tells the session's object nothing of its credentials. */
async function talkDown(shop: Shop): Promise<Reply> {
  await env.DB.exec("ALTER TABLE credentials RENAME TO credentials_away");
  try {
    return await talk(shop);
  } finally {
    await env.DB.exec("ALTER TABLE credentials_away RENAME TO credentials");
  }
}

function change({ call, credential }: Shop, json: object) {
  return ask("PATCH", `/v1/credentials/${credential.id}`, { ...call, json });
}
function remove({ call, credential }: Shop) {
  return ask("DELETE", `/v1/credentials/${credential.id}`, call);
}
function bearers(): (string | null)[] {
  return sent.map(({ headers }) => headers.get("authorization"));
}
/** The text of the last tool call's result. */
function resultOf({ message }: Reply): string {
  const output = message?.content.findLast((block) => block.type === "tool_result")?.output ?? [];
  if (typeof output === "string") return output;
  return output.map((block) => (block.type === "text" ? block.text : block.type)).join("");
}
function evict({ tenantId, session }: Shop): Promise<void> {
  return evictDurableObject(env.SESSION.getByName(sessionObjectName(tenantId, session.id)));
}

describe("a secret whose row was changed behind everybody's back", () => {
  test("is not sent to its model", async () => {
    const shop = await openShop("model");
    await forgeHosts(shop.credential.id, ["elsewhere.example"]);

    const reply = await talk(shop);

    expect(sent).toEqual([]);
    expect([reply.status, reply.message?.error]).toEqual([
      "error",
      {
        type: "setup",
        message: `The credential ${shop.credential.id} of this agent's model may not be sent to api.openai.com; its allowed_hosts say where it may.`,
      },
    ]);
  });

  for (const [rows, breadth] of sampled(
    [
      ["credential_id", { credential_id: "" }],
      ["signing_credential_id", { signing_credential_id: "" }],
      ["secret_headers.X-Api-Key", { secret_headers: { "X-Api-Key": "" } }],
    ],
    1,
  ))
    test.each(rows)(
      "is not sent to its tool, nor signs for it, as %s",
      breadth,
      async (place, named) => {
        const shop = await openShop("tool", named);
        const before = await talk(shop);
        await forgeHosts(shop.credential.id, ["elsewhere.example"]);

        const after = await talk(shop);

        expect(sent).toHaveLength(1);
        expect([resultOf(before), resultOf(after)]).toEqual([
          "looked",
          `The credential ${shop.credential.id} that the tool's ${place} names may not be sent to shop.example; its allowed_hosts say where it may.`,
        ]);
      },
    );
});

describe("a secret in a header of a tool", () => {
  test("is sent as it is, beside the plain ones", async () => {
    const shop = await openShop("tool", {
      secret_headers: { "X-Api-Key": "", Cookie: "" },
      headers: { "X-Shop": "berlin" },
    });

    await talk(shop);

    const seen = ["x-api-key", "cookie", "x-shop", "authorization"].map((name) =>
      sent[0]?.headers.get(name),
    );
    expect(seen).toEqual([SIGNING, SIGNING, "berlin", null]);
  });
});

describe("a secret in the definition of an older agent", () => {
  test("is sent as before, and told to no reader of the reply", async () => {
    const { call } = await makeTenant();
    const agent = await makeAgent(call, { name: "Old", tools: [{ ...TOOL, headers: {} }] });
    const set = "json_set(definition, '$.tools[0].headers.Authorization', 'Bearer old')";
    await env.DB.prepare(`UPDATE agent_versions SET definition = ${set} WHERE agent_id = ?`)
      .bind(agent.id)
      .run();
    const session = await makeSession(call, { agent_id: agent.id });
    const path = `/v1/sessions/${session.id}`;
    const json = { input: "/call look {}\n/say done" };

    const reply = await ask<Reply>("POST", `${path}/replies`, { ...call, json });
    const state = await ask("GET", `${path}/state`, call);
    const events = await ask("GET", `${path}/events?limit=100`, call);

    expect([reply.json.status, bearers()]).toEqual(["completed", ["Bearer old"]]);
    for (const { status, text } of [reply, state, events]) {
      expect([status, text.includes("Bearer old")]).toEqual([200, false]);
    }
  });
});

describe("a credential that was deleted", () => {
  test("is refused to the next reply of a session that has it", async () => {
    const shop = await openShop("model");
    await talk(shop);
    await remove(shop);

    const reply = await talk(shop);

    expect(bearers()).toEqual(["Bearer sk-PROD"]);
    expect(reply.message?.error).toEqual({
      type: "setup",
      message: `The credential ${shop.credential.id} of this agent's model was deleted; nothing was sent.`,
    });
  });

  test("is refused to a session that has not used it yet, and to its tool", async () => {
    const shop = await openShop("tool");
    await remove(shop);

    const reply = await talk(shop);

    expect([reply.status, sent]).toEqual(["completed", []]);
    expect(resultOf(reply)).toBe(
      `The credential ${shop.credential.id} that the tool's credential_id names was deleted; nothing was sent.`,
    );
  });

  test(
    "is refused to a reply that waited meanwhile, whatever its session is set to since",
    BROAD,
    async () => {
      const shop = await openShop("tool", { credential_id: "", read_only: false });
      const { call, path } = shop;
      const parked = await talk(shop);
      const [waiting] = parked.pending;
      const agent = { tools: [{ ...TOOL, name: "other" }] };
      await ask("PATCH", `/v1/agents/${shop.session.agent_id}`, { ...call, json: agent });
      await ask("PATCH", path, { ...call, json: { agent_version: 2 } });
      await remove(shop);

      const confirm_results = [{ confirmed: true, tool_call: waiting?.tool_call }];
      const json = { type: "USER_CONFIRM_RESULT", reply_id: parked.id, confirm_results };
      const answered = await ask("POST", `${path}/events`, { ...call, json });
      await expect
        .poll(async () => (await ask<Reply>("GET", `${path}/replies/${parked.id}`, call)).json)
        .toMatchObject({ status: "completed" });

      const { json: ended } = await ask<Reply>("GET", `${path}/replies/${parked.id}`, call);
      expect([answered.status, sent]).toEqual([202, []]);
      expect(resultOf(ended)).toContain("names was deleted; nothing was sent.");
    },
  );

  test("gives way to the agent's next model", BROAD, async () => {
    const fallback_models = [{ provider: "scripted" }];
    const shop = await openShop("model", {}, { fallback_models });
    await remove(shop);

    const reply = await talk(shop, "/say by the other one");

    expect([reply.status, sent]).toEqual(["completed", []]);
  });
});

describe("a new secret", () => {
  test("is what the next reply sends, in a session that has the old one", BROAD, async () => {
    const shop = await openShop("model");
    await talk(shop);
    await change(shop, { secret: "sk-NEW" });
    await talk(shop);
    await evict(shop);
    await talk(shop);

    expect(bearers()).toEqual(["Bearer sk-PROD", "Bearer sk-NEW", "Bearer sk-NEW"]);
  });

  test("goes where the hosts say that came with it", async () => {
    const shop = await openShop("tool");
    await change(shop, { secret: "new-token", allowed_hosts: ["other.example"] });
    const refused = await talk(shop);
    await change(shop, { allowed_hosts: ["other.example", "*.shop.example", "shop.example"] });
    await talk(shop);

    expect(resultOf(refused)).toContain("may not be sent to shop.example");
    expect(bearers()).toEqual(["Bearer new-token"]);
  });
});

describe("a fork", () => {
  test("has the hosts of the credentials that it takes along", async () => {
    const shop = await openShop("tool");
    const forked = await ask<Session>("POST", `${shop.path}/fork`, { ...shop.call, json: {} });
    const fork = { ...shop, session: forked.json, path: `/v1/sessions/${forked.json.id}` };
    await talk(fork);
    await change(shop, { allowed_hosts: ["other.example"] });
    const refused = await talk(fork);

    expect(bearers()).toEqual([`Bearer ${SIGNING}`]);
    expect(resultOf(refused)).toContain("may not be sent to shop.example");
  });
});

describe("while D1 is away", BROAD, () => {
  test("a session uses its copy for an hour since D1 last confirmed it, and no longer", async () => {
    const shop = await openShop("model");
    await talk(shop);
    await remove(shop);

    advanceClock(59 * MINUTE_MS);
    const within = await talkDown(shop);
    advanceClock(2 * MINUTE_MS);
    const beyond = await talkDown(shop);

    expect(bearers()).toEqual(["Bearer sk-PROD", "Bearer sk-PROD"]);
    expect(within.status).toBe("completed");
    expect([beyond.status, beyond.message?.error]).toEqual([
      "error",
      {
        type: "internal",
        message: `The credential ${shop.credential.id} of this agent's model could not be confirmed for an hour, so it is not used; try again later.`,
      },
    ]);
  });

  test("the hour is the same for an object that was evicted", async () => {
    const shop = await openShop("tool");

    advanceClock(59 * MINUTE_MS);
    await evict(shop);
    const within = await talkDown(shop);
    advanceClock(2 * MINUTE_MS);
    await evict(shop);
    const beyond = await talkDown(shop);

    expect(sent).toHaveLength(1);
    expect([resultOf(within), resultOf(beyond)]).toEqual([
      "looked",
      `The credential ${shop.credential.id} that the tool's credential_id names could not be confirmed for an hour, so it is not used; try again later.`,
    ]);
  });

  test("the hour begins anew with each answer of D1, and a clock that is set back makes it no longer", async () => {
    const shop = await openShop("model");
    advanceClock(50 * MINUTE_MS);
    await talk(shop);
    advanceClock(50 * MINUTE_MS);
    const within = await talkDown(shop);
    advanceClock(-600 * MINUTE_MS);
    const back = await talkDown(shop);
    advanceClock(61 * MINUTE_MS);
    const beyond = await talkDown(shop);

    expect([within, back, beyond].map(({ status }) => status)).toEqual([
      "completed",
      "completed",
      "error",
    ]);
    expect((await talk(shop)).status).toBe("completed");
  });

  test("an agent without credentials goes on for as long as it takes", async () => {
    const shop = await openShop("tool", { description: "Looks." });
    advanceClock(600 * MINUTE_MS);

    expect(resultOf(await talkDown(shop))).toBe("looked");
  });
});
