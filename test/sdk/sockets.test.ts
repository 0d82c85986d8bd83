// Acts of a platform on a reader's WebSocket, and what the app is told of them.
import { describe, expect, it, vi } from "vitest";

import { ApiError, ConnectionError, type ConnectionState } from "../../sdk/index.ts";
import { collect } from "../support/collect.ts";
import type { ServedSocket } from "../support/socket-server.ts";
import { waitFor } from "../support/wait-for.ts";
import { eventFrame, startSocketStage } from "./socket-stage.ts";
import { failure } from "./stage.ts";

const START = eventFrame(1, "REPLY_START");
const END = eventFrame(2, "REPLY_END");
/** Of a platform that has nothing left to say. */
const nothing = (socket: ServedSocket) => socket.close(1000);

describe("a reader's WebSocket", () => {
  it("is opened with a ticket as a subprotocol, and the same ticket opens the next one", async () => {
    const { reprise, sockets, asked } = await startSocketStage([
      (socket) => {
        socket.send(START);
        socket.cut();
      },
      (socket) => socket.send(END),
    ]);

    const events = await collect(reprise.session("ses_1").events({ replyId: "rep_1" }));

    expect(events.map(({ seq }) => seq)).toEqual([1, 2]);
    expect(asked).toEqual(["POST /v1/sessions/ses_1/stream-tickets"]);
    const protocols = ["reprise.events.v1", "reprise.ticket.ticket-1"];
    expect(sockets.map((socket) => [socket.path, socket.protocols])).toEqual([
      ["/v1/sessions/ses_1/events?after=0&reply_id=rep_1", protocols],
      ["/v1/sessions/ses_1/events?after=1&reply_id=rep_1", protocols],
    ]);
  });

  it("reads a room as well", async () => {
    const { reprise, sockets, asked } = await startSocketStage([
      (socket) => {
        socket.send(START);
        socket.close(1000);
      },
      nothing,
    ]);

    const events = await collect(reprise.room("room_1").events());

    expect(events.map(({ seq }) => seq)).toEqual([1]);
    expect(asked).toEqual(["POST /v1/rooms/room_1/stream-tickets"]);
    expect(sockets.map(({ path }) => path)).toEqual([
      "/v1/rooms/room_1/events?after=0",
      "/v1/rooms/room_1/events?after=1",
    ]);
  });

  it("drops what it has seen, passes on what it does not know, and ends with the socket", async () => {
    const { reprise, sockets } = await startSocketStage([
      (socket) => {
        socket.send(START);
        socket.send({ type: "weather", seq: 2 });
        socket.send(START);
        socket.send(eventFrame(2, "HOLOGRAM_START", { depth: 3 }));
        socket.close(1000);
      },
      nothing,
    ]);
    const states: ConnectionState[] = [];
    const onConnectionChange = (state: ConnectionState) => void states.push(state);

    const events = await collect(reprise.session("ses_1").events({ onConnectionChange }));

    expect(events.map(({ seq, type }) => `${seq} ${type}`)).toEqual([
      "1 REPLY_START",
      "2 HOLOGRAM_START",
    ]);
    expect(events[1]).toMatchObject({ depth: 3 });
    expect(states).toEqual(["connecting", "open", "closed"]);
    expect(sockets).toHaveLength(2);
  });

  it.each([
    [4403, "tenant_suspended", 403],
    [4404, "not_found", 404],
    [4409, "conflict", 409],
    [4413, "body_too_large", 413],
    [4429, "quota_exceeded", 429],
    [1007, "cursor_ahead", 400],
    [1011, "internal", 500],
  ])("that is closed with %i %s ends as the error that HTTP has", async (code, reason, status) => {
    const { reprise, sockets } = await startSocketStage([
      (socket) => {
        socket.send({ type: "error", code: reason, detail: "It has a reason." });
        socket.close(code, reason);
      },
    ]);

    const error = await failure(collect(reprise.session("ses_1").events()));

    expect(ApiError.isInstance(error)).toBe(true);
    expect(error).toMatchObject({ status, code: reason, detail: "It has a reason." });
    expect(sockets).toHaveLength(1);
  });

  it.each([
    [1012, "unavailable"],
    [1011, "the runtime's own words"],
    [4408, "connection_expired"],
    [4429, "too_many_subscribers"],
    [4429, "reader_too_slow"],
  ])("that is closed with %i %s is opened again behind its last event", async (code, reason) => {
    const { reprise, sockets } = await startSocketStage([
      (socket) => {
        socket.send(START);
        socket.close(code, reason);
      },
      (socket) => {
        socket.send(END);
        socket.close(1000);
      },
      nothing,
    ]);
    const states: ConnectionState[] = [];
    const onConnectionChange = (state: ConnectionState) => void states.push(state);

    const events = await collect(reprise.session("ses_1").events({ onConnectionChange }));

    expect(events.map(({ seq }) => seq)).toEqual([1, 2]);
    expect(states).toEqual(["connecting", "open", "reconnecting", "open", "closed"]);
    expect(sockets[1]?.path).toBe("/v1/sessions/ses_1/events?after=1");
  });

  it("whose token is over goes on with the next token, and ends where there is none", async () => {
    const { reprise, sockets, asked } = await startSocketStage(
      [
        (socket) => {
          socket.send(START);
          socket.close(4401, "unauthenticated");
        },
      ],
      {
        refuseTicket: (number) => (number === 2 || number > 3 ? 401 : null),
        token: token(),
        apiKey: undefined,
      },
    );

    const error = await failure(collect(reprise.session("ses_1").events()));

    expect(error).toMatchObject({ name: "ApiError", status: 401, code: "unauthenticated" });
    expect(sockets.map(({ protocols }) => protocols[1])).toEqual([
      "reprise.ticket.ticket-1",
      "reprise.ticket.ticket-2",
      "reprise.ticket.ticket-4",
    ]);
    expect(asked).toHaveLength(6);
  });

  it("that a new ticket does not open is refused for good", async () => {
    const { reprise, asked } = await startSocketStage([
      (socket) => socket.close(4401, "unauthenticated"),
    ]);

    const error = await failure(collect(reprise.session("ses_1").events()));

    expect(error).toMatchObject({ name: "ApiError", status: 401 });
    expect(asked).toHaveLength(1);
  });

  it("that is not taken is asked for with another ticket", async () => {
    const { reprise, asked } = await startSocketStage([(socket) => socket.send(END)], {
      refuseSocket: (number) => (number < 2 ? 503 : null),
    });

    expect(await collect(reprise.session("ses_1").events({ replyId: "rep_1" }))).toHaveLength(1);
    expect(asked).toHaveLength(3);
  });

  it("that sends what cannot be read counts as cut", async () => {
    const { reprise } = await startSocketStage([
      (socket) => socket.send('{"type":"event","seq":1,"event":{'),
      (socket) => socket.send(END),
    ]);

    expect(await collect(reprise.session("ses_1").events({ replyId: "rep_1" }))).toHaveLength(1);
  });

  it("is closed when the reading stops, and the reason of an abort is thrown", async () => {
    const { reprise, sockets } = await startSocketStage([(socket) => socket.send(START)]);
    const abort = new AbortController();
    const reading = async () => {
      for await (const event of reprise.session("ses_1").events({ signal: abort.signal })) {
        if (event.seq === 1) abort.abort(new Error("enough"));
      }
    };

    await expect(reading()).rejects.toThrow("enough");
    await waitFor(() => expect(sockets[0]?.closed).toEqual({ code: 1000 }));
  });

  it("is asked for a sign of life while it is silent, and given up when there is none", async () => {
    let pings = 0;
    const { reprise, sockets } = await startSocketStage(
      [
        (socket) => {
          socket.send(START);
          socket.onFrame = () => {
            pings += 1;
            if (pings < 3) socket.send("pong");
          };
        },
        (socket) => socket.send(END),
      ],
      { reconnect: { firstDelayMs: 2, stallMs: 600 } },
    );

    const events = await collect(reprise.session("ses_1").events({ replyId: "rep_1" }));

    expect(events.map(({ seq }) => seq)).toEqual([1, 2]);
    expect(pings).toBeGreaterThan(0);
    expect(sockets.length).toBeGreaterThan(1);
  });

  it("is that of the app where the app gives one, and without any it is an error", async () => {
    const opened: string[] = [];
    class Counted extends WebSocket {
      constructor(url: string, protocols: string[]) {
        opened.push(url.replace(/^ws:\/\/[^/]+/, ""));
        super(url, protocols);
      }
    }
    const scene = [(socket: { send(frame: object): void }) => socket.send(END)];
    const given = await startSocketStage(scene, { WebSocket: Counted });
    const read = { replyId: "rep_1" };

    await collect(given.reprise.session("ses_1").events(read));
    vi.stubGlobal("WebSocket", undefined);
    const error = await failure(
      startSocketStage(scene).then(({ reprise }) => collect(reprise.session("ses_1").events(read))),
    ).finally(() => vi.unstubAllGlobals());

    expect(opened).toEqual(["/v1/sessions/ses_1/events?after=0&reply_id=rep_1"]);
    expect(error).toBeInstanceOf(TypeError);
    expect(String(error)).toContain("this runtime has no WebSocket");
  });

  it("that no network takes is given up as a stream is", async () => {
    const { reprise } = await startSocketStage([], {
      refuseSocket: () => 503,
      reconnect: { firstDelayMs: 2, maxDelayMs: 5, giveUpAfterMs: 100 },
    });

    const error = await failure(collect(reprise.session("ses_1").events()));

    expect(ConnectionError.isInstance(error)).toBe(true);
  });
});

function token(): () => string {
  let made = 0;
  return () => `rt_${(made += 1)}`;
}
