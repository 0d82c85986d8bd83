// A provider that refuses a picture: the session goes on, and the picture is not sent to it again.
import { expect, onTestFinished, test } from "vitest";

import type { Reply } from "../../../protocol/replies/contract.ts";
import type { LoggedEvent } from "../../../protocol/events.ts";
import { startFakeOpenAi, type FakeStream } from "../../support/fake-openai.ts";
import { request } from "../../support/platform-client.ts";
import { diagnose, openChatAt, say, type Chat } from "../diagnostics/diagnosed-chat.ts";
import { BROAD } from "../../support/breadth.ts";

const BROKEN = "iVBORw0KGgoA";
const GOOD = "iVBORw0KGgoB";
const REFUSAL = { error: { message: "Could not process image", type: "invalid_request_error" } };

function answer(stream: FakeStream): void {
  stream.delta({ role: "assistant", content: "" });
  stream.text("A shoe.");
  stream.finish();
  stream.done();
}

/** @param refuses Whether a request with this body is refused. */
async function openDesk(refuses: (body: string) => boolean, agent: object = {}) {
  const sent: string[] = [];
  const server = await startFakeOpenAi((stream, { text }) => {
    sent.push(text);
    if (refuses(text)) stream.refuse(400, REFUSAL);
    else answer(stream);
  });
  onTestFinished(() => server.stop());
  return { sent, chat: await openChatAt(server.baseUrl, agent), baseUrl: server.baseUrl };
}

const picture = (data: string) => ({
  type: "data",
  source: { type: "base64", media_type: "image/png", data },
});

async function show({ key, session }: Chat, ...content: readonly object[]): Promise<Reply> {
  const path = `/v1/sessions/${session}/replies`;
  return (await request<Reply>("POST", path, { key, body: { input: content } })).body;
}

async function refusedIn({ key, session }: Chat): Promise<readonly unknown[]> {
  const path = `/v1/sessions/${session}/events?limit=100`;
  const { body } = await request<{ data: readonly LoggedEvent[] }>("GET", path, { key });
  return body.data.flatMap((event) =>
    event.type === "CUSTOM" && event.name === "media_refused" ? [event.value] : [],
  );
}

test("a picture that the provider refuses is a note from then on, and one that it took is still sent", async () => {
  const { sent, chat } = await openDesk((body) => body.includes(BROKEN));

  const replies = [
    await show(chat, picture(GOOD)),
    await show(chat, picture(BROKEN)),
    await say(chat, "And now?"),
    await show(chat, picture(BROKEN)),
  ];

  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => "completed"));
  const seen = sent.map((body) => [body.includes(GOOD), body.includes(BROKEN)]);
  expect(seen).toEqual([
    [true, false],
    [true, true],
    [true, false],
    [true, false],
    // The same bytes again are known.
    [true, false],
  ]);
  expect(await refusedIn(chat)).toEqual([
    {
      reply_id: replies[1]?.id,
      model_name: "gpt-fake",
      endpoint: expect.stringMatching(/^[0-9a-f]{8}$/),
      media: [expect.stringMatching(/^sha256:[0-9a-f]{32}$/)],
    },
  ]);
});

test("a file is remembered by its id", BROAD, async () => {
  const { sent, chat } = await openDesk((body) => body.includes("data:image/png;base64,"));
  const large = Buffer.from(`\x89PNG\r\n\x1a\n${"x".repeat(80_000)}`, "latin1").toString("base64");

  const first = await show(chat, picture(large));
  const second = await say(chat, "And now?");

  expect([first.status, second.status, sent.length]).toEqual(["completed", "completed", 3]);
  expect(await refusedIn(chat)).toMatchObject([{ media: [expect.stringMatching(/^fil_/)] }]);
});

test("a refusal that is not about the picture stands, with its words", async () => {
  const { sent, chat } = await openDesk(() => true);

  const reply = await show(chat, picture(GOOD));

  expect([reply.status, sent.length]).toEqual(["error", 2]);
  const { model_calls } = await diagnose(chat, reply.id);
  expect(model_calls[0]?.failed_tries).toMatchObject([
    { http_status: 400, message: "Could not process image" },
  ]);
  expect(await refusedIn(chat)).toEqual([]);
});

test("a fallback is shown what the first model has refused for another reason", BROAD, async () => {
  const other = await openDesk(() => false);
  const model = { provider: "openai", name: "gpt-other", base_url: other.baseUrl };
  const { sent, chat } = await openDesk(() => true, { fallback_models: [model] });

  const reply = await show(chat, picture(GOOD));

  expect([reply.status, sent.length]).toEqual(["completed", 2]);
  expect(other.sent.map((body) => body.includes(GOOD))).toEqual([true]);
});

test("a conversation with a refused picture is summarised without it", BROAD, async () => {
  const fields = {
    task_overview: "Sell lamps.",
    current_state: "A picture was shown.",
    important_discoveries: "It could not be read.",
    next_steps: "Ask for another.",
    context_to_preserve: "Speaks German.",
  };
  const summaries: string[] = [];
  const refused: string[] = [];
  const server = await startFakeOpenAi((stream, { text }) => {
    const isSummary = text.includes("about to be replaced by a summary");
    if (text.includes(BROKEN)) {
      refused.push(isSummary ? "summary" : "reply");
      stream.refuse(400, REFUSAL);
      return;
    }
    if (isSummary) summaries.push(text);
    stream.delta({ role: "assistant", content: "" });
    stream.text(isSummary ? JSON.stringify(fields) : "A shoe.");
    stream.finish();
    stream.done();
  });
  onTestFinished(() => server.stop());
  const context = { context_size: 8_000, token_counter: "estimate" };
  const chat = await openChatAt(server.baseUrl, { context });
  const long = "word ".repeat(1_800);

  const replies = [
    await show(chat, picture(BROKEN)),
    await say(chat, `first ${long}`),
    await say(chat, `second ${long}`),
    await say(chat, `third ${long}${long}`),
  ];

  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => "completed"));
  expect(summaries).not.toEqual([]);
  // The media was refused once, by the reply that showed it.
  expect(refused).toEqual(["reply"]);
  const path = `/v1/sessions/${chat.session}/context`;
  const { body } = await request<{ summary: unknown }>("GET", path, { key: chat.key });
  expect(JSON.stringify(body.summary)).toContain("Ask for another.");
});
