import { createParser, type EventSourceMessage } from "eventsource-parser";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { LoggedEvent } from "../../../protocol/events.ts";
import { parseEvent } from "../../../protocol/parse.ts";
import {
  createSseDecoder,
  encodeComment,
  encodeEventFrame,
  encodeRetry,
  type SseFrame,
} from "../../../protocol/sse.ts";
import { runs } from "../../support/breadth.ts";
import { eventArbitrary } from "../../support/event-arbitraries.ts";

function decode(...chunks: string[]): SseFrame[] {
  const decoder = createSseDecoder();
  return chunks.flatMap((chunk) => decoder.push(chunk));
}

/** `text` cut at the places that these numbers fall on. */
function cutAt(text: string, places: readonly number[]): string[] {
  const cuts = places.map((place) => place % (text.length + 1)).sort((left, right) => left - right);
  return [...cuts, text.length].map((cut, index) =>
    text.slice(index === 0 ? 0 : cuts[index - 1], cut),
  );
}

function logged(fields: Record<string, unknown>, seq: number): LoggedEvent {
  return { ...parseEvent({ id: `evt_${seq}`, created_at: "T", reply_id: "r1", ...fields }), seq };
}

const places = fc.array(fc.nat(), { maxLength: 12 });
const line = fc.oneof(
  fc.constantFrom(
    "data",
    "data:",
    "data: ",
    "data:x",
    "data:  two",
    ": comment",
    ":",
    "event: a",
    "event",
  ),
  fc.constantFrom(
    "id: 7",
    "id",
    "id: \0",
    "retry: 10",
    "retry: x",
    "retry:",
    "other: x",
    "Data: x",
    "",
    "",
  ),
);
const lineEnd = fc.constantFrom("\n", "\r\n", "\r");
const looseStream = fc
  .tuple(fc.boolean(), fc.array(fc.tuple(line, lineEnd), { maxLength: 20 }))
  .map(([hasMark, lines]) => (hasMark ? "\ufeff" : "") + lines.flat().join(""));

describe("encoding", () => {
  it("writes id, event and one line of JSON, with LF alone", () => {
    const event = logged({ type: "TEXT_BLOCK_DELTA", block_id: "b", delta: "a\nb\r\u2028" }, 42);

    expect(encodeEventFrame(event)).toBe(
      `id: 42\nevent: TEXT_BLOCK_DELTA\ndata: ${JSON.stringify(event)}\n\n`,
    );
  });

  it.each([
    ["a comment", encodeComment("heartbeat"), ": heartbeat\n\n"],
    [
      "a comment of several lines",
      encodeComment("a\r\nb\rc\ndata: d"),
      ": a\n: b\n: c\n: data: d\n\n",
    ],
    ["the reconnection time", encodeRetry(1_000), "retry: 1000\n\n"],
  ])("writes %s", (_what, text, expected) => {
    expect(text).toBe(expected);
  });

  it("gives back every event, however the stream is cut", () => {
    fc.assert(
      fc.property(fc.array(eventArbitrary, { maxLength: 10 }), places, (events, cuts) => {
        const log = events.map((event, index): LoggedEvent => ({ ...event, seq: index + 1 }));
        const stream = encodeRetry(5) + log.map(encodeEventFrame).join(encodeComment("heartbeat"));

        const frames = decode(...cutAt(stream, cuts));

        expect(frames).toEqual(
          log.map((event, index) => ({
            id: String(event.seq),
            event: event.type,
            data: JSON.stringify(event),
            ...(index === 0 && { retry: 5 }),
          })),
        );
      }),
    );
  });
});

describe("createSseDecoder", () => {
  it("gives the same frames however the stream is cut", () => {
    fc.assert(
      fc.property(looseStream, places, (stream, cuts) => {
        expect(decode(...cutAt(stream, cuts))).toEqual(decode(stream));
      }),
      { numRuns: runs(1_000) },
    );
  });

  it("agrees with an independent parser, which does not carry ids over", () => {
    fc.assert(
      fc.property(looseStream, (stream) => {
        const events: EventSourceMessage[] = [];
        const parser = createParser({ onEvent: (event) => events.push(event) });
        parser.feed(stream);

        const content = ({ event, data }: { event?: string; data: string }) => [
          event ?? "message",
          data,
        ];

        // The other parser holds back a CR at the end of what it was fed, as it may be half a line end.
        if (!stream.endsWith("\r"))
          expect(decode(stream).map(content)).toEqual(events.map(content));
      }),
      { numRuns: runs(1_000) },
    );
  });

  it.each<[string, string[], SseFrame[]]>([
    ["ends lines with LF", ["data: a\n\n"], [{ id: null, event: "message", data: "a" }]],
    ["ends lines with CR", ["data: a\r\r"], [{ id: null, event: "message", data: "a" }]],
    [
      "ends lines with CRLF cut in the middle",
      ["data: a\r", "\ndata: b\r", "\n\r", "\n"],
      [{ id: null, event: "message", data: "a\nb" }],
    ],
    ["skips a byte order mark", ["\ufeffdata: a\n\n"], [{ id: null, event: "message", data: "a" }]],
    ["takes a second byte order mark as text", ["\ufeff\ufeffdata: a\n\n"], []],
    [
      "skips comments",
      [": x\n\n:data: y\ndata: a\n\n"],
      [{ id: null, event: "message", data: "a" }],
    ],
    [
      "joins lines of data, empty ones too",
      ["data: a\ndata\ndata:  b\n\n"],
      [{ id: null, event: "message", data: "a\n\n b" }],
    ],
    ["shows empty data", ["data\n\n"], [{ id: null, event: "message", data: "" }]],
    [
      "forgets the name of a frame without data",
      ["event: x\n\ndata: a\n\n"],
      [{ id: null, event: "message", data: "a" }],
    ],
    [
      "carries the id over until an empty one resets it",
      ["id: 7\ndata: a\n\ndata: b\n\nid\ndata: c\n\n"],
      [
        { id: "7", event: "message", data: "a" },
        { id: "7", event: "message", data: "b" },
        { id: null, event: "message", data: "c" },
      ],
    ],
    [
      "carries the id of a frame without data over",
      ["id: 7\n\ndata: a\n\n"],
      [{ id: "7", event: "message", data: "a" }],
    ],
    [
      "ignores an id with NUL",
      ["id: 7\nid: 8\0\ndata: a\n\n"],
      [{ id: "7", event: "message", data: "a" }],
    ],
    [
      "takes a retry of digits only",
      ["retry: 10\nretry: 1e3\nretry: -1\nretry:\ndata: a\n\ndata: b\n\n"],
      [
        { id: null, event: "message", data: "a", retry: 10 },
        { id: null, event: "message", data: "b" },
      ],
    ],
    ["drops a frame that is not complete", ["data: a\n"], []],
    [
      "drops a line that is not complete",
      ["data: a\n\ndata: b"],
      [{ id: null, event: "message", data: "a" }],
    ],
  ])("%s", (_title, chunks, expected) => {
    expect(decode(...chunks)).toEqual(expected);
  });

  // A decoder that looks at the whole line for each chunk would look at 800 GB and not end in time.
  it("takes a long line in many chunks in linear time", () => {
    const decoder = createSseDecoder();
    const chunk = "x".repeat(64);
    decoder.push("data: ");
    for (let index = 0; index < 160_000; index += 1) decoder.push(chunk);

    expect(decoder.push("\n\n")).toEqual([
      { id: null, event: "message", data: chunk.repeat(160_000) },
    ]);
  });
});
