// A conversation that is long: a reader is shown as much of it as its client takes, and holds nobody up while it reads.
import { describe, expect, it, onTestFinished, vi } from "vitest";

import type { SessionInit } from "../../../durable-objects/api/session-api.ts";
import { toAgUiMessages } from "../../../protocol/dialects/ag-ui/wire/messages.ts";
import { MAX_SHOWN_CHARACTERS } from "../../../protocol/ag-ui/limits.ts";
import type { Msg } from "../../../protocol/messages/messages.ts";
import { openStream as streamOf } from "../../../durable-objects/open-stream.ts";
import { parseStreamRequest } from "../../../durable-objects/api/stream-request.ts";
import { STREAM_URL } from "../../../durable-objects/api/session-api.ts";
import { BROAD } from "../../support/breadth.ts";
import { withHeldSession } from "../sessions/held-session.ts";
import { rowsOf } from "../confirmations/parked.ts";
import {
  createdSession,
  listMessages,
  openStream,
  reply,
  startReply,
  stubOf,
  valueOf,
} from "../sessions/session.ts";
import { framesIn, readFrames, typesOf, type Frame } from "../streams/translated.ts";

const PARAGRAPH = "a parcel left the harbour before dawn ".repeat(200);

async function observe(init: SessionInit, texts: readonly string[], prefix = "m"): Promise<void> {
  const messages = texts.map((content, index) => {
    return { id: `${prefix}${index}`, role: "user" as const, name: "user", content, metadata: {} };
  });
  valueOf(await stubOf(init).act("observe", messages));
}

async function stored(init: SessionInit): Promise<readonly Msg[]> {
  const { data } = valueOf(await listMessages(init, { limit: 1_000 }));
  return data;
}

function messagesIn(frame: Frame | undefined): readonly { readonly id: string }[] {
  return (frame?.event["messages"] ?? []) as readonly { readonly id: string }[];
}

/** Reads until this text has come, and leaves. */
async function readUntil(text: string, response: Response | Promise<Response>): Promise<void> {
  const { body } = await response;
  const reader = (body ?? new ReadableStream<Uint8Array>()).getReader();
  const decoder = new TextDecoder();
  for (let read = ""; !read.includes(text);) {
    const { done, value } = await reader.read();
    if (done) throw new Error(`the stream ended without ${text}`);
    read += decoder.decode(value, { stream: true });
  }
  await reader.cancel();
}

/**
 * Number of time slices that were asked for meanwhile; that others have their turn between two is
 * `time-slices.test.ts`.
 */
async function slicesUntil(work: () => Promise<void>): Promise<number> {
  const wait = vi.spyOn(scheduler, "wait");
  onTestFinished(() => wait.mockRestore());
  await work();
  return wait.mock.calls.length;
}

describe("a long conversation", () => {
  it("is shown whole, with a reply and before there is one", async () => {
    const init = await createdSession();
    await observe(
      init,
      Array.from({ length: 200 }, (_, index) => `${index} ${PARAGRAPH}`),
    );
    const [, before] = await readFrames(init, "format=ag-ui");
    expect(messagesIn(before)).toEqual((await stored(init)).flatMap(toAgUiMessages));

    await reply(init, "/say One.");
    await reply(init, "/say Two.");
    const [, after] = await readFrames(init, "format=ag-ui");
    expect(messagesIn(after)).toHaveLength(204);
    expect(messagesIn(after)).toEqual((await stored(init)).flatMap(toAgUiMessages));
  });

  it("is shown from the newest messages that a client takes in one frame", BROAD, async () => {
    const init = await createdSession();
    const third = "a".repeat(MAX_SHOWN_CHARACTERS / 3);
    await observe(init, [third, third, third]);
    const [, before] = await readFrames(init, "format=ag-ui");
    await reply(init, "/say Done.");
    const [, after] = await readFrames(init, "format=ag-ui");
    const [input, own] = (await stored(init)).slice(-2).flatMap(toAgUiMessages);

    expect(messagesIn(before).map(({ id }) => id)).toEqual(["m1", "m2"]);
    expect(messagesIn(after).map(({ id }) => id)).toEqual(["m1", "m2", input?.id, own?.id]);
  });

  it(
    "leaves others their time while a reader of the next reply is led through it",
    BROAD,
    async () => {
      const init = await createdSession();
      // As a transcript is added: some 250,000 characters at a time.
      for (let batch = 0; batch < 12; batch += 1) {
        const texts = Array.from({ length: 35 }, () => `${batch} ${PARAGRAPH}`);
        await observe(init, texts, `b${batch}-`);
      }
      const { id, cursor } = await startReply(init, "/say One.");
      const slices = await slicesUntil(() =>
        readUntil(
          "event: RUN_STARTED",
          openStream(init, `format=ag-ui&reply_id=${id}&after=${cursor}`),
        ),
      );
      expect(slices).toBeGreaterThanOrEqual(10);
    },
  );

  it("leaves others their time also when it is thousands of small events", BROAD, () =>
    withHeldSession({}, async ({ session }) => {
      const { log } = session;
      for (let batch = 0; batch < 20; batch += 1) {
        log.append(Array.from({ length: 500 }, () => ({ type: "CUSTOM", name: "n", value: {} })));
        await log.settled();
      }
      const { id, cursor } = valueOf(
        await session.queue.start({ input: "/say One.", on_busy: "reject" }),
      );
      const query = `format=ag-ui&reply_id=${id}&after=${cursor}`;
      const slices = await slicesUntil(async () => {
        const body = valueOf(streamOf(session, parseStreamRequest(`${STREAM_URL}?${query}`)));
        await readUntil("event: RUN_STARTED", new Response(body));
      });
      expect(slices).toBeGreaterThanOrEqual(7);
    }),
  );

  it("is read on as it was when others go on meanwhile", BROAD, async () => {
    const init = await createdSession();
    await observe(
      init,
      Array.from({ length: 200 }, (_, index) => `${index} ${PARAGRAPH}`),
    );
    await reply(init, "/say One.");
    const shown = await stored(init);
    const joined = await openStream(init, "format=ag-ui&follow=session");
    const reader = (joined.body ?? new ReadableStream<Uint8Array>()).getReader();
    const decoder = new TextDecoder();
    let text = decoder.decode((await reader.read()).value, { stream: true });
    expect(framesIn(text)).toHaveLength(1);
    await reply(init, "/say Two.");
    while (typesOf(framesIn(text)).filter((type) => type === "RUN_FINISHED").length < 2) {
      text += decoder.decode((await reader.read()).value, { stream: true });
    }
    await reader.cancel();

    expect(messagesIn(framesIn(text)[1])).toEqual(shown.flatMap(toAgUiMessages));
    expect(framesIn(text).slice(3)).toEqual(
      (await readFrames(init, "after=0&format=ag-ui")).slice(-7),
    );
  });
});

describe("a state whose beginning was never kept", () => {
  it("breaks no stream: what does not fit it is left aside", async () => {
    const init = await createdSession();
    const patch = (path: string) =>
      stubOf(init).act("patchSharedState", { patch: [{ op: "add", path, value: {} }] });
    valueOf(await patch("/a"));
    await startReply(init, "/rate 50\n/words 20000");
    valueOf(await patch("/a/b"));
    await stubOf(init).act("interrupt", {});
    await rowsOf(init, "DELETE FROM shared_state_versions");
    const frames = await readFrames(init, "format=ag-ui");

    expect(typesOf(frames)).toEqual([
      "RUN_STARTED",
      "STATE_SNAPSHOT",
      "MESSAGES_SNAPSHOT",
      "RUN_FINISHED",
    ]);
    expect(frames[1]?.event).toMatchObject({ snapshot: {} });
  });
});
