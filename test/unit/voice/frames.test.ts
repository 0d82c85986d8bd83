// JSON frames of a voice connection.
import { describe, expect, test } from "vitest";

import { ERRORS, type ErrorCode } from "../../../protocol/errors.ts";
import {
  ClientFrameSchema,
  ReaderFrameSchema,
  ServerFrameSchema,
  StartFrameSchema,
} from "../../../protocol/voice/frames.ts";
import { closeCodeOf } from "../../../protocol/voice/sockets.ts";

const start = { type: "start", input: { rate: 16_000 }, output: { rate: 24_000 } };

describe("a first frame", () => {
  test("says the formats, and the rest has defaults", () => {
    expect(StartFrameSchema.parse(start)).toEqual({ ...start, audio: "binary" });
    const whole = { ...start, id: "f1", after: 12, turns: "manual", audio: "base64" };
    expect(StartFrameSchema.parse(whole)).toEqual(whole);
  });

  test.each([
    [{ ...start, after: -1 }, "after"],
    [{ ...start, input: {} }, "input.rate"],
    [{ ...start, input: { rate: 0.5 } }, "input.rate"],
    [{ ...start, turns: "both" }, "turns"],
    [{ ...start, audio: "opus" }, "audio"],
    [{ ...start, token: "rt_1" }, ""],
    [{ type: "commit" }, "type"],
  ])("is refused as %j", (frame, path) => {
    const { error } = StartFrameSchema.safeParse(frame);

    expect(error?.issues[0]?.path.join(".")).toBe(path);
  });
});

describe("a frame of a client", () => {
  test.each([
    [{ type: "audio", audio: "AAA=" }],
    [{ type: "audio", item: 0, ms: 40, audio: "AAA=", id: "f1" }],
    [{ type: "commit" }],
    [{ type: "clear", id: "f2" }],
    [{ type: "text", text: "Where is my order?", id: "m1" }],
    [{ type: "image", media_type: "image/png", data: "iVBORw0KGgo=" }],
    [{ type: "interrupt" }],
    [{ type: "interrupt", reply_id: "rep_1" }],
    [{ type: "played", item: 65_535, ms: 0 }],
  ])("is read: %j", (frame) => {
    expect(ClientFrameSchema.parse(frame)).toEqual(frame);
  });

  test("answers calls as the events of the log do", () => {
    const confirm = {
      type: "confirm",
      id: "e1",
      reply_id: "rep_1",
      confirm_results: [{ confirmed: true, tool_call: { id: "c1" } }],
    };
    const result = {
      type: "external_result",
      reply_id: "rep_1",
      execution_results: [{ id: "c1", output: "done" }],
    };

    expect(ClientFrameSchema.parse(confirm)).toMatchObject(confirm);
    expect(ClientFrameSchema.parse(result)).toMatchObject({
      ...result,
      execution_results: [{ id: "c1", output: "done", state: "success" }],
    });
  });

  test.each([
    [{ type: "start", input: { rate: 1 }, output: { rate: 1 } }],
    [{ type: "image", media_type: "image/svg+xml", data: "AAAA" }],
    [{ type: "image", media_type: "text/html", data: "AAAA" }],
    [{ type: "image", media_type: "image/png", data: "" }],
    [{ type: "text", text: "" }],
    [{ type: "text", text: null }],
    [{ type: "played", item: 70_000, ms: 1 }],
    [{ type: "played", item: 1, ms: 2 ** 32 }],
    [{ type: "audio", audio: "A".repeat(64_001) }],
    [{ type: "confirm", reply_id: "rep_1", confirm_results: [] }],
    [{ type: "commit", id: "x".repeat(129) }],
    [{ type: "commit", more: true }],
    [{ type: "__proto__" }],
    [[]],
    [null],
  ])("is refused: %j", (frame) => {
    expect(ClientFrameSchema.safeParse(frame).success).toBe(false);
  });
});

test("frames of the platform have the shapes that clients are told", () => {
  const event = { type: "USER_INTERRUPT", reply_id: "rep_1", seq: 7 };
  const limits = {
    text_bytes: 1,
    audio_bytes: 2,
    audio_ahead_ms: 3,
    turn_ms: 4,
    played_every_ms: 250,
    seconds: 3_600,
    idle_seconds: 30,
  };
  const formats = { input: { rate: 16_000 }, output: { rate: 24_000 } };
  const frames = [
    { type: "started", cursor: 0, ...formats, turns: "server", audio: "binary", limits },
    { type: "event", seq: 7, event },
    { type: "audio", item: 1, ms: 20, audio: "AAA=" },
    { type: "audio_end", item: 1, ms: 900 },
    { type: "audio_clear", item: 1 },
    { type: "error", code: "speech_not_transcribed", detail: "nothing was understood", ref: "f1" },
  ];

  for (const frame of frames) expect(ServerFrameSchema.parse(frame)).toMatchObject(frame);
  const ofReader = [
    frames[1],
    { type: "event", id: "7.1", event: { type: "RUN_STARTED" } },
    { type: "event", id: null, event: "x" },
    frames[5],
  ];
  for (const frame of ofReader) expect(ReaderFrameSchema.parse(frame)).toMatchObject(frame!);
});

test("every error closes a socket with a code that WebSockets allow, each kind with its own", () => {
  const codes = Object.keys(ERRORS) as ErrorCode[];

  for (const code of codes) expect(closeCodeOf(code)).toBeGreaterThan(1_000);
  const kinds = ["unauthenticated", "verb_missing", "not_found", "connection_expired"] as const;
  const others = ["voice_connected", "body_too_large", "rate_limited", "unavailable"] as const;
  expect([...kinds, ...others].map(closeCodeOf)).toEqual([
    4401, 4403, 4404, 4408, 4409, 4413, 4429, 1012,
  ]);
});
