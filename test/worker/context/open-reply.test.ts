// A summary that is due between replies, while the open reply has summarised a part of itself.
import { abortAllDurableObjects } from "cloudflare:test";
import { describe, expect, it } from "vitest";

import { waitFor } from "../../support/wait-for.ts";
import { readReply, startReply } from "../sessions/session.ts";
import { GATE, holdGates } from "../support/held-timers.ts";
import {
  compressingSession,
  dueOf,
  fireTimer,
  rowsOf,
  sayTwice,
  summariesOf,
  textsOfContext,
  wordsOf,
} from "./compressing.ts";

describe("a context that begins inside the open reply", () => {
  it("is left alone by a summary that was due before it", async () => {
    const gates = holdGates();
    const init = await compressingSession("", { keep_recent: 0 });
    await sayTwice(init, 350);
    await sayTwice(init, 350);
    const { id } = await startReply(init, `/say before\n/call nothing {}\n${GATE}\n/say after`);
    await waitFor(async () =>
      expect((await textsOfContext(init)).at(-1)).toContain("There is no tool named nothing"),
    );
    const calls = "SELECT id AS call FROM tool_calls";
    const [row] = await rowsOf<{ call: string }>(init, calls);
    // As its own summary leaves it.
    const summary = { id: "sum_1", text: wordsOf(150), created_at: new Date().toISOString() };
    const state = JSON.stringify({
      summary,
      boundary: { message_id: id, block_id: row?.call },
      is_truncated: false,
      request: `${GATE}\n/say after`,
    });
    await rowsOf(
      init,
      `INSERT INTO ability_states (name, state, seq) VALUES ('context', '${state}', 1)`,
    );
    await abortAllDurableObjects();
    await rowsOf(init, "INSERT INTO timers (kind, id, due_at) VALUES ('compress', 'session', 1)");
    await fireTimer(init);
    await waitFor(async () => expect(await dueOf(init)).toEqual([]));

    const running = "SELECT id FROM replies WHERE status = 'running'";
    expect(await rowsOf(init, running)).toEqual([{ id }]);
    expect((await textsOfContext(init))[0]).toContain(summary.text);
    gates.release();
    expect((await readReply(init, id, 20_000)).status).toBe("completed");
    expect(await summariesOf(init)).toEqual([]);
  });
});
