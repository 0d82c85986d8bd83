// Ends of a voice connection: those that are final, those that the SDK comes back from, and what it passes over.
import { describe, expect, it } from "vitest";

import { ApiError } from "../../sdk/index.ts";
import { encodeAudioFrame } from "../../protocol/voice/audio-frame.ts";
import type { ServedSocket } from "../support/socket-server.ts";
import { waitFor } from "../support/wait-for.ts";
import { eventFrame, startSocketStage } from "./socket-stage.ts";
import { failure } from "./stage.ts";
import { begin, hear, START } from "./voice-stage.ts";

describe("a voice connection", () => {
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

  it("goes on where it was when the person does after the agent's time for a connection", async () => {
    const { reprise, sockets } = await startSocketStage([
      begin((socket) => socket.send(eventFrame(9, "REPLY_START"))),
      begin(),
    ]);
    const session = reprise.session("ses_1");
    const voice = await session.speak();
    await waitFor(() => expect(voice.cursor).toBe(9));
    sockets[0]?.close(4408, "connection_expired");
    await voice.closed;

    await session.speak({ after: voice.cursor });

    expect(JSON.parse(String(sockets[1]?.received[0]))).toEqual({ ...START, after: 9 });
  });

  it("is given up when no connection holds", async () => {
    const { reprise, sockets } = await startSocketStage(
      [begin((socket) => socket.close(1012, "unavailable"))],
      { reconnect: { firstDelayMs: 2, maxDelayMs: 50, giveUpAfterMs: 200 } },
    );
    const voice = await reprise.session("ses_1").speak();

    expect(await voice.closed).toMatchObject({ name: "ConnectionError" });
    expect(sockets.length).toBeGreaterThan(1);
    expect(sockets.length).toBeLessThan(20);
  });

  it("passes over audio of another version or kind, and goes on", async () => {
    const pcm = new Uint8Array([1, 0, 2, 0]);
    const frame = encodeAudioFrame({ item: 1, ms: 0, pcm });
    const { reprise, sockets } = await startSocketStage([
      begin((socket) => {
        socket.send(new Uint8Array([2, ...frame.slice(1)]));
        socket.send(new Uint8Array([1, 7, ...frame.slice(2)]));
        socket.send(frame.slice(0, 5));
        socket.send(frame);
      }),
    ]);
    const voice = await reprise.session("ses_1").speak();
    const heard = hear(voice);

    await waitFor(() => expect(heard).toEqual([["audio", { item: 1, ms: 0, pcm }]]));
    expect([voice.state, sockets.length]).toEqual(["open", 1]);
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
});
