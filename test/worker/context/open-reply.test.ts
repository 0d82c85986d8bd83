// A summary that is due between replies, while the open reply has summarised a part of itself.
import { describe, expect, it } from "vitest";

import { waitFor } from "../../support/wait-for.ts";
import { readReply, reply, startReply } from "../session/session.ts";
import {
  compressingSession,
  fireTimer,
  rowsOf,
  sayTwice,
  summariesOf,
  textsOfContext,
  truncationsOf,
  wordsOf,
} from "./compressing.ts";

const TURN = `/say ${wordsOf(230)}\n/call nothing {}`;

describe("a context that begins inside the open reply", () => {
  it("is left alone by a summary that was due before it", async () => {
    const init = await compressingSession("", { keep_recent: 0 });
    await sayTwice(init, 350);
    await sayTwice(init, 350);
    const { id } = await startReply(init, `${TURN}\n${TURN}\n${TURN}\n/wait 3000\n/say done`);
    await waitFor(async () => {
      const made = await summariesOf(init);
      expect(made.at(-1)?.value.last_message_id).toBe(id);
      expect((await textsOfContext(init)).join("")).toContain("nothing");
    });
    const before = await summariesOf(init);
    const context = await textsOfContext(init);
    // Its machine was lost, and its time comes now.
    await rowsOf(init, "INSERT INTO timers (kind, id, due_at) VALUES ('compress', 'session', 1)");
    await fireTimer(init);
    const done = await readReply(init, id, 20_000);
    console.log(
      JSON.stringify(done).slice(0, 300),
      (done.message?.content ?? []).map((c) => c.type + JSON.stringify(c).slice(0, 50)).join("\n"),
    );
    expect(await summariesOf(init)).toEqual(before);
    expect(await truncationsOf(init)).toEqual([]);
    expect(await textsOfContext(init)).toEqual(context);
    expect((await readReply(init, id, 20_000)).status).toBe("completed");
    expect((await reply(init, "/say on")).status).toBe("completed");
  });
});
