// An agent of another system that gives the replies of one of ours.
import { describe, expect, it, onTestFinished } from "vitest";

import { BROAD, sampled } from "../../support/breadth.ts";
import { A2A_EXTENSION } from "../../../protocol/a2a/extension.ts";
import { openRemoteDesk, type RemoteDesk } from "../../support/a2a-remote/remote-desk.ts";
import { startSdkAgent, type Play, type SdkAgent } from "../../support/a2a-remote/sdk-agent.ts";
import { createAgent, createTenant, request } from "../../support/platform-client.ts";
import { waitFor } from "../../support/wait-for.ts";

type Settings = Parameters<typeof startSdkAgent>[1];

async function open(play: Play, options: Settings = {}, definition: object = {}) {
  const agent = await startSdkAgent(play, options);
  onTestFinished(() => agent.stop());
  const model = { provider: "a2a", card: { url: agent.url } };
  const desk = await openRemoteDesk({}, { model, tools: [], ...definition });
  return { agent, desk };
}

/** Says back what it was told. */
const ECHO: Play = (turn) => {
  turn.task();
  turn.artifact("answer", [{ text: `You said: ${turn.text}` }]);
  turn.status("TASK_STATE_COMPLETED");
};

interface Sent {
  readonly messageId: string;
  readonly contextId?: string;
  readonly taskId?: string;
  readonly parts: readonly { readonly text?: string; readonly data?: unknown }[];
}

function sentTo({ requests }: SdkAgent): readonly Sent[] {
  const bodies = requests.map(({ body }) => body as { params: { message?: Sent } });
  return bodies.flatMap(({ params }) => params.message ?? []);
}

async function said(desk: RemoteDesk, input: string): Promise<readonly (string | undefined)[]> {
  const reply = await desk.settled(await desk.begin(input));
  return texts(reply);
}

function texts({ status, message }: Awaited<ReturnType<RemoteDesk["read"]>>) {
  const blocks = message.content as readonly { readonly type: string; readonly text?: string }[];
  return [status, ...blocks.flatMap(({ type, text }) => (type === "text" ? [text] : []))];
}

async function ended(desk: RemoteDesk, id: string) {
  return waitFor(async () => {
    const reply = await desk.read(id);
    expect(["completed", "error", "interrupted"]).toContain(reply.status);
    return reply;
  });
}

describe("an agent of another system in the place of a model", () => {
  for (const [rows, breadth] of sampled(["1.0", "0.3"])) {
    it.each(rows)("of %s is sent what is new alone, in one context", breadth, async (version) => {
      const { agent, desk } = await open(ECHO, { version }, { system_prompt: "Our own secret." });

      expect(await said(desk, "Hello")).toEqual(["completed", "You said: Hello"]);
      await request("POST", `${desk.path}/observe`, {
        key: desk.key,
        body: { messages: [{ name: "Anna", role: "user", content: "It rains." }] },
      });
      expect(await said(desk, "And now?")).toEqual([
        "completed",
        "You said: Anna: It rains.user: And now?",
      ]);
      const [first, second, ...more] = sentTo(agent);
      expect(more).toEqual([]);
      expect(first?.contextId).toBeUndefined();
      expect(second?.contextId).toMatch(/\S/);
      expect([first?.taskId, second?.taskId]).toEqual([undefined, undefined]);
      expect(JSON.stringify(agent.requests)).not.toContain("Our own secret.");
    });
  }

  it("begins a new context behind a restore, without what was taken out", async () => {
    const { agent, desk } = await open(ECHO);
    const { key, path } = desk;
    await said(desk, "Hello");
    const { body: at } = await request<{ cursor: number }>("GET", path, { key });
    await said(desk, "A secret");
    const restored = await request("POST", `${path}/restore`, { key, body: { cursor: at.cursor } });
    expect(restored.status).toBe(200);

    await said(desk, "And now?");

    const [first, second, third] = sentTo(agent);
    expect(second?.contextId).toMatch(/\S/);
    expect([first?.contextId, third?.contextId]).toEqual([undefined, undefined]);
    expect(JSON.stringify(third)).not.toContain("secret");
  });

  it("is sent media as bytes, and gives media back", async () => {
    const pixel =
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    const { agent, desk } = await open((turn) => {
      turn.task();
      turn.artifact("a", [{ text: "Here" }, { raw: pixel, mediaType: "image/png" }]);
      turn.status("TASK_STATE_COMPLETED");
    });
    const source = { type: "base64", media_type: "image/png", data: pixel };
    const content = [
      { type: "text", text: "Look" },
      { type: "data", source },
    ];
    const body = { input: [{ role: "user", name: "user", content }], background: true };
    const begun = await request<{ id: string }>("POST", `${desk.path}/replies`, {
      key: desk.key,
      body,
    });
    const reply = await ended(desk, begun.body.id);

    expect(sentTo(agent)[0]?.parts).toMatchObject([
      { text: "Look" },
      { raw: pixel, mediaType: "image/png" },
    ]);
    expect(reply.message.content).toMatchObject([
      { type: "text", text: "Here" },
      { type: "data", source: { media_type: "image/png" } },
    ]);
  });

  it("begins a new context in a fork", async () => {
    const { agent, desk } = await open(ECHO);
    await said(desk, "Hello");

    const fork = await request<{ id: string }>("POST", `${desk.path}/fork`, {
      key: desk.key,
      body: {},
    });
    const body = { input: "Who am I?" };
    const path = `/v1/sessions/${fork.body.id}/replies`;
    const reply = await request<Awaited<ReturnType<RemoteDesk["read"]>>>("POST", path, {
      key: desk.key,
      body,
    });

    expect(reply.status).toBeLessThan(300);
    const forked = await waitFor(() => {
      const [, second] = sentTo(agent);
      if (!second) throw new Error("nothing was sent");
      return second;
    });
    expect([forked.contextId, forked.parts]).toEqual([undefined, [{ text: "Who am I?" }]]);
  });

  it("asks a person here, whose answer goes on with the same task", async () => {
    const { agent, desk } = await open((turn) => {
      turn.task();
      if (!turn.isAnswer) {
        turn.status("TASK_STATE_INPUT_REQUIRED", [{ text: "Which order?" }]);
        return;
      }
      turn.artifact("b", [{ text: `Order ${turn.text} is paid.` }]);
      turn.status("TASK_STATE_COMPLETED");
    });
    const id = await desk.begin("Is it paid?");
    const waiting = await desk.settled(id);
    await desk.answer(waiting, { action: "accept", content: { answer: "A-1" } });
    const reply = await ended(desk, id);

    expect(waiting.status).toBe("awaiting_external_result");
    expect(waiting.pending[0]?.elicitation).toMatchObject({
      server: "Played agent",
      requests: { text: { mode: "form", message: "Which order?" } },
    });
    expect(texts(reply)).toEqual(["completed", "Order A-1 is paid."]);
    const [first, second, ...more] = sentTo(agent);
    expect(more).toEqual([]);
    expect([first?.taskId, typeof second?.taskId]).toEqual([undefined, "string"]);
  });

  it("has its task cancelled when nobody answers", BROAD, async () => {
    const { agent, desk } = await open((turn) => {
      turn.task();
      turn.status("TASK_STATE_INPUT_REQUIRED", [{ text: "Which order?" }]);
    });
    const id = await desk.begin("Is it paid?");
    await desk.answer(await desk.settled(id), { action: "decline" });
    const reply = await ended(desk, id);

    expect(texts(reply)).toEqual([
      "completed",
      "The question was not answered, so the task was cancelled.",
    ]);
    await waitFor(() => expect(agent.cancelled).toHaveLength(1));
  });

  for (const [rows, breadth] of sampled([
    ["as words", []],
    ["as data, where it knows the extension", [{ uri: A2A_EXTENSION }]],
  ])) {
    it.each(rows)(
      "is given a schema %s, and asked again for what does not fit it",
      breadth,
      async (_, extensions) => {
        const { agent, desk } = await open(
          (turn) => {
            turn.task();
            const isFirst = sentTo(agent).length === 1;
            const answer = isFirst ? "```json\n{}\n```" : '{"paid": true}';
            turn.artifact("answer", [{ text: answer }]);
            turn.status("TASK_STATE_COMPLETED");
          },
          { extensions },
        );
        const structured_schema = {
          type: "object",
          properties: { paid: { type: "boolean" } },
          required: ["paid"],
        };
        const begun = await request<{ id: string }>("POST", `${desk.path}/replies`, {
          key: desk.key,
          body: { input: "Is it paid?", structured_schema, background: true },
        });
        const reply = await ended(desk, begun.body.id);

        expect(reply.message).toMatchObject({ structured_output: { paid: true } });
        const [first, second] = sentTo(agent);
        const schema = first?.parts.at(-1);
        if (extensions.length > 0) {
          expect(schema).toEqual({
            data: { [A2A_EXTENSION]: { output_schema: structured_schema } },
          });
        } else expect(schema?.text).toContain('"required":["paid"]');
        expect(second?.parts[0]?.text).toMatch(/paid/);
      },
    );
  }

  it("tells the usage and the cost of its task, which are counted and marked as told", async () => {
    const usage = { input_tokens: 1_200, output_tokens: 34, cost_usd: 0.25 };
    const { desk } = await open((turn) => {
      turn.task();
      turn.artifact("a", [{ text: "Hello." }]);
      turn.told("TASK_STATE_COMPLETED", { [A2A_EXTENSION]: { usage } });
    });
    const id = await desk.begin("Hello");
    await desk.settled(id);
    const path = `${desk.path}/replies/${id}`;
    const { key } = desk;
    const read = await request<{ usage: object }>("GET", path, { key });
    const diagnostics = await request<{ model_calls: object[] }>("GET", `${path}/diagnostics`, {
      key,
    });
    const log = await request<{ data: { type: string; metadata: object }[] }>(
      "GET",
      `${desk.path}/events?limit=100`,
      { key },
    );

    const { cost_usd, ...counts } = usage;
    expect(read.body.usage).toMatchObject(counts);
    expect(diagnostics.body.model_calls).toMatchObject([{ usage: counts, cost_usd }]);
    const end = log.body.data.find(({ type }) => type === "MODEL_CALL_END");
    expect(end?.metadata).toEqual({ usage_told: true });
  });

  it("that tells no usage leaves it at none, and its cost unknown", BROAD, async () => {
    const { desk } = await open(ECHO);
    const id = await desk.begin("Hello");
    await desk.settled(id);
    const path = `${desk.path}/replies/${id}/diagnostics`;
    const { body } = await request<{ model_calls: object[] }>("GET", path, { key: desk.key });

    expect(body.model_calls).toMatchObject([
      { usage: { input_tokens: 0, output_tokens: 0 }, cost_usd: null },
    ]);
  });

  it("is interrupted here and there", async () => {
    const { agent, desk } = await open((turn) => {
      turn.task();
      turn.artifact("a", [{ text: "A long" }]);
      return new Promise(() => {});
    });
    const id = await desk.begin("Tell me");
    await waitFor(async () => expect(JSON.stringify(await desk.read(id))).toContain("A long"));
    await request("POST", `${desk.path}/interrupt`, { key: desk.key });

    expect((await ended(desk, id)).status).toBe("interrupted");
    await waitFor(() => expect(agent.cancelled).toHaveLength(1));
  });

  it("has its task cancelled at once when a reply that waits for a person is interrupted", async () => {
    const { agent, desk } = await open((turn) => {
      turn.task();
      turn.status("TASK_STATE_INPUT_REQUIRED", [{ text: "Which order?" }]);
    });
    const id = await desk.begin("Is it paid?");
    await desk.settled(id);
    await request("POST", `${desk.path}/interrupt`, { key: desk.key });

    expect((await ended(desk, id)).status).toBe("interrupted");
    await waitFor(() => expect(agent.cancelled).toHaveLength(1));
    expect(sentTo(agent)).toHaveLength(1);
  });

  for (const [rows, breadth] of sampled([
    ["TASK_STATE_FAILED", "The agent of another system failed."],
    ["TASK_STATE_REJECTED", "The agent of another system has rejected the task."],
  ])) {
    it.each(rows)(
      "ends the reply with a fixed text for %s, and is not asked again",
      breadth,
      async (state, message) => {
        const { agent, desk } = await open((turn) => {
          turn.task();
          turn.status(state, [{ text: "my token is sk-123456789012345678901234" }]);
        });
        const reply = await ended(desk, await desk.begin("Go"));

        expect([reply.status, reply.message]).toMatchObject(["error", { error: { message } }]);
        expect(JSON.stringify(reply)).not.toContain("sk-123");
        expect(sentTo(agent)).toHaveLength(1);
      },
    );
  }

  it("is asked with the credential that its card wants", async () => {
    const agent = await startSdkAgent(ECHO, { token: "letmein" });
    onTestFinished(() => agent.stop());
    const { key } = await createTenant();
    const { host } = new URL(agent.url);
    const made = await request<{ id: string }>("POST", "/v1/credentials", {
      key,
      body: { name: "remote", type: "model", secret: "letmein", allowed_hosts: [host] },
    });
    const card = { url: agent.url };
    const model = { provider: "a2a", card, credential_id: made.body.id };
    const agentId = await createAgent(key, { model });
    const session = await request<{ id: string }>("POST", "/v1/sessions", {
      key,
      body: { agent_id: agentId },
    });
    const path = `/v1/sessions/${session.body.id}/replies`;
    const reply = await request("POST", path, { key, body: { input: "Hello" } });

    expect(JSON.stringify(reply.body)).toContain("You said: Hello");
    expect(agent.requests.map(({ headers }) => headers["authorization"])).toEqual([
      "Bearer letmein",
    ]);
  });
});

it.each([
  ["fallback_models", [{ provider: "scripted" }]],
  ["allowed_models", [{ provider: "scripted", name: "other" }]],
  ["memory", {}],
  ["on_interrupt", { type: "model" }],
])("an agent of another system allows no %s beside it", async (field, value) => {
  const { key } = await createTenant();
  const model = { provider: "a2a", card: { file: "remote-agent" } };
  const body = { name: "Desk", model, [field]: value };
  const refused = await request<{ errors: readonly { pointer: string }[] }>("POST", "/v1/agents", {
    key,
    body,
  });

  expect([refused.status, refused.body.errors[0]?.pointer]).toEqual([400, `#/${field}`]);
});
