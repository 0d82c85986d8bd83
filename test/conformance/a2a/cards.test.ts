// An agent's card: who gets it, what it declares, and that it is true.
import { expect, inject, it } from "vitest";

import { BROAD } from "../../support/breadth.ts";
import type { A2aCard } from "../../../protocol/a2a/wire.ts";
import {
  A2A_BINDINGS,
  A2A_METHODS,
  callA2a,
  messageOf,
  openA2aDesk,
  sendA2a,
  type A2aDesk,
} from "../../support/a2a/a2a-desk.ts";
import { openA2aStream } from "../../support/a2a/a2a-stream.ts";
import { openRequest, request } from "../../support/platform-client.ts";

const WELL_KNOWN = "/.well-known/agent-card.json";
const SKILL = { id: "refunds", name: "Refunds", description: "Pays back.", tags: ["money"] };

async function cardOf(desk: A2aDesk, key?: string) {
  return request<A2aCard>("GET", desk.path + WELL_KNOWN, { key: key ?? desk.key });
}

/** Signatures of one card differ: ES256 has a part that is drawn. */
function unsigned({ signatures: _, ...card }: Partial<A2aCard>): Partial<A2aCard> {
  return card;
}

async function openCard(a2a: object = {}) {
  const desk = await openA2aDesk({ a2a: { enabled: true, ...a2a } });
  const { body, headers } = await cardOf(desk);
  return { desk, card: body, headers };
}

it("8.1-1: an agent that offers A2A has a card, with what a client has to know", async () => {
  const { desk, card } = await openCard({ description: "Pays back.", card_skills: [SKILL] });

  expect(card).toMatchObject({
    name: "Desk",
    description: "Pays back.",
    version: expect.any(String),
    capabilities: { streaming: true, pushNotifications: true, extendedAgentCard: true },
    skills: [SKILL],
  });
  expect(JSON.stringify(card)).not.toContain(desk.tenantId);
});

it("14.3-1: the well-known address returns the card, below the base and beside it", async () => {
  const { desk, card, headers } = await openCard();
  const beside = desk.path.replace(/\/a2a$/, WELL_KNOWN);
  const { body, status } = await request<A2aCard>("GET", beside, { key: desk.key });

  expect(headers.get("content-type")).toMatch(/^application\/(a2a\+)?json/);
  expect([status, unsigned(body)]).toEqual([200, unsigned(card)]);
});

it("5.2-1: the card declares both bindings, and both are served", async () => {
  const { desk, card } = await openCard();
  const tasks = [];
  for (const binding of A2A_BINDINGS) {
    tasks.push(await sendA2a(desk, messageOf("/say Hello."), binding));
  }

  expect(card.supportedInterfaces.map(({ protocolBinding }) => protocolBinding)).toEqual([
    "JSONRPC",
    "HTTP+JSON",
  ]);
  expect(tasks.map(({ status }) => status.state)).toEqual([
    "TASK_STATE_COMPLETED",
    "TASK_STATE_COMPLETED",
  ]);
});

it("8.3-1: the card declares the version of the protocol that is spoken, and no other", async () => {
  const { card } = await openCard();

  expect(
    card.supportedInterfaces.map(({ protocolVersion, tenant }) => [protocolVersion, tenant]),
  ).toEqual([
    ["1.0", undefined],
    ["1.0", undefined],
  ]);
});

it("8.3.1-1: at each interface's address its binding answers", BROAD, async () => {
  const { desk, card } = await openCard();
  const headers = { authorization: `Bearer ${desk.key}`, "a2a-version": "1.0" };
  const [rpc, rest] = card.supportedInterfaces;
  const ofRpc = await fetch(rpc!.url, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 7, method: "ListTasks", params: {} }),
  });
  const ofRest = await fetch(`${rest!.url}/tasks`, { headers });

  expect(await ofRpc.json()).toMatchObject({ id: 7, result: { tasks: [] } });
  expect(await ofRest.json()).toMatchObject({ tasks: [], nextPageToken: "" });
});

it("AgentInterface-1: an interface's address is absolute, whatever host asks for the card", async () => {
  const { desk, card } = await openCard();
  const { body } = await request<A2aCard>("GET", desk.path + WELL_KNOWN, {
    key: desk.key,
    headers: { "x-forwarded-host": "evil.example", forwarded: "host=evil.example" },
  });

  expect(
    card.supportedInterfaces.map(({ url }) =>
      new URL(url).href.startsWith(`${inject("baseUrl")}/v1/agents/`),
    ),
  ).toEqual([true, true]);
  expect(unsigned(body)).toEqual(unsigned(card));
});

it("5.7-2: every list that a card has to have has an entry, with and without skills of the agent's own", async () => {
  for (const a2a of [{}, { card_skills: [SKILL] }]) {
    const { card } = await openCard(a2a);
    const { supportedInterfaces, defaultInputModes, defaultOutputModes, skills } = card;
    const lists = [supportedInterfaces, defaultInputModes, defaultOutputModes, skills];

    expect(lists.map((list) => list.length > 0)).toEqual([true, true, true, true]);
    expect(skills.map(({ tags }) => tags.length > 0)).toEqual(skills.map(() => true));
  }
});

it("4.6.3-1: the URI of our extension has a version of its own", async () => {
  const { card } = await openCard();

  expect(card.capabilities.extensions?.map(({ uri }) => uri)).toEqual([
    "urn:reprise:a2a:replies:v1",
  ]);
});

it(
  "ImplicitOAuthFlow-1: no card offers the implicit flow, so none has an address of it",
  BROAD,
  async () => {
    expect(await flowsOf()).not.toContain("implicit");
  },
);

it("ImplicitOAuthFlow-2: nor an address for its renewal", BROAD, async () => {
  const { card } = await openCard();

  expect(JSON.stringify(card)).not.toContain("refreshUrl");
});

it(
  "PasswordOAuthFlow-1: no card offers the flow with passwords, so none has an address of it",
  BROAD,
  async () => {
    expect(await flowsOf()).not.toContain("password");
  },
);

it("PasswordOAuthFlow-2: nor an address for the renewal of its tokens", BROAD, async () => {
  const { card } = await openCard({ card_skills: [SKILL] });

  expect(JSON.stringify(card)).not.toContain("refreshUrl");
});

async function flowsOf(): Promise<readonly string[]> {
  const { card } = await openCard();
  return Object.values(card.securitySchemes ?? {}).flatMap(({ oauth2SecurityScheme }) =>
    Object.keys(oauth2SecurityScheme?.flows ?? {}),
  );
}

it(
  "3.3.4-1: what the card declares is served, and what it does not declare is refused",
  BROAD,
  async () => {
    const { desk, card } = await openCard();
    const params = { id: "x", taskId: "x", url: "https://example.com/" };
    const reasons = [];
    for (const method of A2A_METHODS.filter((name) => !name.startsWith("Send"))) {
      reasons.push((await callA2a(desk, "JSONRPC", method, params)).error?.reason);
    }
    const unknown = await callA2a(desk, "JSONRPC", "message/send", {});

    expect(Object.keys(card.capabilities).toSorted()).toEqual([
      "extendedAgentCard",
      "extensions",
      "pushNotifications",
      "streaming",
    ]);
    expect(reasons).not.toContain("UNSUPPORTED_OPERATION");
    expect(unknown.error?.code).toBe(-32_601);
  },
);

it(
  "3.3.4-2: every card declares push notifications, and no operation of them is refused for that",
  BROAD,
  async () => {
    const { desk, card } = await openCard();
    const reasons = [];
    for (const method of A2A_METHODS.filter((name) => name.includes("PushNotification"))) {
      const params = { id: "x", taskId: "x", url: "https://example.com/" };
      for (const binding of A2A_BINDINGS) {
        reasons.push((await callA2a(desk, binding, method, params)).error?.reason);
      }
    }

    expect(card.capabilities.pushNotifications).toBe(true);
    expect(reasons).not.toContain("PUSH_NOTIFICATION_NOT_SUPPORTED");
  },
);

it("3.3.4-3: every card declares streams, and every agent streams", BROAD, async () => {
  const { desk, card } = await openCard();
  const statuses = [];
  for (const binding of A2A_BINDINGS) {
    const params = messageOf("/say Hi.");
    const stream = await openA2aStream(desk, binding, "SendStreamingMessage", params);
    statuses.push(stream.status);
    await stream.frames.return();
  }

  expect(card.capabilities.streaming).toBe(true);
  expect(statuses).toEqual([200, 200]);
});

it("3.3.4-4: every card declares an extended card, which both bindings return", async () => {
  const { desk, card } = await openCard();
  const cards = [];
  for (const binding of A2A_BINDINGS) {
    cards.push((await callA2a<A2aCard>(desk, binding, "GetExtendedAgentCard")).result);
  }

  expect(card.capabilities.extendedAgentCard).toBe(true);
  expect(cards[0]).toMatchObject({
    name: card.name,
    supportedInterfaces: card.supportedInterfaces,
  });
  expect(unsigned(cards[1]!)).toEqual(unsigned(cards[0]!));
});

it("3.3.4-5: no agent is without the extended card that its card declares", BROAD, async () => {
  const reasons = [];
  for (const a2a of [{}, { card_skills: [SKILL] }, { public_card: true }]) {
    const { desk } = await openCard(a2a);
    reasons.push((await callA2a(desk, "HTTP+JSON", "GetExtendedAgentCard")).error?.reason);
  }

  expect(reasons).toEqual([undefined, undefined, undefined]);
});

it("13.3-1: the extended card wants a credential, also where the card is public", async () => {
  const { desk } = await openCard({ public_card: true });
  const statuses = [];
  for (const binding of A2A_BINDINGS) {
    const { status } = await callA2a(desk, binding, "GetExtendedAgentCard", {}, { key: null });
    statuses.push(status);
  }

  expect(statuses).toEqual([401, 401]);
});

it("13.3-2: the extended card takes what the card declares as its scheme", BROAD, async () => {
  const { desk, card } = await openCard();
  const schemes = Object.values(card.securitySchemes ?? {});
  const names = card.securityRequirements?.flatMap(({ schemes: needed }) => Object.keys(needed));
  const { status } = await callA2a(desk, "HTTP+JSON", "GetExtendedAgentCard");

  expect(schemes).toMatchObject([{ httpAuthSecurityScheme: { scheme: "Bearer" } }]);
  expect(names).toEqual(Object.keys(card.securitySchemes ?? {}));
  expect(status).toBe(200);
});

it("13.3-3: the extended card shows nobody more than the agent's own, and strangers nothing", async () => {
  const { desk } = await openCard({ public_card: true });
  const other = await openA2aDesk();
  const foreign = await callA2a(desk, "HTTP+JSON", "GetExtendedAgentCard", {}, { key: other.key });
  const { result } = await callA2a(desk, "HTTP+JSON", "GetExtendedAgentCard");

  expect([foreign.status, foreign.result]).toEqual([404, undefined]);
  expect(JSON.stringify(result)).not.toMatch(/system_prompt|credential|refund-desk|lookup_order/);
});

it(
  "13.3-4: no card leaves the extended one undeclared, so no call of it is unsupported",
  BROAD,
  async () => {
    const { desk } = await openCard();
    const { error } = await callA2a(desk, "JSONRPC", "GetExtendedAgentCard");

    expect(error).toBeUndefined();
  },
);

it(
  "13.3-5: an extended card is there for every agent, from its first version on",
  BROAD,
  async () => {
    const { desk } = await openCard();
    await request("PATCH", `/v1/agents/${desk.agentId}`, {
      key: desk.key,
      body: { name: "Later" },
    });
    const { result } = await callA2a<A2aCard>(desk, "JSONRPC", "GetExtendedAgentCard");

    expect(result?.name).toBe("Later");
  },
);

it(
  "14.3-2: the extended card of an agent is not found with another tenant's key",
  BROAD,
  async () => {
    const [desk, other] = [await openA2aDesk(), await openA2aDesk()];
    const answers = [];
    for (const binding of A2A_BINDINGS) {
      answers.push(await callA2a(desk, binding, "GetExtendedAgentCard", {}, { key: other.key }));
    }

    expect(answers.map(({ result }) => result)).toEqual([undefined, undefined]);
  },
);

it(
  "a card is shown without a credential where the agent says so, and only there",
  BROAD,
  async () => {
    const { desk, card } = await openCard({ public_card: true });
    const closed = await openA2aDesk();
    const nobody = await request<A2aCard>("GET", desk.path + WELL_KNOWN);
    const refused = await openRequest("GET", closed.path + WELL_KNOWN);

    expect([nobody.status, unsigned(nobody.body)]).toEqual([200, unsigned(card)]);
    expect([401, 404]).toContain(refused.status);
  },
);

it("a card is cached by its ETag, which changes with the agent", BROAD, async () => {
  const { desk, headers } = await openCard();
  const etag = headers.get("etag") ?? "";
  const ask = () =>
    openRequest("GET", desk.path + WELL_KNOWN, {
      key: desk.key,
      headers: { "if-none-match": etag },
    });
  const same = await ask();
  await request("PATCH", `/v1/agents/${desk.agentId}`, { key: desk.key, body: { name: "Later" } });
  const changed = await ask();

  expect(headers.get("cache-control")).toMatch(/max-age=\d+/);
  expect([same.status, await same.text()]).toEqual([304, ""]);
  expect([changed.status, changed.headers.get("etag") === etag]).toEqual([200, false]);
});
