import { describe, expect, it } from "vitest";

import {
  allEvents,
  createdSession,
  openStream,
  readEvents,
  readReply,
  reply,
  startReply,
  stubOf,
} from "../sessions/session.ts";
import { BROAD } from "../../support/breadth.ts";

describe("streams of a session", () => {
  it("end with the reply, and answer 204 when nothing is left to say", async () => {
    const init = await createdSession();
    const { id, cursor } = await reply(init, "/say hi");

    expect((await openStream(init, `after=${cursor}`)).status).toBe(204);
    expect((await openStream(init, `after=${cursor}&reply_id=${id}`)).status).toBe(204);
    expect((await openStream(init, "after=0")).status).toBe(200);
  });

  it("of one reply hold its events and nothing of its neighbours", async () => {
    const init = await createdSession();
    await reply(init, "/say a");
    const second = await reply(init, "/say b");
    await reply(init, "/say c");

    const events = await readEvents(await openStream(init, `after=0&reply_id=${second.id}`));
    expect(events[0]?.type).toBe("REPLY_START");
    expect(events.at(-1)?.type).toBe("REPLY_END");
    expect(new Set(events.map((event) => event.reply_id))).toEqual(new Set([second.id]));
  });

  it("that follow the session stay open from one reply to the next", async () => {
    const init = await createdSession();
    await reply(init, "/say a");
    const following = await openStream(init, "after=0&follow=session");
    let ends = 0;
    const reading = readEvents(following, (event) => {
      if (event.type === "REPLY_END") ends += 1;
      return ends === 2;
    });
    await new Promise((resolve) => setTimeout(resolve, 50));
    await reply(init, "/say b");

    expect(await reading).toEqual(await allEvents(init));
  });

  it(
    "show 50 subscribers the same events once, whenever they joined, and the stalled ones hold back nobody",
    BROAD,
    async () => {
      const init = await createdSession();
      const started = await startReply(init, "/rate 400\n/words 200");
      const stalled = await Promise.all(
        Array.from({ length: 5 }, () => openStream(init, "after=0")),
      );
      const readers = Array.from({ length: 45 }, async (_, index) => {
        await new Promise((resolve) => setTimeout(resolve, (index * 37) % 500));
        return readEvents(await openStream(init, "after=0"));
      });
      const seen = await Promise.all(readers);
      const all = await allEvents(init);

      expect((await readReply(init, started.id)).status).toBe("completed");
      for (const events of seen) expect(events).toEqual(all);
      for (const response of stalled) expect(await readEvents(response)).toEqual(all);
    },
  );

  it("refuse the 201st subscriber, and take a new one when one has left", async () => {
    const init = await createdSession();
    await startReply(init, "/rate 20\n/words 20000");
    const open = await Promise.all(Array.from({ length: 200 }, () => openStream(init, "after=0")));
    const refused = await openStream(init, "after=0");
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({ code: "too_many_subscribers" });

    await open[0]?.body?.cancel();
    await expect.poll(async () => (await openStream(init, "after=0")).status).toBe(200);
    await stubOf(init).act("interrupt", {});
  });

  it("end when the session is removed, and nothing of it is left", async () => {
    const init = await createdSession();
    await startReply(init, "/rate 20\n/words 20000");
    const reading = readEvents(await openStream(init, "after=0"));
    await stubOf(init).remove();

    expect((await reading).at(-1)?.type).not.toBe("REPLY_END");
    expect(await stubOf(init).act("read")).toMatchObject({
      ok: false,
      refusal: { code: "not_found" },
    });
    expect((await openStream(init, "after=0")).status).toBe(404);
  });
});
