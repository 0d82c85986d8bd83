// Our own count of what a socket was sent bounds what waits for a client that does not read.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { SocketPace } from "../../../durable-objects/sockets/socket-pace.ts";
import { pumpFrames } from "../../../durable-objects/sockets/pump-frames.ts";
import {
  MAX_READERS_BYTES,
  MAX_SOCKET_BYTES,
  SOCKET_BURST_BYTES,
  SOCKET_BYTES_PER_SECOND,
} from "../../../protocol/events/limits.ts";
import { encodeComment, encodeFrame, encodeRetry } from "../../../protocol/sse.ts";
import { waitFor } from "../../support/wait-for.ts";

const encoder = new TextEncoder();

/** A stream of these pieces, one for each read. */
function streamOf(pieces: readonly string[]): ReadableStream<Uint8Array> {
  const left = [...pieces];
  return new ReadableStream(
    {
      pull(controller) {
        const next = left.shift();
        if (next === undefined) controller.close();
        else controller.enqueue(encoder.encode(next));
      },
    },
    { highWaterMark: 0 },
  );
}

function collect() {
  const frames: string[] = [];
  const ids: string[] = [];
  const ends: string[] = [];
  return {
    frames,
    ids,
    ends,
    sink: {
      send: (frame: string) => void frames.push(frame),
      sent: (id: string) => void ids.push(id),
      spent: () => void ends.push("spent"),
      failed: () => void ends.push("failed"),
    },
  };
}

describe("the pace of a socket", () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ["Date"] }));
  afterEach(() => vi.useRealTimers());

  it("is a burst, and behind it what a second allows", () => {
    const pace = new SocketPace();
    pace.count(SOCKET_BURST_BYTES);
    const burst = pace.waitMs;
    pace.count(SOCKET_BYTES_PER_SECOND / 2);
    const behind = pace.waitMs;
    vi.setSystemTime(Date.now() + 500);
    const later = pace.waitMs;
    pace.count(1_000);

    expect([burst, behind, later, pace.waitMs]).toEqual([0, 500, 0, 1]);
  });

  it("is not faster when the clock is set back, and counts all that was sent", () => {
    const pace = new SocketPace(MAX_SOCKET_BYTES - SOCKET_BURST_BYTES);
    pace.count(SOCKET_BURST_BYTES - 1);
    const isSpent = pace.isSpent(1);
    vi.setSystemTime(Date.now() - 60_000);
    pace.count(1);

    expect([isSpent, pace.isSpent(1), pace.waitMs, pace.sent]).toEqual([
      false,
      true,
      0,
      MAX_SOCKET_BYTES,
    ]);
  });
});

describe("what a socket is sent in all", () => {
  it("is its share of what all readers of the object are", () => {
    const pace = new SocketPace(MAX_READERS_BYTES / 40);

    expect([1, 2, 39, 40, 160].map((readers) => pace.isSpent(readers))).toEqual([
      false,
      false,
      false,
      true,
      true,
    ]);
  });
});

describe("frames of a stream", () => {
  it("are events of the log with their seq, however the stream is cut, without what is no event", async () => {
    const text =
      encodeRetry(1_000) +
      encodeFrame(1, "A", '{"text":"ö\\n"}') +
      encodeComment("heartbeat") +
      encodeFrame(2, "B", "{}");
    const { frames, ids, ends, sink } = collect();
    pumpFrames({ stream: streamOf([...text]), format: "agentscope" }, sink);
    await waitFor(() => expect(ids.at(-1)).toBe("2"));

    expect(frames).toEqual([
      '{"type":"event","seq":1,"event":{"text":"ö\\n"}}',
      '{"type":"event","seq":2,"event":{}}',
    ]);
    expect([ids, ends]).toEqual([["1", "2"], []]);
  });

  it("have the ids of another format", async () => {
    const { frames, ids, sink } = collect();
    const pieces = [encodeFrame("7.1", "A", "{}") + encodeFrame("7.2", "A", "{}")];
    pumpFrames({ stream: streamOf(pieces), format: "ag-ui" }, sink);
    await waitFor(() => expect(ids).toEqual(["7.2"]));

    expect(frames).toEqual([
      '{"type":"event","id":"7.1","event":{}}',
      '{"type":"event","id":"7.2","event":{}}',
    ]);
  });

  it("end between two frames when the socket has been sent as much as one may be", async () => {
    const large = encodeFrame(1, "A", `"${"x".repeat(1_000)}"`);
    const pieces = [large.slice(0, 500), large.slice(500), encodeFrame(2, "B", "{}")];
    const { frames, ids, ends, sink } = collect();
    const source = { stream: streamOf(pieces), format: "agentscope", sent: MAX_SOCKET_BYTES - 100 };
    pumpFrames(source as Parameters<typeof pumpFrames>[0], sink);
    await waitFor(() => expect(ends).toEqual(["spent"]));

    expect([frames.length, ids]).toEqual([1, ["1"]]);
  });

  it("end when a socket takes none, and when they cannot be read", async () => {
    const [closed, broken] = [collect(), collect()];
    const send = () => {
      throw new Error("closed");
    };
    pumpFrames(
      { stream: streamOf([encodeFrame(1, "A", "{}")]), format: "agentscope" },
      { ...closed.sink, send },
    );
    const failing = new ReadableStream<Uint8Array>({
      pull() {
        throw new Error("lost");
      },
    });
    pumpFrames({ stream: failing, format: "agentscope" }, broken.sink);
    await waitFor(() => expect([closed.ends, broken.ends]).toEqual([["failed"], ["failed"]]));

    expect([closed.ids, broken.frames]).toEqual([[], []]);
  });
});
