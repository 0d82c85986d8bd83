// Hooks before a model call, over HTTP: all that an end user's words can reach passes them before any model is sent it.
import { describe, expect, onTestFinished, test } from "vitest";

import type { LoggedEvent } from "../../../protocol/events.ts";
import type { Reply } from "../../../protocol/replies/contract.ts";
import { MAX_HOOK_REQUEST_BYTES } from "../../../protocol/hooks/limits.ts";
import { BROAD, sampled } from "../../support/breadth.ts";
import { says, startFakeOpenAi, type FakeTurn } from "../../support/fake-openai.ts";
import { startHookServer, type AskedHook } from "../../support/hook-server.ts";
import {
  createAgent,
  createSession,
  createTenant,
  openRequest,
  request,
} from "../../support/platform-client.ts";
import { readRun } from "../../support/run-answer.ts";

/** As long as a hook may take: none of these is about time. */
const timeout_ms = 30_000;

type Answer = (asked: AskedHook, count: number) => unknown;

/** A session whose agent is guarded before each model call, and whose model plays these turns. */
async function openGuarded(
  answerHook: Answer,
  { turns = [says("Hello.")], hook = {}, agent = {} }: Guarding = {},
) {
  const guard = await startHookServer(answerHook);
  const model = await startFakeOpenAi(...turns);
  onTestFinished(async () => {
    await guard.stop();
    await model.stop();
  });
  const { key } = await createTenant();
  const point = "pre_model_call";
  const hooks = [{ name: "guard", point, type: "http", url: guard.url, timeout_ms, ...hook }];
  const own = { provider: "openai", name: "gpt-fake", base_url: model.baseUrl };
  const agentId = await createAgent(key, { model: own, tools: [], hooks, ...agent });
  const path = `/v1/sessions/${await createSession(key, agentId)}`;
  const ask = async <Body>(method: string, what: string, body?: unknown) =>
    request<Body>(method, `${path}${what}`, { key, body });
  return {
    key,
    agentId,
    guard,
    model,
    ask,
    say: async (input: unknown, more: object = {}): Promise<Reply> =>
      (await ask<Reply>("POST", "/replies", { input, ...more })).body,
    events: async (): Promise<readonly LoggedEvent[]> =>
      (await ask<{ data: LoggedEvent[] }>("GET", "/events?limit=100")).body.data,
  };
}

interface Guarding {
  readonly turns?: readonly FakeTurn[];
  readonly hook?: object;
  readonly agent?: object;
}

function textOf({ message }: Reply): string {
  return (message?.content ?? [])
    .flatMap((block) => (block.type === "text" ? block.text : []))
    .join("");
}

function shownIn({ input }: AskedHook): string {
  return JSON.stringify(input.request);
}

const fails: FakeTurn = (stream) => stream.fail(503);
const PLAN = {
  name: "Plan",
  description: "word-of-the-plan",
  expected_outcome: "Done.",
  subtasks: [{ name: "word-of-a-step", description: "One.", expected_outcome: "Done." }],
};

describe("a hook before a model call is shown", () => {
  test("the whole request, once, under an id of its own", async () => {
    const { say, guard, events } = await openGuarded(() => undefined, {
      agent: { system_prompt: "Be kind." },
    });
    const reply = await say("Good morning");
    const [asked, ...others] = guard.asked;

    expect([textOf(reply), others]).toEqual(["Hello.", []]);
    expect(asked).toMatchObject({
      point: "pre_model_call",
      reply_id: reply.id,
      input: {
        iteration: 1,
        request: {
          system_prompt: "Be kind.",
          messages: [{ role: "user", content: [{ type: "text", text: "Good morning" }] }],
          tools: [],
          tool_choice: null,
          structured_schema: null,
        },
      },
    });
    expect(asked?.input).not.toHaveProperty("note");
    const types = (await events()).map((event) =>
      event.type === "CUSTOM" ? event.name : event.type,
    );
    expect(types.indexOf("hook_answered")).toBeLessThan(types.indexOf("MODEL_CALL_START"));
  });

  test("what a page sends beside the conversation: context, state, and its tools' descriptions", async () => {
    const { key, agentId, guard } = await openGuarded(() => undefined, {
      agent: { shared_state: { enabled: true } },
    });
    const body = {
      threadId: crypto.randomUUID(),
      runId: crypto.randomUUID(),
      protocolVersion: "1.0",
      messages: [{ id: crypto.randomUUID(), role: "user", content: "Hi" }],
      context: [{ description: "Page", value: "word-of-the-context" }],
      state: { note: "word-of-the-state" },
      tools: [
        {
          name: "paint",
          description: "word-of-a-tool",
          parameters: {
            type: "object",
            properties: { colour: { type: "string", description: "word-of-a-member" } },
          },
        },
      ],
    };
    await readRun(await openRequest("POST", `/v1/agents/${agentId}/ag-ui`, { key, body }));

    const shown = guard.asked.map(shownIn).join("");
    for (const word of ["the-context", "the-state", "a-tool", "a-member"]) {
      expect(shown).toContain(`word-of-${word}`);
    }
  });

  test(
    "the shared state, the plan and the schema that the reply has to fill in",
    BROAD,
    async () => {
      const structured: FakeTurn = (stream) => {
        const input = JSON.stringify({ colour: "red" });
        stream.calls({ index: 0, id: "c", name: "GenerateStructuredOutput", arguments: input });
        stream.finish("tool_calls");
        stream.usage(10, 3);
        stream.done();
      };
      const { ask, say, guard } = await openGuarded(() => undefined, {
        turns: [structured],
        agent: { shared_state: { enabled: true }, plan: {} },
      });
      const patch = [{ op: "add", path: "/note", value: "word-of-the-state" }];
      const patched = await ask("PATCH", "/shared-state", patch);
      const planned = await ask("PUT", "/plan", { plan: PLAN });
      const schema = {
        type: "object",
        properties: { colour: { type: "string", description: "word-of-the-schema" } },
        required: ["colour"],
      };
      const reply = await say("Which colour?", { structured_schema: schema });

      expect([patched.status, planned.status, reply.status]).toEqual([200, 200, "completed"]);
      const [asked] = guard.asked;
      expect(asked?.input.request?.structured_schema).toEqual(schema);
      const shown = guard.asked.map(shownIn).join("");
      for (const word of ["the-state", "the-plan", "a-step", "the-schema"]) {
        expect(shown).toContain(`word-of-${word}`);
      }
    },
  );

  test("one megabyte at most, with a note of what is left out", BROAD, async () => {
    const { say, guard, model } = await openGuarded(() => undefined, {
      agent: { context: { context_size: 2_000_000 } },
    });
    const long = "ä ".repeat(150_000);
    for (const name of ["first", "second", "third"]) {
      expect((await say(`${name} ${long}`)).status).toBe("completed");
    }
    const [one, , three] = guard.asked;

    expect(JSON.stringify(model.requests[2]?.body)).toContain("first ä");
    expect(one?.input).not.toHaveProperty("note");
    expect(three?.input.note).toMatch(
      /^The request has \d+ bytes, and a hook is shown 1000000 at most\. Left out: the oldest messages\.$/,
    );
    expect(shownIn(three!)).toContain(`third ${long.slice(0, 100)}`);
    expect(shownIn(three!)).not.toContain("first ä");
    for (const { input } of guard.asked) {
      expect(Buffer.byteLength(JSON.stringify(input.request))).toBeLessThanOrEqual(
        MAX_HOOK_REQUEST_BYTES,
      );
    }
  });

  test("one question for all tries of a call, with a fallback too", BROAD, async () => {
    const other = await startFakeOpenAi(says("From the other one."));
    onTestFinished(() => other.stop());
    const { say, guard, model } = await openGuarded(() => undefined, {
      turns: [fails],
      agent: {
        fallback_models: [{ provider: "openai", name: "gpt-other", base_url: other.baseUrl }],
      },
    });
    const reply = await say("Hi");

    expect(textOf(reply)).toBe("From the other one.");
    expect(model.requests.length).toBeGreaterThan(1);
    expect(guard.asked).toHaveLength(1);
  });
});

describe("a hook before a model call", () => {
  test("blocks it with words of its own: no model is sent anything", async () => {
    const answer = { action: "block", reason: "Not about politics." };
    const { say, model, events } = await openGuarded(() => answer);
    const reply = await say("Whom to vote for?");

    expect([reply.status, textOf(reply)]).toEqual(["completed", "Not about politics."]);
    expect(model.requests).toEqual([]);
    expect((await events()).at(-1)).toMatchObject({
      type: "REPLY_END",
      metadata: { stopped_by: { hook: "guard", point: "pre_model_call" } },
    });
  });

  for (const [rows, breadth] of sampled(
    [
      ["has a person asked", { action: "ask" }],
      ["adds a hint", { hint: "Be brief." }],
      ["changes the messages", { action: "modify" }],
      ["answers no object", "fine"],
    ],
    1,
  ))
    test.each(rows)(
      "that %s is no valid answer: closed ends the reply, open goes on",
      breadth,
      async (_, given) => {
        const closed = await openGuarded(() => given);
        const open = await openGuarded(() => given, { hook: { on_failure: "open" } });
        const [ended, went] = [await closed.say("Hi"), await open.say("Hi")];

        expect([ended.status, closed.model.requests.length]).toEqual(["error", 0]);
        expect((await closed.events()).at(-1)).toMatchObject({
          metadata: {
            failed_hook: { hook: "guard", point: "pre_model_call", kind: "invalid_answer" },
          },
        });
        expect([went.status, textOf(went), open.model.requests.length]).toEqual([
          "completed",
          "Hello.",
          1,
        ]);
      },
    );

  test("that never answers ends the reply when its time is over", BROAD, async () => {
    const { say, model } = await openGuarded(() => new Promise(() => undefined), {
      hook: { timeout_ms: 500 },
    });
    const reply = await say("Hi");

    expect([reply.status, model.requests]).toEqual(["error", []]);
  });

  test("changes nothing of the request, whatever it sends back", async () => {
    const { say, model } = await openGuarded(({ input }) => ({
      input: { ...input, request: { messages: [] }, messages: [] },
    }));
    const reply = await say("Good morning");

    expect(textOf(reply)).toBe("Hello.");
    expect(JSON.stringify(model.requests[0]?.body)).toContain("Good morning");
  });

  test(
    "is asked before a conversation is summarised, in a reply and beside it",
    BROAD,
    async () => {
      const isBad = ({ input }: AskedHook) => JSON.stringify(input).includes("badword");
      const { ask, say, guard, model } = await openGuarded(
        (asked) => (isBad(asked) ? { action: "block", reason: "Not this." } : undefined),
        { agent: { context: { context_size: 2_000, token_counter: "estimate" } } },
      );
      await say(`first ${"word ".repeat(360)}`);
      await say(`second ${"word ".repeat(360)}`);
      const before = model.requests.length;
      const reply = await say(`badword ${"word ".repeat(720)}`);
      const compressed = await ask<{ code: string; hook: string }>("POST", "/compress", {});

      expect([reply.status, textOf(reply)]).toEqual(["completed", "Not this."]);
      expect([compressed.status, compressed.body.code, compressed.body.hook]).toEqual([
        403,
        "hook_blocked",
        "guard",
      ]);
      expect(model.requests).toHaveLength(before);
      expect(guard.asked.at(-1)).toMatchObject({
        id: expect.stringContaining(":pre_model_call:summary-"),
        reply_id: null,
      });
    },
  );

  test(
    "is asked before the remark after an interrupt, which is not made when it is blocked",
    BROAD,
    async () => {
      const silent: FakeTurn = async (stream) => {
        stream.text("I am");
        await new Promise(() => {});
      };
      const { ask, say, guard, model, events } = await openGuarded(
        (asked) => (shownIn(asked).includes("interrupted you") ? { action: "block" } : undefined),
        { turns: [silent, says("I have stopped.")], agent: { on_interrupt: { type: "model" } } },
      );
      await say("Hi", { background: true });
      await expect.poll(async () => JSON.stringify(await events())).toContain("I am");
      const { body } = await ask<{ reply: Reply }>("POST", "/interrupt");

      expect([body.reply.status, textOf(body.reply)]).toEqual(["interrupted", "I am"]);
      expect([guard.asked.length, model.requests.length]).toEqual([2, 1]);
    },
  );

  test("of a session is asked before its agent's", async () => {
    const { ask, say, guard } = await openGuarded(() => undefined);
    const hook = { name: "own", point: "pre_model_call", type: "http", url: guard.url, timeout_ms };
    await ask("PUT", "/hooks", { hooks: [hook] });
    await say("Hi");

    expect(guard.asked.map(({ hook: name }) => name)).toEqual(["own", "guard"]);
  });
});
