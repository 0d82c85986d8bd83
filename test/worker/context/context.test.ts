// The model's context, and compression on request, over HTTP.
import { describe, expect, onTestFinished, test, vi } from "vitest";

import { BROAD } from "../../support/breadth.ts";
import type { Compression, SessionContext } from "../../../protocol/context/compression.ts";
import type { CreatedApiKey } from "../../../protocol/keys/contract.ts";
import type { Page } from "../../../protocol/schemas/common.ts";
import type { Reply } from "../../../protocol/replies/contract.ts";
import type { UsageRow } from "../../../protocol/usage/contract.ts";
import type { LoggedEvent } from "../../../protocol/events.ts";
import type { Msg } from "../../../protocol/messages/messages.ts";
import { hearLog } from "../../support/hear-log.ts";
import { waitFor } from "../../support/wait-for.ts";
import {
  ask,
  makeAgent,
  makeSession,
  makeTenant,
  openSession,
  refusalOf,
  type Answer,
  type Call,
} from "../support/api.ts";
import { mintCall } from "../support/client-token.ts";
import { GATE, holdGates } from "../support/held-timers.ts";
import { failingSummary, SUMMARISED, SUMMARY, summarising } from "../support/summarised-agent.ts";
import { changeTenant } from "../support/tenant-use.ts";

const LOOKUP = {
  type: "external",
  name: "lookup",
  description: "Looks an order up.",
  read_only: true,
};
const NO_SUMMARY = "a summary could not be made";

function compress(path: string, call: Call, json: object = {}, headers = {}) {
  return ask<Compression>("POST", `${path}/compress`, { ...call, json, headers });
}

function context(path: string, call: Call) {
  return ask<SessionContext>("GET", `${path}/context`, call);
}

function refused(answer: Answer<unknown>) {
  return refusalOf(answer as never);
}

/** A session in which two turns were said. */
async function spoken(agent: object = SUMMARISED) {
  const opened = await openSession({ name: "Desk", ...agent });
  for (const input of ["/say one", "/say two"]) {
    await ask<Reply>("POST", `${opened.path}/replies`, { ...opened.call, json: { input } });
  }
  return opened;
}

async function summariesOf(path: string, call: Call): Promise<readonly LoggedEvent[]> {
  const { json } = await ask<Page<LoggedEvent>>("GET", `${path}/events?limit=100`, call);
  return json.data.filter(
    (event) => event.type === "CUSTOM" && event.name === "context_compressed",
  );
}

describe("GET …/context", () => {
  test("shows what a reply that began now would be sent, each part with its tokens", async () => {
    const { call, path } = await openSession({
      name: "Desk",
      system_prompt: "You are a desk.",
      tools: [LOOKUP],
      context: { context_size: 10_000, token_counter: "estimate" },
    });
    await ask("POST", `${path}/replies`, { ...call, json: { input: "/say hello" } });

    const { status, json } = await context(path, call);

    expect(status).toBe(200);
    expect(json).toMatchObject({
      context_size: 10_000,
      soft_threshold: 8_000,
      hard_threshold: 9_000,
      token_counter: "estimate",
      system_prompt: "You are a desk.",
      summary: null,
      hints: [],
      compressing: false,
      failure: null,
    });
    expect(json.tools.map(({ name }) => name)).toEqual(["lookup"]);
    expect(json.messages.map(({ message: { role } }) => role)).toEqual(["user", "assistant"]);
    const { total, system_prompt, tools, messages } = json.tokens;
    expect([system_prompt, total]).toEqual([4, system_prompt + tools + messages]);
    expect(messages).toBe(json.messages.reduce((sum, { tokens }) => sum + tokens, 0));
    expect(tools).toBe(json.tools.reduce((sum, { tokens }) => sum + tokens, 0));
  });

  test.each([
    ["between replies", "/say hello", "completed"],
    ["of a reply that waits", "/call lookup {}\n/say done", "awaiting_external_result"],
  ])("counts as the provider has counted, which decides: %s", async (_when, input, status) => {
    const { call, path } = await openSession({
      name: "Desk",
      system_prompt: "You are a desk. ".repeat(100),
      tools: [LOOKUP],
    });
    const reply = await ask<Reply>("POST", `${path}/replies`, { ...call, json: { input } });
    const events = await ask<Page<LoggedEvent>>("GET", `${path}/events?limit=100`, call);
    const ends = events.json.data.filter((event) => event.type === "MODEL_CALL_END");

    const { json } = await context(path, call);

    expect([reply.json.status, ends.length, json.token_counter]).toEqual([status, 1, "provider"]);
    const [end] = ends;
    expect(json.tokens.total).toBe((end?.input_tokens ?? 0) + (end?.output_tokens ?? 0));
    const { system_prompt, tools, messages } = json.tokens;
    expect(json.tokens.total).not.toBe(system_prompt + tools + messages);
  });

  test("shows the reply that waits", async () => {
    const { call, path } = await openSession({ name: "Desk", tools: [LOOKUP] });
    const input = "/call lookup {}\n/say done";
    await ask("PATCH", path, { ...call, json: { time_zone: "Europe/Berlin" } });
    const reply = await ask<Reply>("POST", `${path}/replies`, { ...call, json: { input } });

    const { json } = await context(path, call);

    expect(reply.json.status).toBe("awaiting_external_result");
    expect(json.messages.at(-1)?.message).toMatchObject({ id: reply.json.id, role: "assistant" });
    expect(JSON.stringify(json.messages.at(-1)?.message.content)).toContain('"name":"lookup"');
  });

  test("has the hints that the call would add beside the messages, and counts them", async () => {
    const { call, path } = await openSession({ name: "Desk" });
    await ask("PATCH", path, { ...call, json: { time_zone: "Europe/Berlin" } });

    const { json } = await context(path, call);

    const [hint, ...more] = json.hints;
    expect([hint?.source, more, json.messages]).toEqual(["runtime", [], []]);
    expect(hint?.text).toContain("Europe/Berlin");
    expect(json.tokens.messages).toBe(hint?.tokens);
  });

  test("is for keys with their scope, of its own tenant", BROAD, async () => {
    const { call, path } = await spoken();
    const token = await mintCall(path, call, { verbs: ["read", "reply"] });
    const narrow = await ask<CreatedApiKey>("POST", "/v1/api-keys", {
      ...call,
      json: { scopes: ["replies:write"] },
    });
    const other = await makeTenant();

    expect((await context(path, token)).status).toBe(403);
    expect(refused(await context(path, { key: narrow.json.api_key }))).toMatchObject({
      status: 403,
      code: "insufficient_scope",
    });
    expect((await context(path, other.call)).status).toBe(404);
  });
});

describe("POST …/compress", () => {
  test("summarises the conversation, whose messages stay, and bills it as no reply", async () => {
    const { call, path } = await spoken();
    const used = async () => {
      const { json } = await ask<Page<UsageRow>>("GET", "/v1/usage?group_by=model", call);
      return json.data.map(({ model_name, replies }) => [model_name, replies]).toSorted();
    };

    const { status, json } = await compress(path, call, { instructions: "Keep the numbers." });

    expect([status, json.status, json.compressed?.summary]).toEqual([200, "completed", SUMMARY]);
    const [event, ...more] = await summariesOf(path, call);
    expect(more).toEqual([]);
    expect(event).toMatchObject({ value: { summary_id: json.summary_id, trigger: "request" } });
    const shown = (await context(path, call)).json;
    expect(shown.summary).toEqual({ id: json.summary_id, text: SUMMARY });
    expect(JSON.stringify(shown.messages[0]?.message.content)).toContain(SUMMARY);
    const messages = await ask<Page<Msg>>("GET", `${path}/messages`, call);
    expect(messages.json.data).toHaveLength(4);
    await waitFor(async () =>
      expect(await used()).toEqual([
        ["refund-desk", 2],
        ["writer", 0],
      ]),
    );
  });

  test("says when there is nothing to summarise", async () => {
    const { call, path } = await openSession({ name: "Desk", ...SUMMARISED });

    const { status, json } = await compress(path, call);

    expect([status, json]).toEqual([
      200,
      { status: "nothing", summary_id: null, compressed: null },
    ]);
  });

  test("acts once for an Idempotency-Key, and answers as things are", BROAD, async () => {
    const { call, path } = await spoken();
    const headers = { "Idempotency-Key": "k-1" };

    const first = await compress(path, call, {}, headers);
    const again = await compress(path, call, {}, headers);
    const other = await compress(path, call, { instructions: "x" }, headers);

    expect([again.status, again.json]).toEqual([200, first.json]);
    expect(refused(other)).toMatchObject({ status: 422, code: "idempotency_key_reused" });
    expect(await summariesOf(path, call)).toHaveLength(1);
  });

  test("is refused while a reply runs, and made after it when it is to be queued", async () => {
    const { call, path } = await spoken(SUMMARISED);
    const json = { input: "/rate 20\n/words 20000", background: true };
    const reply = await ask<Reply>("POST", `${path}/replies`, { ...call, json });

    const answer = await compress(path, call);
    const queued = await compress(path, call, { on_busy: "queue" });
    const second = await compress(path, call, { on_busy: "queue", instructions: "Short." });

    expect([refused(answer), answer.json]).toMatchObject([
      { status: 409, code: "reply_running" },
      { reply_id: reply.json.id },
    ]);
    expect([queued.status, queued.json]).toEqual([
      202,
      { status: "queued", summary_id: expect.stringMatching(/^sum_/), compressed: null },
    ]);
    expect(second.json.summary_id).toBe(queued.json.summary_id);
    expect((await context(path, call)).json.compressing).toBe(true);
    expect(await summariesOf(path, call)).toEqual([]);
    await ask("POST", `${path}/interrupt`, call);
    await waitFor(async () => expect(await summariesOf(path, call)).toHaveLength(1));
    const { summary } = (await context(path, call)).json;
    expect(summary?.id).toBe(queued.json.summary_id);
  });

  test("waits for the end of a reply that waits for an answer", BROAD, async () => {
    const { call, path } = await spoken({ ...SUMMARISED, tools: [LOOKUP] });
    const input = "/call lookup {}\n/say done";
    await ask<Reply>("POST", `${path}/replies`, { ...call, json: { input } });

    const answer = await compress(path, call);
    const queued = await compress(path, call, { on_busy: "queue" });

    expect(refused(answer)).toMatchObject({ status: 409, code: "reply_awaiting" });
    expect(queued.status).toBe(202);
    await ask("POST", `${path}/interrupt`, call);
    await waitFor(async () => expect(await summariesOf(path, call)).toHaveLength(1));
  });

  test("tells why no summary could be made, and the context says it too", async () => {
    const log = hearLog();
    const { call, path } = await spoken(failingSummary("authentication"));

    const answer = await compress(path, call);

    const error = {
      type: "authentication",
      message: "The model provider did not accept the credential of this agent.",
    };
    expect([refused(answer), answer.json]).toMatchObject([
      { status: 502, code: "compression_failed" },
      { error },
    ]);
    expect((await context(path, call)).json.failure?.error).toEqual(error);
    expect(await summariesOf(path, call)).toEqual([]);
    expect(log).toEqual([NO_SUMMARY]);
  });

  test("is refused by name when the tenant's tokens are spent", BROAD, async () => {
    const log = hearLog();
    const { call, path, tenantId } = await spoken();
    await changeTenant(tenantId, { quotas: { tokens_per_day: 0 } });

    const answer = await compress(path, call);

    expect([refused(answer), answer.json]).toMatchObject([
      { status: 429, code: "quota_exceeded" },
      { quota: "tokens_per_day" },
    ]);
    expect(await summariesOf(path, call)).toEqual([]);
    expect(log).toEqual([NO_SUMMARY]);
  });

  test("stops with the tenant", async () => {
    const log = hearLog();
    const gates = holdGates();
    const { call, path, tenantId } = await spoken(summarising(GATE));
    const asked = compress(path, call);
    await waitFor(async () => expect((await context(path, call)).json.compressing).toBe(true));
    await changeTenant(tenantId, { status: "suspended" });
    gates.release();

    const answer = await asked;

    expect([403, 502]).toContain(answer.status);
    await changeTenant(tenantId, { status: "active" });
    await waitFor(async () => {
      expect((await context(path, call)).json.compressing).toBe(false);
    });
    expect(await summariesOf(path, call)).toEqual([]);
    expect(log).toEqual([NO_SUMMARY]);
  });

  test("sends nothing once the credential of its model is gone", async () => {
    const log = hearLog();
    const { call } = await makeTenant();
    const secret = { type: "model", secret: "sk-1", allowed_hosts: ["models.example"] };
    const { json: credential } = await ask<{ id: string }>("POST", "/v1/credentials", {
      ...call,
      json: { name: "writer", ...secret },
    });
    const compression_model = {
      provider: "openai",
      name: "writer",
      base_url: "https://models.example/v1",
      credential_id: credential.id,
    };
    const agent = await makeAgent(call, { name: "Desk", context: { compression_model } });
    const session = await makeSession(call, { agent_id: agent.id });
    const path = `/v1/sessions/${session.id}`;
    await ask("POST", `${path}/observe`, { ...call, json: { messages: "My order is A-1." } });
    await ask("DELETE", `/v1/credentials/${credential.id}`, call);
    const sent = vi.spyOn(globalThis, "fetch");
    onTestFinished(() => sent.mockRestore());

    const answer = await compress(path, call);

    expect(refused(answer)).toMatchObject({ status: 502, code: "compression_failed" });
    expect(JSON.stringify(answer.json)).toContain(credential.id);
    expect(sent).not.toHaveBeenCalled();
    expect(log).toEqual([NO_SUMMARY]);
  });

  test(
    "is not made in the background when the tenant's tokens are spent meanwhile",
    BROAD,
    async () => {
      const log = hearLog();
      const { call, path, tenantId } = await openSession({
        name: "Desk",
        ...summarising("", { context_size: 1_000, token_counter: "estimate" }),
      });
      const say = (text: string, background = false) =>
        ask<Reply>("POST", `${path}/replies`, { ...call, json: { input: text, background } });
      await say(`/say ${"word ".repeat(300)}`);
      const gates = holdGates();
      await say(`/say ${"word ".repeat(50)}\n${GATE}`, true);
      await changeTenant(tenantId, { quotas: { tokens_per_day: 0 } });
      gates.release();

      await waitFor(async () =>
        expect((await context(path, call)).json.failure?.error.type).toBe("quota_exceeded"),
      );
      expect(await summariesOf(path, call)).toEqual([]);
      expect((await context(path, call)).json.compressing).toBe(false);
      expect(log).toEqual([NO_SUMMARY]);
    },
  );

  test.each<[string, object, string]>([
    ["instructions that are none", { instructions: 7 }, "#/instructions"],
    ["empty instructions", { instructions: "" }, "#/instructions"],
    ["instructions of a book", { instructions: "x".repeat(4_001) }, "#/instructions"],
    ["another way out", { on_busy: "interrupt" }, "#/on_busy"],
    ["a field that is not known", { instruction: "x" }, "#/instruction"],
  ])("refuses %s", async (_, json, pointer) => {
    const { call, path } = await openSession({ name: "Desk", ...SUMMARISED });

    expect(refused(await compress(path, call, json))).toEqual({
      status: 400,
      code: "validation_failed",
      pointers: [pointer],
    });
  });

  test("is for keys with their scope, of its own tenant", async () => {
    const { call, path } = await spoken();
    const token = await mintCall(path, call, { verbs: ["read", "reply"] });
    const narrow = await ask<CreatedApiKey>("POST", "/v1/api-keys", {
      ...call,
      json: { scopes: ["sessions:read"] },
    });
    const other = await makeTenant();

    expect((await compress(path, token)).status).toBe(403);
    expect((await compress(path, { key: narrow.json.api_key })).status).toBe(403);
    expect((await compress(path, other.call)).status).toBe(404);
    expect(await summariesOf(path, call)).toEqual([]);
  });
});
