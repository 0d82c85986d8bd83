// Hooks behind a model call and behind a reply that put blocks into the message, or take them out of it.
import { describe, expect, it, onTestFinished, test } from "vitest";

import type { LoggedEvent } from "../../../protocol/events.ts";
import { foldEvents } from "../../../protocol/fold/append-event.ts";
import type { ContentBlock } from "../../../protocol/messages/blocks.ts";
import { BROAD } from "../../support/breadth.ts";
import { says, startFakeOpenAi } from "../../support/fake-openai.ts";
import {
  ALLOW_PAY,
  answersIn,
  openHookDesk,
  textOf,
  type HookedReply,
} from "../../support/hook-desk.ts";
import { openRequest, readSse, request } from "../../support/platform-client.ts";
import { calls } from "../replies/ending-desk.ts";

const PAYS = '{"to":"a"}';
const modelAt = ({ baseUrl }: { baseUrl: string }) => ({
  provider: "openai",
  name: "m",
  base_url: baseUrl,
});
const NOTE = { type: "text", text: "This is no advice." };

/** The id of the first block of the type that the hook was shown. */
const idOf = (blocks: readonly { id: string; type: string }[] | undefined, type: string) =>
  blocks?.find((block) => block.type === type)?.id ?? "";

const shapeOf = ({ message }: Pick<HookedReply, "message">) =>
  message.content.map((block: ContentBlock) =>
    block.type === "text" ? block.text : block.type === "tool_call" ? block.name : block.type,
  );

async function framesOf(desk: { key: string; path: string }, format: string) {
  const response = await openRequest("GET", `${desk.path}/events?after=0&format=${format}`, {
    key: desk.key,
    headers: { accept: "text/event-stream" },
  });
  return (await readSse(response)).map(({ data }) => JSON.parse(data) as Record<string, unknown>);
}

describe("behind a reply", () => {
  test("a hook puts a text before what was said, and takes another text away, for every reader", async () => {
    const desk = await openHookDesk(
      ["post_reply"],
      ({ output }) => ({
        output: {
          blocks: [NOTE, { id: output?.blocks?.at(-1)?.id }],
          remove: [idOf(output?.blocks, "text")],
        },
      }),
      ALLOW_PAY,
    );
    const { key, path, say, events } = desk;
    const reply = await say('/say Draft.\n/call pay {"to":"a"}\n/say Paid.');
    const logged = await events();
    const stored = await request<HookedReply>("GET", `${path}/replies/${reply.id}`, { key });

    expect(shapeOf(reply)).toEqual(["pay", "tool_result", NOTE.text, "Paid."]);
    expect(stored.body.message).toEqual(reply.message);
    expect(foldEvents(logged.filter((event) => event.reply_id === reply.id))).toEqual(
      reply.message,
    );
    const [answered] = answersIn(logged);
    expect(answered).toMatchObject({
      outcome: "changed",
      change: {
        removed: [{ type: "text", id: expect.any(String) }],
        added: [{ id: reply.message.content[2]?.id, before: { type: "text" } }],
      },
    });
    const page = await framesOf(desk, "ag-ui");
    expect(page.filter(({ delta }) => delta === NOTE.text)).toHaveLength(1);
    const snapshot = page.findLast(({ type }) => type === "MESSAGES_SNAPSHOT");
    expect(JSON.stringify(snapshot)).toMatch(/This is no advice\..*Paid\./);
    expect(JSON.stringify(snapshot)).not.toContain('"Draft.');
    expect(page.at(-1)).toMatchObject({ type: "RUN_FINISHED" });
    const java = await framesOf(desk, "agentscope-java");
    expect(java.filter(({ delta }) => delta === NOTE.text)).toHaveLength(1);
    const result = JSON.stringify(java.find(({ type }) => type === "AGENT_RESULT"));
    expect(result).toMatch(/This is no advice\..*Paid\./);
    expect(result).not.toContain("Draft.");
  });

  test("a reply whose every text goes ends all the same, and the model is not called again", async () => {
    const desk = await openHookDesk(["post_reply"], ({ output }) => ({
      output: { remove: [idOf(output?.blocks, "text")] },
    }));
    const reply = await desk.say("/say A secret.");
    const events = await desk.events();

    expect([reply.status, reply.message.content]).toEqual(["completed", []]);
    expect(events.filter(({ type }) => type === "MODEL_CALL_START")).toHaveLength(1);
    const next = await desk.say("/say Another one.");
    expect([next.status, next.message.content]).toEqual(["completed", []]);
  });

  test("each hook is shown what the ones before it have made of the blocks", async () => {
    const seen: (readonly string[])[] = [];
    const desk = await openHookDesk([], ({ hook, output }) => {
      seen.push((output?.blocks ?? []).map(({ text }) => text));
      if (hook === "third") return undefined;
      return {
        output: { blocks: [{ type: "text", text: hook }, { id: output?.blocks?.[0]?.id }] },
      };
    });
    const hooks = ["first", "second", "third"].map((name) => ({
      name,
      point: "post_reply",
      type: "http",
      url: desk.server.url,
    }));
    await request("PUT", `${desk.path}/hooks`, { key: desk.key, body: { hooks } });
    const reply = await desk.say("/say said");

    expect(seen).toEqual([["said"], ["first", "said"], ["second", "first", "said"]]);
    expect(shapeOf(reply)).toEqual(["second", "first", "said"]);
  });
});

describe("behind a model call", () => {
  test("a call that a hook takes away is not made, and the text beside it is the answer", async () => {
    const desk = await openHookDesk(
      ["post_reasoning"],
      ({ output }) => ({
        output: {
          blocks: [{ id: idOf(output?.blocks, "text") }, { type: "text", text: "I may not pay." }],
          remove: [idOf(output?.blocks, "tool_call")],
        },
      }),
      ALLOW_PAY,
    );
    const reply = await desk.say('/say I pay.\n/call pay {"to":"a"}\n/say no');

    expect([reply.status, shapeOf(reply)]).toEqual(["completed", ["I pay.", "I may not pay."]]);
    expect(desk.server.asked).toHaveLength(1);
    expect((await desk.events()).map(({ type }) => type)).not.toContain("TOOL_RESULT_START");
  });

  test("of several calls the others run, and the model reads on without the one that went", async () => {
    const model = await startFakeOpenAi((stream) => {
      stream.calls(
        { index: 0, id: "call_a", name: "pay", arguments: '{"to":"a"}' },
        { index: 1, id: "call_b", name: "pay", arguments: '{"to":"b"}' },
      );
      stream.finish("tool_calls");
      stream.done();
    }, says("One was paid."));
    onTestFinished(() => model.stop());
    const desk = await openHookDesk(
      ["post_reasoning"],
      ({ output, input }) =>
        input.iteration === 1
          ? { output: { blocks: [NOTE], remove: [idOf(output?.blocks, "tool_call")] } }
          : undefined,
      { ...ALLOW_PAY, model: modelAt(model) },
    );
    const reply = await desk.say("Pay both.");
    const [, second] = model.requests.map(({ body }) => body as { messages: unknown[] });

    expect(shapeOf(reply)).toEqual(["pay", NOTE.text, "tool_result", "One was paid."]);
    expect(JSON.stringify(second)).not.toContain("call_a");
    expect(second?.messages.slice(-2)).toMatchObject([
      { role: "assistant", content: NOTE.text, tool_calls: [{ id: "call_b" }] },
      { role: "tool", tool_call_id: "call_b" },
    ]);
  });

  test("a model whose calls are always taken away is not asked for ever", BROAD, async () => {
    const model = await startFakeOpenAi(
      ...Array.from({ length: 4 }, (_, index) => calls(`call_${index}`, "pay", PAYS)),
    );
    onTestFinished(() => model.stop());
    const take = {
      model: modelAt(model),
      max_iters: 3,
    };
    const desk = await openHookDesk(
      ["post_reasoning"],
      ({ output }) => ({ output: { remove: [idOf(output?.blocks, "tool_call")] } }),
      { ...ALLOW_PAY, ...take },
    );
    const reply = await desk.say("Pay.");
    const structured = await request<HookedReply>("POST", `${desk.path}/replies`, {
      key: desk.key,
      body: { input: "Pay.", structured_schema: { type: "object", properties: { a: {} } } },
    });

    // The words are gone: the reply is over. One that owes a value asks on, as often as it may.
    expect([reply.status, reply.message.content]).toEqual(["completed", []]);
    expect(["exceed_max_iters", "error"]).toContain(structured.body.status);
  });
});

describe("an answer that cannot be", () => {
  const long = "x".repeat(200_000);
  it.each<[string, string, (id: string) => unknown, string]>([
    [
      "with a call of its own",
      "post_reasoning",
      () => ({ blocks: [{ type: "tool_call", name: "pay", input: "{}" }] }),
      "invalid_answer",
    ],
    [
      "with a block of another message",
      "post_reply",
      () => ({ blocks: [{ id: "blk_0" }, NOTE] }),
      "invalid_answer",
    ],
    [
      "that takes away what it was not shown",
      "post_reply",
      () => ({ remove: ["blk_0"] }),
      "invalid_answer",
    ],
    [
      "with 2,000 blocks",
      "post_reply",
      () => ({ blocks: Array(2_000).fill({ type: "text", text: "x" }) }),
      "invalid_answer",
    ],
    [
      "of more than a hook may answer",
      "post_reply",
      () => ({
        blocks: [
          { type: "text", text: long },
          { type: "text", text: long },
        ],
      }),
      "too_large",
    ],
  ])("%s is a failure, and nothing of it is done", async (_, point, output, kind) => {
    const desk = await openHookDesk([point], ({ output: shown }) => ({
      output: output(shown?.blocks?.[0]?.id ?? ""),
    }));
    const reply = await desk.say("/say hello");
    const [answered] = answersIn(await desk.events());

    expect([reply.status, textOf(reply)]).toEqual(["error", "hello"]);
    expect(answered).toMatchObject({ outcome: "failed", failure: { kind, on_failure: "closed" } });
    expect(answered).not.toHaveProperty("change");
  });

  test("is none where an id is listed or removed twice: it counts once", async () => {
    const desk = await openHookDesk(["post_reply"], ({ output }) => {
      const id = output?.blocks?.[0]?.id;
      return {
        output: {
          blocks: [{ id, text: "first" }, { id, text: "second" }, NOTE],
          remove: [output?.blocks?.[1]?.id, output?.blocks?.[1]?.id],
        },
      };
    });
    const reply = await desk.say("/say one\n/data image/png iVBORw0KGgo=");

    expect(shapeOf(reply)).toEqual(["second", NOTE.text]);
  });

  test("fills no reply beyond its room for texts and for blocks", BROAD, async () => {
    const turns = Array.from({ length: 14 }, (_, index) => calls(`call_${index}`, "pay", PAYS));
    const model = await startFakeOpenAi(...turns);
    onTestFinished(() => model.stop());
    const desk = await openHookDesk(
      ["post_reasoning"],
      ({ input }) => ({
        output: { blocks: Array(900).fill({ type: "text", text: `${input.iteration}` }) },
      }),
      { ...ALLOW_PAY, max_iters: 50, model: modelAt(model) },
    );
    const reply = await desk.say("Pay, again and again.");
    const kinds = answersIn(await allEvents(desk)).map(({ failure }) => failure);

    expect(reply.status).toBe("error");
    expect(reply.message.content.length).toBeLessThanOrEqual(10_000);
    expect(kinds.at(-1)).toMatchObject({ kind: "too_large" });
  });
});

async function allEvents({ key, path }: { key: string; path: string }): Promise<LoggedEvent[]> {
  const response = await openRequest("GET", `${path}/events?after=0`, {
    key,
    headers: { accept: "text/event-stream" },
  });
  return (await readSse(response)).map(({ data }) => JSON.parse(data) as LoggedEvent);
}
