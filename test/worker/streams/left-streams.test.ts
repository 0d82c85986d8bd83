// A reader that leaves while it waits: nothing of its stream may wait on for an event that comes days later.
import { expect, it } from "vitest";

import { EVENT_FORMATS } from "../../../protocol/dialects/dialects.ts";
import { openStream } from "../../../durable-objects/open-stream.ts";
import { parseStreamRequest } from "../../../durable-objects/api/stream-request.ts";
import { STREAM_URL } from "../../../durable-objects/api/session-api.ts";
import { within, withHeldSession } from "../sessions/held-session.ts";
import { valueOf } from "../sessions/session.ts";

it.each(EVENT_FORMATS)(
  "a stream in the format %s lets go of the log when its reader leaves",
  (format) =>
    withHeldSession({}, async ({ session }) => {
      await session.queue.start({ input: "/say hi", on_busy: "reject" });
      await session.active?.settled;
      const query = `${STREAM_URL}?after=0&follow=session&format=${format}`;
      const stream = valueOf(openStream(session, parseStreamRequest(query)));
      const reader = (stream ?? new ReadableStream<Uint8Array>()).getReader();
      while ((await within(reader.read(), 50)) !== "pending");
      const waited = session.log.changed().then(() => "let go");
      await reader.cancel();

      expect(await within(waited, 60_000)).toBe("let go");
      expect(session.subscribers.count).toBe(0);
    }),
);
