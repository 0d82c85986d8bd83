// The agents of other systems that an agent has, as people see them: their cards as they are now, or why they cannot be used.
import { describe, expect, it, onTestFinished } from "vitest";

import { startLyingAgent } from "../../support/a2a-remote/lying-agent.ts";
import { CALL, openRemoteDesk } from "../../support/a2a-remote/remote-desk.ts";
import { startLoopbackServer } from "../../support/loopback-server.ts";
import { createAgent, createTenant, request } from "../../support/platform-client.ts";
import { waitFor } from "../../support/wait-for.ts";

const CARD = {
  name: "Warehouse",
  description: "Knows what is in stock.",
  version: "2.1",
  supportedInterfaces: [
    { url: "https://stock.example/a2a", protocolBinding: "JSONRPC", protocolVersion: "1.0" },
  ],
  capabilities: { streaming: true, pushNotifications: true },
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  skills: [{ id: "stock", name: "Stock", description: "Looks it up.", tags: ["shop"] }],
};
const SHOWN = {
  name: "Warehouse",
  description: "Knows what is in stock.",
  version: "2.1",
  protocol_version: "1.0",
  binding: "JSONRPC",
  url: "https://stock.example/a2a",
  streaming: true,
  push_notifications: true,
  is_signed: null,
  skills: [{ id: "stock", name: "Stock", description: "Looks it up." }],
  skill_count: 1,
};

interface Shown {
  readonly data: readonly {
    readonly card: Record<string, unknown> | null;
    readonly failure: Record<string, unknown> | null;
    readonly last_failure: Record<string, unknown> | null;
  }[];
}

/** @param card The whole answer to whoever asks for the card. */
async function serve(status: number, card: string): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = [];
  const server = await startLoopbackServer(({ method, path }, response) => {
    asked.push(`${method} ${path}`);
    response.writeHead(status, { "content-type": "application/json" });
    response.end(card);
  });
  onTestFinished(() => server.stop());
  return { url: server.url, asked };
}

async function list(definition: object, scopes?: readonly string[]) {
  const { key } = await createTenant();
  const id = await createAgent(key, { tools: [], ...definition });
  const narrow =
    scopes &&
    (await request<{ api_key: string }>("POST", "/v1/api-keys", { key, body: { scopes } }));
  const used = narrow?.body.api_key ?? key;
  return request<Shown>("GET", `/v1/agents/${id}/remote-agents`, { key: used });
}

const tool = (name: string, card: object, about: object = {}) => ({
  type: "a2a",
  name,
  card,
  ...about,
});

describe("the agents of other systems that an agent has", () => {
  it("are its model and its tools, with what their cards say now, and none of them is asked", async () => {
    const { url, asked } = await serve(200, JSON.stringify(CARD));
    const { status, body } = await list({
      model: { provider: "a2a", card: { inline: CARD } },
      tools: [tool("stock", { url: `${url}/agents/stock` })],
    });

    const duration_ms = expect.any(Number);
    expect([status, body.data]).toEqual([
      200,
      [
        {
          tool_name: null,
          source: "inline",
          source_name: null,
          duration_ms,
          card: SHOWN,
          failure: null,
          last_failure: null,
        },
        {
          tool_name: "stock",
          source: "url",
          source_name: `${url}/agents/stock`,
          duration_ms,
          card: SHOWN,
          failure: null,
          last_failure: null,
        },
      ],
    ]);
    expect(asked).toEqual(["GET /agents/stock/.well-known/agent-card.json"]);
  });

  it("are none for an agent without them, and take the right to read agents alone", async () => {
    expect((await list({}, ["agents:read"])).body).toEqual({ data: [] });
    expect((await list({}, ["sessions:read"])).status).toBe(403);
  });

  it("say why a card cannot be used: gone, no card, not signed, not in the deployment", async () => {
    const gone = await serve(404, "{}");
    const noCard = await serve(200, '["no card"]');
    const unsigned = await serve(200, JSON.stringify(CARD));
    const x = "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU";
    const y = "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0";
    const pinned_keys = [{ kty: "EC", crv: "P-256", x, y }];
    const { body } = await list({
      tools: [
        tool("gone", { url: gone.url }),
        tool("none", { url: noCard.url }),
        tool("unsigned", { url: unsigned.url }, { pinned_keys }),
        tool("file", { file: "no-such-card" }),
      ],
    });

    expect(body.data.map(({ card, failure }) => [card, failure?.["kind"]])).toEqual([
      [null, "not_found"],
      [null, "malformed_answer"],
      [null, "permission_refused"],
      [null, "setup"],
    ]);
    for (const { failure } of body.data) expect(failure?.["note"]).toMatch(/\.$/);
  });

  it("are shown in short, whatever their cards are: long, of other types, or full of marks", async () => {
    const skill = (id: unknown) => ({ id, name: "<b>x</b>", description: "y".repeat(1_500) });
    const card = {
      ...CARD,
      name: `<img src=x onerror=alert(1)>${"n".repeat(3_000)}`,
      description: { not: "a text" },
      version: 7,
      skills: [null, 7, skill({}), ...Array.from({ length: 60 }, (_, index) => skill(`s${index}`))],
    };
    const { body } = await list({ tools: [tool("long", { inline: card })] });

    const shown = body.data[0]?.card as unknown as typeof SHOWN;
    expect([shown.name.length, shown.description, shown.version]).toEqual([1_000, "", ""]);
    expect([shown.skills.length, shown.skill_count]).toEqual([20, 61]);
    expect(JSON.stringify(shown).length).toBeLessThan(30_000);
  });

  it.each(["tool", "model"])("say when one that is a %s has failed last", async (place) => {
    const agent = await startLyingAgent(({ raw }) => raw(503, "text/plain", "Down."), {
      streaming: false,
    });
    onTestFinished(() => agent.stop());
    const card = { inline: agent.card };
    const model = place === "model" && { model: { provider: "a2a", card } };
    const desk = await openRemoteDesk({ card }, { ...model, ...(model && { tools: [] }) });
    const path = `/v1/agents/${desk.agentId}/remote-agents`;
    const last = async () => {
      const { body } = await request<Shown>("GET", path, { key: desk.key });
      return body.data.map(({ last_failure }) => last_failure);
    };
    const before = await last();
    await desk.settled(await desk.begin(`${CALL}\n/say Done.`));

    expect(before).toEqual([null]);
    const failed_at = expect.any(String);
    await waitFor(async () => {
      expect(await last()).toEqual([{ kind: "provider_error", http_status: 503, failed_at }]);
    });
  });

  it("are no agents of another tenant", async () => {
    const [owner, stranger] = [await createTenant(), await createTenant()];
    const id = await createAgent(owner.key, { tools: [tool("a", { inline: CARD })] });
    const path = (agent: string) => `/v1/agents/${agent}/remote-agents`;
    const theirs = await request("GET", path(id), { key: stranger.key });
    const never = await request("GET", path(`agt_${"0".repeat(26)}`), { key: stranger.key });

    expect([theirs.status, never.status]).toEqual([404, 404]);
  });
});
