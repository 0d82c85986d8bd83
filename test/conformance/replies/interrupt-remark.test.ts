// `on_interrupt`: what a reply says after a user has interrupted it, and the definitions of all ends of a reply.
import { describe, expect, onTestFinished, test } from "vitest";

import type { Reply } from "../../../protocol/replies/contract.ts";
import { BROAD, sampled } from "../../support/breadth.ts";
import { says, startFakeOpenAi, type FakeTurn } from "../../support/fake-openai.ts";
import {
  createAgent,
  createSession,
  createTenant,
  request,
} from "../../support/platform-client.ts";
import {
  calls,
  openSession,
  say,
  startTools,
  statusOf,
  textOf,
  toolAt,
  type Started,
} from "./ending-desk.ts";

describe("an interrupt", () => {
  /** A reply whose tool hangs; its model then plays `turns`. */
  async function inTool(on_interrupt: object, ...turns: readonly FakeTurn[]) {
    const tools = await startTools();
    const model = await startFakeOpenAi(calls("call_1", "hang"), ...turns);
    onTestFinished(() => model.stop());
    const session = await openSession({
      model: { provider: "openai", name: "m", base_url: model.baseUrl },
      tools: [toolAt(tools, "hang")],
      on_interrupt,
    });
    const { id } = await say(session, "Look.", { background: true });
    await expect.poll(() => tools.calls("/hang")).toBe(1);
    return { session, id, model, tools };
  }

  const interrupt = ({ key, path }: Started) =>
    request<{ interrupted: boolean; reply: Reply }>("POST", `${path}/interrupt`, { key });

  test("lets the model say one thing: its tools are stopped, declared and forbidden", async () => {
    const { session, model, tools } = await inTool({ type: "model" }, says("I have stopped."));
    const { status, body } = await interrupt(session);

    expect([status, body.interrupted]).toEqual([200, true]);
    expect([body.reply.status, textOf(body.reply)]).toEqual(["interrupted", "I have stopped."]);
    await tools.abandoned("/hang");
    const [, remark] = model.requests.map(({ body: sent }) => sent as Record<string, unknown>);
    expect(remark).toMatchObject({ tool_choice: "none", tools: [{ function: { name: "hang" } }] });
    expect(JSON.stringify(remark)).toContain("The user has interrupted you");
    expect(JSON.stringify(remark)).toContain("was interrupted before this call was finished");
    expect([model.requests.length, tools.calls("/hang")]).toEqual([2, 1]);

    await say(session, "Go on.");
    expect(JSON.stringify(model.requests.at(-1)?.body)).not.toContain("has interrupted you");
  });

  test("says the agent's own text at once, and calls no model", BROAD, async () => {
    const { session, model } = await inTool({ type: "text", text: "Stopped. What next?" });
    const { body } = await interrupt(session);

    expect([body.reply.status, textOf(body.reply)]).toEqual(["interrupted", "Stopped. What next?"]);
    expect(model.requests).toHaveLength(1);
  });

  test(
    "of a model that only calls tools, or that never answers, ends the reply",
    BROAD,
    async () => {
      const hostile = await inTool({ type: "model" }, calls("call_2", "hang"));
      const called = await interrupt(hostile.session);
      const silent = await inTool({ type: "model" }, async (stream) => {
        stream.text("I am");
        await new Promise(() => {});
      });
      const waited = await interrupt(silent.session);
      await silent.model.abandoned;

      expect([called.body.reply.status, textOf(called.body.reply)]).toEqual(["interrupted", ""]);
      expect([hostile.model.requests.length, hostile.tools.calls("/hang")]).toEqual([2, 1]);
      expect([waited.body.reply.status, textOf(waited.body.reply)]).toEqual([
        "interrupted",
        "I am",
      ]);
      expect(silent.model.requests).toHaveLength(2);
    },
  );

  test("by the next input is not delayed by a remark", async () => {
    const { session, id, model } = await inTool({ type: "model" }, says("Hello."));
    const next = await say(session, "Hello?", { on_busy: "interrupt" });

    expect([next.status, textOf(next)]).toEqual(["completed", "Hello."]);
    expect(await statusOf(session, id)).toBe("interrupted");
    expect(model.requests).toHaveLength(2);
  });

  test(
    "is for those who may: another tenant finds nothing, a token needs the verb",
    BROAD,
    async () => {
      const { session, id, model } = await inTool({ type: "model" }, says("I have stopped."));
      const { key, path } = session;
      const stranger = await createTenant();
      const mint = async (verbs: readonly string[]) => {
        const body = { verbs, ttl_seconds: 600 };
        return (await request<{ token: string }>("POST", `${path}/tokens`, { key, body })).body
          .token;
      };
      const [reader, stopper] = [await mint(["read"]), await mint(["read", "interrupt"])];

      const refused = [
        await interrupt({ ...session, key: stranger.key }),
        await interrupt({ ...session, key: reader }),
      ];
      expect(refused.map(({ status }) => status)).toEqual([404, 403]);
      expect([await statusOf(session, id), model.requests.length]).toEqual(["running", 1]);

      const { body } = await interrupt({ ...session, key: stopper });
      expect([body.reply.status, textOf(body.reply)]).toEqual(["interrupted", "I have stopped."]);
    },
  );
});

describe("an agent's definition", () => {
  test("has all three in each version, and a session keeps those that it was opened with", async () => {
    const tools = await startTools();
    const { key } = await createTenant();
    const agent = await createAgent(key, {
      tools: [toolAt(tools, "look", { return_direct: true })],
      on_max_iters: "summarize",
      on_interrupt: { type: "text", text: "Stopped." },
    });
    const session = { key, agent, path: `/v1/sessions/${await createSession(key, agent)}` };
    const changed = await request<{ version: number }>("PATCH", `/v1/agents/${agent}`, {
      key,
      body: { on_max_iters: "stop", on_interrupt: { type: "none" } },
    });
    const [first, second] = await Promise.all(
      [1, 2].map((version) => request("GET", `/v1/agents/${agent}/versions/${version}`, { key })),
    );
    await say(session, "/rate 50\n/words 20000", { background: true });
    const { body } = await request<{ reply: Reply }>("POST", `${session.path}/interrupt`, { key });

    expect(body.reply.message?.content.at(-1)).toMatchObject({ text: "Stopped." });
    expect(changed.body.version).toBe(2);
    expect(first?.body).toMatchObject({
      tools: [{ return_direct: true }],
      on_max_iters: "summarize",
      on_interrupt: { type: "text", text: "Stopped." },
    });
    expect(second?.body).toMatchObject({
      tools: [{ return_direct: true }],
      on_max_iters: "stop",
      on_interrupt: { type: "none" },
    });
  });

  for (const [rows, breadth] of sampled(
    [
      [{ on_max_iters: "sum_up" }, "#/on_max_iters"],
      [{ on_interrupt: "model" }, "#/on_interrupt"],
      [{ on_interrupt: { type: "speech" } }, "#/on_interrupt/type"],
      [{ on_interrupt: { type: "text" } }, "#/on_interrupt/text"],
      [{ on_interrupt: { type: "text", text: "" } }, "#/on_interrupt/text"],
      [{ on_interrupt: { type: "text", text: "x".repeat(2_001) } }, "#/on_interrupt/text"],
      [{ on_interrupt: { type: "none", text: "Stopped." } }, "#/on_interrupt/text"],
      [{ on_interrupt: { type: "model", instructions: 1 } }, "#/on_interrupt/instructions"],
      [
        { tools: [{ type: "external", name: "label", return_direct: "yes" }] },
        "#/tools/0/return_direct",
      ],
      [
        { tools: [{ type: "code", name: "label", return_direct: true }] },
        "#/tools/0/return_direct",
      ],
    ],
    1,
  ))
    test.each(rows)(
      "is refused with the place of what does not fit: %j",
      breadth,
      async (definition, pointer) => {
        const { key } = await createTenant();

        const { status, body } = await request<{ code: string; errors: { pointer: string }[] }>(
          "POST",
          "/v1/agents",
          { key, body: { name: "Desk", ...definition } },
        );

        expect([status, body.code]).toEqual([400, "validation_failed"]);
        expect(body.errors.map((error) => error.pointer)).toContain(pointer);
      },
    );
});
