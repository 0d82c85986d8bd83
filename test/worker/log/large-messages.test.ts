// Messages as big as the limits allow, one after the other.
import { describe, expect, it, vi } from "vitest";

import { Outbox } from "../../../durable-objects/replies/outbox.ts";
import { BROAD } from "../../support/breadth.ts";
import { withHeldSession } from "../sessions/held-session.ts";

import {
  createdSession,
  listMessages,
  openStream,
  readEvents,
  reply,
  startReply,
  stubOf,
  valueOf,
} from "../sessions/session.ts";

const PHOTO = "iVBO".repeat(1_800_000);

describe("a session with photographs", BROAD, () => {
  it("lists its newest messages", async () => {
    const init = await createdSession();
    for (let index = 0; index < 5; index += 1) {
      const started = valueOf(
        await stubOf(init).act("startReply", {
          input: [
            {
              type: "text",
              text: "/say nice",
              id: `t${index}`,
              created_at: "T",
              finished_at: null,
            },
            {
              type: "data",
              id: `d${index}`,
              name: null,
              source: { type: "base64", data: PHOTO, media_type: "image/png" },
              created_at: "T",
              finished_at: null,
            },
          ],
          on_busy: "reject",
        }),
      );
      await stubOf(init).act("readReply", { reply_id: started.id, wait_ms: 60_000 });
    }
    const page = await listMessages(init, { limit: 20 }).catch((error: unknown) =>
      String(error).slice(0, 200),
    );

    expect(page).toMatchObject({ ok: true });
  });
});

describe("a reply with big results", BROAD, () => {
  it("can be read", async () => {
    const spy = vi
      .spyOn(globalThis, "fetch")
      .mockImplementation(async () => new Response("x".repeat(7_500_000)));
    const tool = {
      type: "http",
      name: "dump",
      url: "https://tools.example/dump",
      read_only: true,
      max_bytes: 8_000_000,
    };
    const init = await createdSession({ tools: [tool] });
    const ended = await startReply(init, `${"/call dump {}\n".repeat(5)}/say done`).then(({ id }) =>
      stubOf(init)
        .act("readReply", { reply_id: id, wait_ms: 60_000 })
        .catch((error: unknown) => String(error).slice(0, 200)),
    );
    spy.mockRestore();
    expect(ended).toMatchObject({ ok: true });
  });

  it("streams", async () => {
    const init = await createdSession();
    await reply(init, "/say hi");
    expect((await readEvents(await openStream(init, "after=0"))).length).toBeGreaterThan(3);
  });
});

describe("an outbox that D1 could not take for a while", () => {
  it("is delivered in pieces that memory bears", BROAD, () =>
    withHeldSession({}, async ({ session, state }) => {
      for (let index = 0; index < 12; index += 1) {
        const input = `/say nice\n${"x".repeat(1_000_000)}`;
        const started = valueOf(await session.queue.start({ input, on_busy: "reject" }));
        await session.queue.read(started.id, 60_000);
        await session.outbox.flush();
      }
      state.storage.sql.exec(
        "INSERT OR REPLACE INTO outbox (entry, reply_id, status, created_at) SELECT end_seq, id, status, created_at FROM replies",
      );
      let most = 0;
      const outbox = new Outbox(state.storage.sql, {
        announce: () => null,
        settings: session.settings,
        tables: session.tables,
        decisions: () => [],
        durableSeq: () => session.log.durableSeq,
        deliver: async (entries) => {
          most = Math.max(most, JSON.stringify(entries).length);
        },
        sync: () => state.storage.sync(),
        taskState: () => null,
      });
      await outbox.flush();

      expect(most).toBeLessThan(8_000_000);
    }),
  );
});
