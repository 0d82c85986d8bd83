// The translation into events of AgentScope's realtime agents, without a connection: orders, bounds, and what a sleep keeps.
import { describe, expect, test } from "vitest";

import {
  readAudioFormat,
  readImageFormat,
} from "../../../protocol/dialects/realtime/client-events.ts";
import { RealtimeTranslator } from "../../../protocol/dialects/realtime/realtime-translator.ts";
import type {
  RealtimeConnection,
  RealtimeServerEvent,
} from "../../../protocol/dialects/realtime/server-events.ts";
import type { ServerFrame } from "../../../protocol/voice/frames.ts";
import { loggedEvents, SPOKEN_LOG } from "../../support/voice/spoken-log.ts";

const KEPT: RealtimeConnection = {
  session_id: "ses_1",
  agent_id: "agt_1",
  agent_name: "Desk",
  has_session: false,
  audio_event: "agent_response_audio_delta",
  is_audio_chosen: false,
  instructions: null,
  open: null,
};

function frames(events: readonly object[], from = 1): ServerFrame[] {
  return loggedEvents(events).map((event, index) => {
    const { seq: _, ...own } = event;
    return { type: "event", seq: from + index, event: own } as ServerFrame;
  });
}

const call = (reply_id: string) => ({ type: "MODEL_CALL_START", reply_id, model_name: "m" });
const callEnd = (reply_id: string) => ({
  type: "MODEL_CALL_END",
  reply_id,
  input_tokens: 3,
  output_tokens: 4,
});
const audio = (item: number): ServerFrame => ({ type: "audio", item, ms: 0, audio: "AAAA" });
const audioEnd = (item: number): ServerFrame => ({ type: "audio_end", item, ms: 10 });

/** Items that calls of these seqs say; all may still be heard. */
function says(items: Readonly<Record<number, number | null>>, isOver = false) {
  const seqs = Object.values(items);
  return {
    callOf: (item: number) => items[item],
    isBeingSaid: (seq: number) => !isOver && seqs.includes(seq),
  };
}

/** Names of events, with the response and the item where they have them. */
function lines(events: readonly RealtimeServerEvent[]): readonly string[] {
  return events.map((event) => {
    const place =
      "item_id" in event ? event.item_id : "response_id" in event ? event.response_id : "";
    return `${event.type.replace("agent_", "")} ${place}`.trim();
  });
}

describe("audio", () => {
  test("waits for the response that it belongs to, and the response for its end", () => {
    const translator = new RealtimeTranslator(KEPT);
    const [start, end] = frames([call("r1"), callEnd("r1")], 7);
    if (!start || !end) throw new Error("no frames");
    const told = [
      translator.advance(says({ 2: null })),
      translator.frame(audio(2)),
      translator.advance(says({ 2: 7 })),
      translator.frame(start),
      translator.frame(end),
      translator.frame(audioEnd(2)),
      translator.advance(says({ 2: 7 }, true)),
    ];

    expect(told.map(lines)).toEqual([
      [],
      [],
      [],
      ["response_created r1.7", "response_audio_delta r1.7.0"],
      [],
      ["response_audio_done r1.7.0"],
      ["response_done r1.7"],
    ]);
  });

  test("of a response that was over before the connection began is left out", () => {
    const translator = new RealtimeTranslator(KEPT);
    const [start] = frames([call("r2")], 9);
    if (start) translator.frame(start);
    translator.advance(says({ 1: 3, 2: 9 }));
    expect(lines(translator.frame(audio(1)))).toEqual([]);
    expect(lines(translator.frame(audio(2)))).toEqual(["response_audio_delta r2.9.0"]);
  });

  test("that belongs to nothing holds up nothing", () => {
    const translator = new RealtimeTranslator(KEPT);
    const [start] = frames([call("r1")], 4);
    if (start) translator.frame(start);
    translator.frame(audio(1));
    translator.advance(says({ 2: 4 }));
    expect(lines(translator.frame(audio(2)))).toEqual(["response_audio_delta r1.4.0"]);
  });

  test("that is cleared ends, and its response is cancelled", () => {
    const translator = new RealtimeTranslator(KEPT);
    const [start, end] = frames([call("r1"), callEnd("r1")], 1);
    translator.advance(says({ 1: 1 }));
    if (start) translator.frame(start);
    translator.frame(audio(1));
    const cleared = translator.frame({ type: "audio_clear", item: 1 });
    const done = [...(end ? translator.frame(end) : []), ...translator.advance(says({}, true))];
    expect(lines(cleared)).toEqual(["response_audio_done r1.1.0"]);
    expect(done).toEqual([
      {
        type: "agent_response_done",
        agent_id: "agt_1",
        agent_name: "Desk",
        response_id: "r1.1",
        input_tokens: 3,
        output_tokens: 4,
        metadata: { status: "cancelled" },
      },
    ]);
  });
});

test("what is said anew behind a failure is a whole response, with an end for each text", () => {
  const translator = new RealtimeTranslator(KEPT);
  const text = (block_id: string) => [
    { type: "TEXT_BLOCK_START", reply_id: "r1", block_id },
    { type: "TEXT_BLOCK_DELTA", reply_id: "r1", block_id, delta: "Hi" },
  ];
  const [start, ...first] = frames([call("r1"), ...text("b1")]);
  const [...again] = frames(
    [...text("b2"), { type: "TEXT_BLOCK_END", reply_id: "r1", block_id: "b2" }, callEnd("r1")],
    9,
  );
  translator.advance(says({ 1: 1, 2: 1 }));
  const told = [
    ...(start ? translator.frame(start) : []),
    ...[...first, audio(1)].flatMap((frame) => translator.frame(frame)),
    ...translator.frame({ type: "audio_clear", item: 1 }),
    ...[...again, audio(2), audioEnd(2)].flatMap((frame) => translator.frame(frame)),
    ...translator.advance(says({}, true)),
  ];
  expect(lines(told)).toEqual([
    "response_created r1.1",
    "response_audio_transcript_delta r1.1.0",
    "response_audio_delta r1.1.0",
    "response_audio_done r1.1.0",
    "response_audio_transcript_delta r1.1.1",
    "response_audio_transcript_done r1.1.1",
    "response_audio_delta r1.1.1",
    "response_audio_done r1.1.1",
    "response_audio_transcript_done r1.1.0",
    "response_done r1.1",
  ]);
  expect(told.at(-1)).toMatchObject({ metadata: {} });
});

test("a conversation is told by its texts, what was heard of them stays as it was said", () => {
  const translator = new RealtimeTranslator(KEPT);
  const told = SPOKEN_LOG.flatMap(({ seq, ...event }) =>
    translator.frame({ type: "event", seq, event } as ServerFrame),
  );
  expect(lines(told)).toEqual([
    "response_created r1.3",
    ...Array.from({ length: 3 }, () => "response_audio_transcript_delta r1.3.0"),
    "response_audio_transcript_done r1.3.0",
    "response_done r1.3",
    "input_transcription_done m1",
    "input_transcription_done m2",
    "response_created r2.16",
    ...Array.from({ length: 2 }, () => "response_audio_transcript_delta r2.16.0"),
    "response_audio_transcript_done r2.16.0",
    "response_done r2.16",
  ]);
});

test("a turn's words have the id with which it was heard", () => {
  const translator = new RealtimeTranslator(KEPT);
  translator.heard({ type: "input_started", item_id: "item_9", audio_start_ms: 0 });
  translator.heard({ type: "input_done", item_id: "item_9", audio_end_ms: 900, item: 1 });
  const [added, transcribed] = SPOKEN_LOG.filter(({ type }) => type === "CUSTOM");
  const told = [added, transcribed].flatMap((event) =>
    translator.frame({ type: "event", seq: 1, event } as ServerFrame),
  );
  expect(lines(told)).toEqual(["input_transcription_done item_9"]);
});

test("the deltas of a long input are together four times as long at most", () => {
  const translator = new RealtimeTranslator(KEPT);
  const piece = "x".repeat(10);
  const place = { reply_id: "r1", tool_call_id: "c1" };
  const told = frames([
    call("r1"),
    { type: "TOOL_CALL_START", ...place, tool_call_name: "write" },
    ...Array.from({ length: 10_000 }, () => ({ type: "TOOL_CALL_DELTA", ...place, delta: piece })),
    { type: "TOOL_CALL_END", ...place },
  ]).flatMap((frame) => translator.frame(frame));
  const sizes = told.flatMap((event) =>
    "tool_use" in event ? [event.tool_use.raw_input.length] : [],
  );
  expect(sizes.at(-1)).toBe(100_000);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(400_000);
});

test("a result has its text and its media", () => {
  const translator = new RealtimeTranslator(KEPT);
  const place = { reply_id: "r1", tool_call_id: "c1" };
  const told = frames([
    { type: "TOOL_RESULT_START", ...place, tool_call_name: "draw" },
    { type: "TOOL_RESULT_TEXT_DELTA", ...place, delta: "Here " },
    { type: "TOOL_RESULT_TEXT_DELTA", ...place, delta: "it is." },
    {
      type: "TOOL_RESULT_DATA_DELTA",
      ...place,
      block_id: "b1",
      media_type: "image/png",
      url: "https://files.example/1",
    },
    { type: "TOOL_RESULT_END", ...place, state: "success" },
  ]).flatMap((frame) => translator.frame(frame));
  expect(told).toEqual([
    {
      type: "agent_response_tool_result",
      agent_id: "agt_1",
      agent_name: "Desk",
      tool_result: {
        type: "tool_result",
        id: "c1",
        name: "draw",
        output: [
          { type: "text", text: "Here it is." },
          {
            type: "image",
            source: { type: "url", url: "https://files.example/1", media_type: "image/png" },
          },
        ],
      },
    },
  ]);
});

test("a response that was open before a sleep is done when the next one begins", () => {
  const before = new RealtimeTranslator(KEPT);
  const [start, next] = frames([call("r1"), call("r1")], 5);
  if (!start || !next) throw new Error("no frames");
  before.frame(start);
  const after = new RealtimeTranslator(before.kept);

  const told = after.frame(next);

  expect(before.kept.open).toEqual({ reply_id: "r1", seq: 5 });
  expect(lines(told)).toEqual(["response_created r1.6", "response_done r1.5"]);
  expect(told[1]).toMatchObject({ metadata: { status: "incomplete" } });
});

test.each([
  [{ type: "audio/pcm", rate: 24_000, channels: 1 }, 24_000],
  [{ type: "audio/pcm", rate: 8_000, encoding: "opus" }, 8_000],
  [{ encoding: "pcm16", sample_rate: 16_000 }, 16_000],
  [{ encoding: "pcm16" }, null],
  [{ encoding: "opus", sample_rate: 16_000 }, null],
  [{ type: "audio/pcm", sample_rate: 16_000 }, null],
  [{ rate: 16_000 }, null],
  [{ type: "audio/pcm", rate: "16000" }, null],
  [{ type: "audio/pcm", rate: -1 }, null],
  [{}, null],
])("the format of audio %j is that of %s hertz", (format, rate) => {
  const read = readAudioFormat(format);
  expect(read.ok ? read.value.rate : null).toBe(rate);
});

test.each([
  [null, "image/jpeg"],
  [{}, "image/jpeg"],
  [{ type: "image/png" }, "image/png"],
  [{ type: "png" }, "image/png"],
  [{ media_type: "image/webp", type: "base64" }, "image/webp"],
  [{ type: 7 }, "image/jpeg"],
])("the format of a picture %j is %s", (format, mediaType) => {
  expect(readImageFormat(format)).toBe(mediaType);
});
