// Acts of a platform on a voice connection, and what the app is told of them.
import { describe, expect, it } from "vitest";

import {
  ApiError,
  confirmEvent,
  toolResultEvent,
  type PendingCall,
  type Voice,
} from "../../sdk/index.ts";
import { decodeAudioFrame, encodeAudioFrame } from "../../protocol/voice/audio-frame.ts";
import type { ServedSocket } from "../support/socket-server.ts";
import { waitFor } from "../support/wait-for.ts";
import { eventFrame, startSocketStage } from "./socket-stage.ts";
import { failure } from "./stage.ts";

const LIMITS = {
  text_bytes: 8_000_000,
  audio_bytes: 48_008,
  audio_ahead_ms: 10_000,
  turn_ms: 120_000,
  played_every_ms: 250,
  seconds: 3_600,
  idle_seconds: 30,
};
const STARTED = {
  type: "started",
  cursor: 7,
  input: { rate: 16_000 },
  output: { rate: 24_000 },
  turns: "server",
  audio: "binary",
  limits: LIMITS,
};
const START = { type: "start", input: { rate: 16_000 }, output: { rate: 24_000 } };
const PROTOCOLS = ["reprise.realtime.v1", "reprise.ticket.ticket-1"];

/** Answers the start, and then does more. */
function begin(more: (socket: ServedSocket) => void = () => undefined) {
  return (socket: ServedSocket) => {
    socket.onFrame = (frame) => {
      if (typeof frame !== "string" || !frame.includes('"start"')) return;
      socket.send(STARTED);
      more(socket);
    };
  };
}

/** JSON frames behind the start, and binary ones as what they say. */
function saidTo(socket: ServedSocket | undefined): readonly unknown[] {
  return (socket?.received ?? [])
    .filter((frame) => frame !== "ping")
    .slice(1)
    .map((frame) => {
      if (typeof frame === "string") return JSON.parse(frame);
      const audio = decodeAudioFrame(new Uint8Array(frame));
      return typeof audio === "string" ? audio : [audio.item, audio.ms, audio.pcm.byteLength];
    });
}

/** Everything that a voice tells, by name. */
function hear(voice: Voice): readonly (readonly [string, unknown])[] {
  const heard: (readonly [string, unknown])[] = [];
  const names = ["audio", "event", "audio_end", "audio_clear", "error", "state"] as const;
  for (const name of names) voice.on(name, (value) => void heard.push([name, value]));
  return heard;
}

/** A loudspeaker with a clock that the test moves, and what it was asked for. */
function playerOf() {
  let nowMs = 0;
  const played: unknown[] = [];
  const player = {
    nowMs: () => nowMs,
    play: (_: Uint8Array, startsAtMs: number, item: number) =>
      void played.push(["play", item, startsAtMs]),
    stop: (item: number) => void played.push(["stop", item]),
  };
  return { player, played, pass: (ms: number) => void (nowMs += ms) };
}

describe("a session that speaks", () => {
  it("opens with a ticket, starts, and says what the app says", async () => {
    const { reprise, sockets, asked } = await startSocketStage([begin()]);
    const voice = await reprise.session("ses_1").speak();
    const call = { tool_call: { id: "c1", name: "refund" }, input_hash: "h1" } as PendingCall;

    voice.append(new Int16Array(160));
    voice.append(new Uint8Array(320));
    voice.commit();
    voice.clear({ id: "f-1" });
    const id = voice.text("Hello");
    voice.image({ media_type: "image/png", data: "iVBORw==" });
    voice.confirm(confirmEvent("rep_1", [[call, { confirmed: true }]]));
    voice.externalResult(toolResultEvent("rep_1", [[call, "Done."]]));
    voice.interrupt();
    voice.played(3, 120.4);

    await waitFor(() => expect(saidTo(sockets[0])).toHaveLength(10));
    expect(sockets[0]?.path).toBe("/v1/sessions/ses_1/realtime");
    expect(sockets[0]?.protocols).toEqual(PROTOCOLS);
    expect(asked).toEqual(["POST /v1/sessions/ses_1/stream-tickets"]);
    expect(JSON.parse(String(sockets[0]?.received[0]))).toEqual(START);
    const results = [{ confirmed: true, tool_call: { id: "c1" } }];
    expect(saidTo(sockets[0])).toEqual([
      [0, 0, 320],
      [0, 10, 320],
      { type: "commit" },
      { type: "clear", id: "f-1" },
      { type: "text", text: "Hello", id },
      { type: "image", media_type: "image/png", data: "iVBORw==" },
      {
        type: "confirm",
        reply_id: "rep_1",
        confirm_results: results,
        metadata: { input_hashes: { c1: "h1" } },
      },
      {
        type: "external_result",
        reply_id: "rep_1",
        execution_results: [{ id: "c1", output: "Done." }],
      },
      { type: "interrupt" },
      { type: "played", item: 3, ms: 120 },
    ]);
    const { type: _, ...started } = STARTED;
    expect([voice.state, voice.cursor, voice.started]).toEqual(["open", 7, started]);
  });

  it("tells what comes, once and in order, from the first frame on", async () => {
    const pcm = new Uint8Array([1, 0, 2, 0]);
    const { reprise } = await startSocketStage([
      begin((socket) => {
        socket.send(eventFrame(7, "OLD"));
        socket.send(eventFrame(8, "REPLY_START"));
        socket.send(encodeAudioFrame({ item: 1, ms: 40, pcm }));
        socket.send(eventFrame(8, "REPLY_START"));
        socket.send({ type: "audio_end", item: 1, ms: 42 });
        socket.send({ type: "audio_clear", item: 1 });
        socket.send({ type: "hologram" });
        socket.send({ type: "error", code: "conflict", detail: "No.", ref: "f-1" });
      }),
    ]);

    const voice = await reprise.session("ses_1").speak();
    const heard = hear(voice);

    await waitFor(() => expect(heard).toHaveLength(5));
    expect(heard).toEqual([
      ["event", { type: "REPLY_START", reply_id: "rep_1", seq: 8, created_at: "T" }],
      ["audio", { item: 1, ms: 40, pcm }],
      ["audio_end", { item: 1, ms: 42 }],
      ["audio_clear", { item: 1 }],
      ["error", { code: "conflict", detail: "No.", ref: "f-1" }],
    ]);
    expect(voice.cursor).toBe(8);
  });

  it("comes back behind the last event, with fresh audio alone and what was typed", async () => {
    const { reprise, sockets } = await startSocketStage(
      [begin((socket) => socket.send(eventFrame(9, "REPLY_START"))), begin()],
      { refuseSocket: (number) => (number === 1 || number === 2 ? 503 : null) },
    );
    const voice = await reprise.session("ses_1").speak({ turns: "manual" });
    const heard = hear(voice);
    await waitFor(() => expect(voice.cursor).toBe(9));

    sockets[0]?.cut();
    await waitFor(() => expect(voice.state).toBe("reconnecting"));
    for (let piece = 0; piece < 100; piece += 1) voice.append(new Uint8Array(3_200));
    voice.text("Hello?", { id: "m-1" });
    voice.played(1, 20);

    await waitFor(() => expect(saidTo(sockets[1])).toHaveLength(10));
    expect(JSON.parse(String(sockets[1]?.received[0]))).toEqual({
      ...START,
      after: 9,
      turns: "manual",
    });
    expect(saidTo(sockets[1])).toEqual([
      ...Array.from({ length: 9 }, (_, index) => [0, 9_100 + 100 * index, 3_200]),
      { type: "text", text: "Hello?", id: "m-1" },
    ]);
    const states = heard.flatMap(([name, value]) => (name === "state" ? [value] : []));
    expect(states).toEqual(["reconnecting", "open"]);
  });

  it.each([
    [4404, "not_found", 404],
    [4403, "verb_missing", 403],
    [4409, "voice_connected", 409],
    [1007, "audio_format_unsupported", 400],
  ])("that is refused with %i %s is the error that HTTP has", async (code, reason, status) => {
    const { reprise, sockets } = await startSocketStage([
      (socket) => {
        socket.send({ type: "error", code: reason, detail: "It has a reason." });
        socket.close(code, reason);
      },
    ]);

    const error = await failure(reprise.session("ses_1").speak());

    expect(ApiError.isInstance(error)).toBe(true);
    expect(error).toMatchObject({ status, code: reason, detail: "It has a reason." });
    expect(sockets).toHaveLength(1);
  });

  it.each([
    [4413, "too_much_audio", 413],
    [4403, "tenant_suspended", 403],
    [4404, "not_found", 404],
    // Another one has taken its place: the two would take it from each other for ever.
    [4409, "voice_connected", 409],
    [4429, "quota_exceeded", 429],
    // The time that the agent gives one connection: it goes on when a person wants it to.
    [4408, "connection_expired", 408],
  ])("ends for good when it is closed with %i %s", async (code, reason, status) => {
    const { reprise, sockets } = await startSocketStage([
      begin((socket) => socket.close(code, reason)),
    ]);

    const voice = await reprise.session("ses_1").speak();

    expect(await voice.closed).toMatchObject({ name: "ApiError", status, code: reason });
    expect(voice.state).toBe("closed");
    expect(() => voice.text("Hello")).toThrow("closed");
    voice.append(new Uint8Array(320));
    expect(sockets).toHaveLength(1);
  });

  it.each([
    [1012, "unavailable"],
    [4401, "unauthenticated"],
    [4429, "rate_limited"],
  ])("comes back when it is closed with %i %s", async (code, reason) => {
    const { reprise, sockets } = await startSocketStage([
      begin((socket) => socket.close(code, reason)),
      begin(),
    ]);

    const voice = await reprise.session("ses_1").speak();

    await waitFor(() => expect(sockets).toHaveLength(2));
    await waitFor(() => expect(voice.state).toBe("open"));
  });

  it("comes back to a platform that takes the lost connection for open, or its start for late", async () => {
    const taken = (socket: ServedSocket) => socket.close(4409, "voice_connected");
    const late = (socket: ServedSocket) => socket.close(4408, "connection_expired");
    const { reprise, sockets } = await startSocketStage([
      begin((socket) => socket.cut()),
      taken,
      late,
      begin(),
    ]);

    const voice = await reprise.session("ses_1").speak();

    await waitFor(() => expect(sockets).toHaveLength(4));
    await waitFor(() => expect(voice.state).toBe("open"));
  });

  it("ends in order with close, and with its signal", async () => {
    const { reprise, sockets } = await startSocketStage([begin()]);
    const abort = new AbortController();
    const [first, second] = [
      await reprise.session("ses_1").speak(),
      await reprise.session("ses_1").speak({ signal: abort.signal }),
    ];

    first.close();
    abort.abort();

    expect(await Promise.all([first.closed, second.closed])).toEqual([null, null]);
    await waitFor(() =>
      expect(sockets.map(({ closed }) => closed)).toEqual([{ code: 1000 }, { code: 1000 }]),
    );
    const error = await failure(reprise.session("ses_1").speak({ signal: abort.signal }));
    expect(error).toBe(abort.signal.reason);
  });

  it("tells a listener no more when it has ended to listen", async () => {
    const { reprise, sockets } = await startSocketStage([begin()]);
    const voice = await reprise.session("ses_1").speak();
    const seen: number[] = [];
    const end = voice.on("audio_end", ({ item }) => void seen.push(item));

    sockets[0]?.send({ type: "audio_end", item: 1, ms: 1 });
    await waitFor(() => expect(seen).toEqual([1]));
    end();
    const ended = new Promise<void>((resolve) => voice.on("audio_clear", () => resolve()));
    sockets[0]?.send({ type: "audio_end", item: 2, ms: 1 });
    sockets[0]?.send({ type: "audio_clear", item: 2 });
    await ended;

    expect(seen).toEqual([1]);
    expect(voice.state).toBe("open");
  });

  it("with a player says what was heard, and what was when it is cleared", async () => {
    const { reprise, sockets } = await startSocketStage([
      begin((socket) => {
        const pcm = new Uint8Array(24_000 * 2);
        socket.send(encodeAudioFrame({ item: 1, ms: 0, pcm }));
        socket.send(encodeAudioFrame({ item: 1, ms: 1_000, pcm }));
      }),
    ]);
    let nowMs = 0;
    const played: unknown[] = [];
    const player = {
      nowMs: () => nowMs,
      play: (pcm: Uint8Array, startsAtMs: number, item: number) =>
        void played.push([pcm.byteLength, startsAtMs, item]),
      stop: (item: number) => void played.push(["stop", item]),
    };

    await reprise.session("ses_1").speak({ player });
    await waitFor(() => expect(played).toHaveLength(2));
    nowMs = 1_280;
    await waitFor(() => expect(saidTo(sockets[0])).toHaveLength(1));
    nowMs = 1_330;
    sockets[0]?.send({ type: "audio_clear", item: 1 });
    await waitFor(() => expect(played).toHaveLength(3));

    expect(played).toEqual([
      [48_000, 80, 1],
      [48_000, 1_080, 1],
      ["stop", 1],
    ]);
    await waitFor(() =>
      expect(saidTo(sockets[0]).at(-1)).toEqual({ type: "played", item: 1, ms: 1_250 }),
    );
    expect(saidTo(sockets[0])[0]).toEqual({ type: "played", item: 1, ms: 1_200 });
  });

  it("with a player begins anew over each connection: nothing old is heard, and a number is a new item", async () => {
    const second = { item: 1, ms: 0, pcm: new Uint8Array(4_800) };
    const { reprise, sockets } = await startSocketStage([
      begin((socket) => {
        const pcm = new Uint8Array(24_000 * 2);
        socket.send(encodeAudioFrame({ item: 1, ms: 0, pcm }));
        socket.send({ type: "audio_clear", item: 1 });
        socket.send(encodeAudioFrame({ item: 2, ms: 0, pcm }));
        socket.send(encodeAudioFrame({ item: 2, ms: 1_000, pcm }));
      }),
      begin((socket) => socket.send(encodeAudioFrame(second))),
    ]);
    const { player, played, pass } = playerOf();

    const voice = await reprise.session("ses_1").speak({ player });
    await waitFor(() => expect(played).toHaveLength(4));
    pass(500);
    await waitFor(() => expect(saidTo(sockets[0])).toHaveLength(2));
    sockets[0]?.cut();
    await waitFor(() => expect(played).toHaveLength(6));
    await waitFor(() => expect(voice.state).toBe("open"));
    sockets[1]?.send({ type: "audio_clear", item: 2 });

    await waitFor(() => expect(saidTo(sockets[1])).toHaveLength(1));
    expect(played).toEqual([
      ["play", 1, 80],
      ["stop", 1],
      ["play", 2, 80],
      ["play", 2, 1_080],
      ["stop", 2],
      ["play", 1, 580],
      ["stop", 2],
    ]);
    expect(saidTo(sockets[1])).toEqual([{ type: "played", item: 2, ms: 0 }]);
    pass(130);
    await waitFor(() => expect(saidTo(sockets[1])).toHaveLength(2));
    expect(saidTo(sockets[1])[1]).toEqual({ type: "played", item: 1, ms: 50 });
    voice.close();
  });

  it.each([
    ["close", (voice: Voice) => voice.close()],
    ["a final end", (_: Voice, socket?: ServedSocket) => socket?.close(4409, "voice_connected")],
  ])("with a player is silent after %s", async (_, end) => {
    const { reprise, sockets } = await startSocketStage([
      begin((socket) => {
        const pcm = new Uint8Array(24_000 * 2);
        socket.send(encodeAudioFrame({ item: 1, ms: 0, pcm }));
        socket.send(encodeAudioFrame({ item: 2, ms: 0, pcm }));
      }),
    ]);
    const { player, played } = playerOf();
    const voice = await reprise.session("ses_1").speak({ player });
    await waitFor(() => expect(played).toHaveLength(2));

    end(voice, sockets[0]);
    await voice.closed;

    expect(played.slice(2)).toEqual([
      ["stop", 1],
      ["stop", 2],
    ]);
  });
});
