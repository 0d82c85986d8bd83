// What a stream does when nothing happens. The heartbeat is real time; the test waits for one.
import { afterEach, describe, expect, it, vi } from "vitest";

import { FOLLOW_IDLE_MS, HEARTBEAT_MS } from "../../../protocol/limits.ts";
import { createdSession, openStream, reply, startReply, stubOf } from "./session.ts";

afterEach(() => {
  vi.useRealTimers();
});

describe("a silent stream", () => {
  it(
    "carries a comment every ten seconds while a reply runs",
    async () => {
      const init = await createdSession();
      await startReply(init, "/wait 60000\n/say late");
      const { body } = await openStream(init, "after=0");
      const reader = (body ?? new ReadableStream())
        .pipeThrough(new TextDecoderStream())
        .getReader();
      let text = "";
      const startedAt = performance.now();
      while (!text.includes(": heartbeat\n\n")) {
        const { done, value } = await reader.read();
        expect(done).toBe(false);
        text += value ?? "";
      }

      expect(performance.now() - startedAt).toBeGreaterThan(HEARTBEAT_MS / 2);
      expect(text.startsWith("retry: 1000\n\n")).toBe(true);
      expect(text.match(/retry:/g)).toHaveLength(1);
      await reader.cancel();
      await stubOf(init).interrupt();
    },
    2 * HEARTBEAT_MS,
  );

  it(
    "that follows the session is closed after a minute without an event",
    async () => {
      const init = await createdSession();
      await reply(init, "/say hi");
      const { body } = await openStream(init, "after=0&follow=session");
      const reader = (body ?? new ReadableStream()).getReader();
      await reader.read();
      await reader.read();
      vi.setSystemTime(Date.now() + FOLLOW_IDLE_MS);

      let isClosed = false;
      while (!isClosed) isClosed = (await reader.read()).done;
      expect(isClosed).toBe(true);
    },
    2 * HEARTBEAT_MS,
  );
});
