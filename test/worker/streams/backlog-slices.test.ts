// Readers who come at once to a log that is long: what they are sent in one time slice is counted together.
import { expect, it, onTestFinished, vi } from "vitest";

import { openStream } from "../../../durable-objects/open-stream.ts";
import { parseStreamRequest } from "../../../durable-objects/api/stream-request.ts";
import { STREAM_URL } from "../../../durable-objects/api/session-api.ts";
import type { OpenSession } from "../../../durable-objects/sessions/open-session.ts";
import { MAX_DELTA_CHARACTERS, BACKLOG_SLICE_BYTES } from "../../../protocol/events/limits.ts";
import { countBacklog } from "../../../durable-objects/streams/backlog-slice.ts";
import { withHeldSession } from "../sessions/held-session.ts";
import { valueOf } from "../sessions/session.ts";

const READERS = 8;
/** Of what one reader is sent, so that all of them are sent twice what one slice may have. */
const BACKLOG_BYTES = BACKLOG_SLICE_BYTES / 4;

const BLOCK = { reply_id: "reply", block_id: "large" };

async function append({ log }: OpenSession, bytes: number): Promise<void> {
  for (let said = 0; said < bytes; said += MAX_DELTA_CHARACTERS) {
    const delta = "x".repeat(Math.min(MAX_DELTA_CHARACTERS, bytes - said));
    log.append([{ type: "TEXT_BLOCK_DELTA", ...BLOCK, delta }]);
  }
  await log.settled();
}

function open(session: OpenSession) {
  const opened = openStream(session, parseStreamRequest(`${STREAM_URL}?after=0&follow=session`));
  return (valueOf(opened) ?? new ReadableStream<Uint8Array>()).getReader();
}

async function readToTheEnd(reader: ReturnType<typeof open>, { log }: OpenSession): Promise<void> {
  const decoder = new TextDecoder();
  for (let text = ""; !text.includes(`id: ${log.lastSeq}`);) {
    const { done, value } = await reader.read();
    if (done) throw new Error("the stream ended before the log");
    text += decoder.decode(value, { stream: true });
  }
}

function slices() {
  const wait = vi.spyOn(scheduler, "wait");
  onTestFinished(() => wait.mockRestore());
  return wait.mock.calls;
}

it("a time slice's bytes of a backlog are for all readers together", () =>
  withHeldSession({}, async ({ session }) => {
    await append(session, BACKLOG_BYTES);
    const asked = slices();
    const readers = Array.from({ length: READERS }, () => open(session));
    await Promise.all(readers.map((reader) => readToTheEnd(reader, session)));
    await Promise.all(readers.map((reader) => reader.cancel()));

    expect(asked.length).toBeGreaterThan(0);
  }));

it("a reader who has no backlog is sent what is new without a slice, whatever others are sent", () =>
  withHeldSession({}, async ({ session }) => {
    await append(session, 1);
    const reader = open(session);
    await readToTheEnd(reader, session);
    const next = reader.read();
    countBacklog(new Uint8Array(BACKLOG_SLICE_BYTES + 1));
    const asked = slices();
    await append(session, 1);
    await next;
    const later = readToTheEnd(reader, session);
    await append(session, 1);
    await later;
    await reader.cancel();

    expect(asked).toEqual([]);
  }));
