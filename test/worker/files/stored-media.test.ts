// Sessions that have stored media and texts as older code took them, and what an object that was evicted knows of
// refusals.
import { evictDurableObject } from "cloudflare:test";
import { expect, it, onTestFinished, vi } from "vitest";

import type { ContentBlock } from "../../../protocol/messages/blocks.ts";
import { MsgSchema } from "../../../protocol/messages/messages.ts";
import { createdSession, objectOf, reply, stubOf, valueOf } from "../sessions/session.ts";

const MODEL = {
  model: {
    provider: "openai",
    name: "gpt-fake",
    base_url: "https://models.example/v1",
    parameters: {},
  },
};
const ANSWER = [
  { choices: [{ index: 0, delta: { content: "A shoe." }, finish_reason: "stop" }] },
  { choices: [], usage: { prompt_tokens: 1, completion_tokens: 1 } },
];

/** The bodies of the model's requests. @param refuses Whether one is refused. */
function hearModel(refuses: (body: string) => boolean = () => false): readonly string[] {
  const sent: string[] = [];
  const spy = vi.spyOn(globalThis, "fetch").mockImplementation(async (_, init) => {
    const body = await new Response(init?.body).text();
    sent.push(body);
    if (refuses(body)) {
      return Response.json({ error: { message: "Could not process image" } }, { status: 400 });
    }
    const events = ANSWER.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
    return new Response(`${events}data: [DONE]\n\n`, {
      headers: { "content-type": "text/event-stream" },
    });
  });
  onTestFinished(() => spy.mockRestore());
  return sent;
}

function storedWith(...data: readonly string[]) {
  return storedContent(
    data.map((one) => ({
      type: "data",
      source: { type: "base64", media_type: "image/png", data: one },
    })),
  );
}

/** As the object stores it; the check of requests is in front of it. */
async function storedContent(content: readonly object[]) {
  const init = await createdSession(MODEL);
  const { content: blocks } = MsgSchema.parse({ name: "kim", role: "user", content });
  const message = { id: "m1", name: "kim", role: "user" as const, metadata: {} };
  valueOf(
    await stubOf(init).act("observe", [{ ...message, content: blocks as ContentBlock[] }] as never),
  );
  return init;
}

it("a picture that was stored though it is none is a note, and one with a slip is put right", async () => {
  const sent = hearModel();
  const init = await storedWith("...", "iVBORw0KGgoA", "data:image/png;base64,iVBO\nRw0KGgoB");

  const { status } = await reply(init, "What is it?");

  expect([status, sent.length]).toEqual(["completed", 1]);
  expect(sent[0]).toContain("[data of type image/png, whose data cannot be read]");
  expect(sent[0]?.match(/base64,[\w+/=]+/g)).toEqual([
    "base64,iVBORw0KGgoA",
    "base64,iVBORw0KGgoB",
  ]);
});

it("half a pair of surrogates that was stored is one replacement character in what is sent", async () => {
  const sent = hearModel();
  const init = await storedContent([{ type: "text", text: "cut \uD83D here" }]);

  const { status } = await reply(init, "What is it?");

  expect([status, sent.length]).toEqual(["completed", 1]);
  expect(sent[0]).toContain("cut \uFFFD here");
  expect(sent[0]).not.toMatch(/\\ud83d/i);
});

it("what was refused is known after an eviction, and so is what was taken", async () => {
  const sent = hearModel((body) => body.includes("iVBORw0KGgoB"));
  const init = await storedWith("iVBORw0KGgoA");
  await reply(init, "What is it?");
  const source = { type: "base64" as const, media_type: "image/png", data: "iVBORw0KGgoB" };
  const broken = MsgSchema.parse({
    id: "m2",
    name: "kim",
    role: "user",
    content: [{ type: "data", source }],
  });
  valueOf(await stubOf(init).act("observe", [broken] as never));
  await evictDurableObject(objectOf(init));

  const second = await reply(init, "And this?");
  await evictDurableObject(objectOf(init));
  const third = await reply(init, "And now?");

  expect([second.status, third.status]).toEqual(["completed", "completed"]);
  const seen = sent.map((body) => [body.includes("KGgoA"), body.includes("KGgoB")]);
  expect(seen).toEqual([
    [true, false],
    [true, true],
    [true, false],
    [true, false],
  ]);
});
