// Streams when nothing happens, on a clock that the test moves.
import { describe, expect, it } from "vitest";

import { FOLLOW_IDLE_MS, HEARTBEAT_MS } from "../../../protocol/events/limits.ts";
import { waitFor } from "../../support/wait-for.ts";
import { advanceClock } from "../support/advance-clock.ts";
import { holdTimers, type HeldTimers } from "../support/held-timers.ts";
import { createdSession, openStream, reply, startReply, stubOf } from "../sessions/session.ts";

function holdHeartbeats(): HeldTimers {
  return holdTimers((delayMs) => delayMs === HEARTBEAT_MS);
}

describe("a silent stream", () => {
  it("carries a comment every ten seconds while a reply runs", async () => {
    const init = await createdSession();
    await startReply(init, "/wait 60000\n/say late");
    const heartbeats = holdHeartbeats();
    const { body } = await openStream(init, "after=0");
    const reader = (body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    while (!text.includes("MODEL_CALL_START")) text += (await reader.read()).value ?? "";
    const events = text;

    const comments = [];
    for (let count = 0; count < 2; count += 1) {
      const reading = reader.read();
      await waitFor(() => expect(heartbeats.waiting).toBe(1));
      heartbeats.fire();
      comments.push((await reading).value);
    }

    expect(comments).toEqual([": heartbeat\n\n", ": heartbeat\n\n"]);
    expect(events.startsWith("retry: 1000\n\n")).toBe(true);
    expect(events.match(/retry:/g)).toHaveLength(1);
    await reader.cancel();
    await stubOf(init).act("interrupt", {});
  });

  it("that follows the session is closed after a minute without an event", async () => {
    const init = await createdSession();
    await reply(init, "/say hi");
    const heartbeats = holdHeartbeats();
    const { body } = await openStream(init, "after=0&follow=session");
    const reader = (body ?? new ReadableStream()).getReader();
    await reader.read();
    await reader.read();
    advanceClock(FOLLOW_IDLE_MS);
    heartbeats.fire();

    let isClosed = false;
    while (!isClosed) isClosed = (await reader.read()).done;
    expect(isClosed).toBe(true);
  });
});
