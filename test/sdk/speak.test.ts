// Acts of a platform on a voice connection, and what the app is told of them.
import { describe, expect, it } from "vitest";

import { confirmEvent, toolResultEvent, type PendingCall, type Voice } from "../../sdk/index.ts";
import { encodeAudioFrame } from "../../protocol/voice/audio-frame.ts";
import type { ServedSocket } from "../support/socket-server.ts";
import { waitFor } from "../support/wait-for.ts";
import { eventFrame, startSocketStage } from "./socket-stage.ts";
import { begin, hear, playerOf, saidTo, START, STARTED } from "./voice-stage.ts";

const PROTOCOLS = ["reprise.realtime.v1", "reprise.ticket.ticket-1"];

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
