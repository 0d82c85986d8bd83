// Events over WebSockets: the same as those of a stream, for apps that wait for long.
import { describe, expect, inject, it } from "vitest";

import type { ClientToken } from "../../../protocol/client-tokens/contract.ts";
import type { StreamTicket } from "../../../protocol/events/stream-tickets.ts";
import { ReaderFrameSchema } from "../../../protocol/voice/frames.ts";
import { eventsOf, hasEnds, openEventSocket } from "../../support/event-socket.ts";
import {
  createAgent,
  createSession,
  createTenant,
  openRequest,
  request,
} from "../../support/platform-client.ts";

const STREAM = { accept: "text/event-stream" };
const ORIGIN = "https://shop.example";

async function openSession(definition: object = {}) {
  const { key } = await createTenant();
  const agent = await createAgent(key, { tools: [], ...definition });
  const path = `/v1/sessions/${await createSession(key, agent)}`;
  const say = (input: string) => request("POST", `${path}/replies`, { key, body: { input } });
  const mint = async (wish: object = {}) =>
    (await request<ClientToken>("POST", `${path}/tokens`, { key, body: wish })).body;
  return { key, path, events: `${path}/events`, say, mint };
}

async function ticketFor(path: string, stream: string, key: string, headers = {}) {
  const asked = { key, headers, body: { path: stream } };
  return (await request<StreamTicket>("POST", `${path}/stream-tickets`, asked)).body.ticket;
}

/** The frames of a socket for those of the stream with the same query. */
async function streamed(path: string, key: string) {
  const headers = STREAM;
  const response = await openRequest("GET", path, { key, headers });
  const format = new URL(path, "http://x").searchParams.get("format") ?? "agentscope";
  const text = await response.text();
  return text
    .split("\n\n")
    .filter((frame) => frame.startsWith("id: "))
    .map((frame) => {
      const id = frame.slice("id: ".length, frame.indexOf("\n"));
      const event: unknown = JSON.parse(frame.slice(frame.indexOf("\ndata: ") + "\ndata: ".length));
      const place = format === "agentscope" ? { seq: Number(id) } : { id };
      return { type: "event", ...place, event };
    });
}

describe("events over a WebSocket", () => {
  it("are those of the stream, each a frame, and it closes with 1000 where the stream ends", async () => {
    const { key, events, say } = await openSession();
    await say("/think Well.\n/say Hello there.");
    const socket = openEventSocket(events, { key });
    const closed = await socket.closed;

    expect([closed, socket.protocol()]).toEqual([{ code: 1000, reason: "" }, "reprise.events.v1"]);
    expect(socket.frames).toEqual(await streamed(`${events}?after=0`, key));
    for (const frame of socket.frames) ReaderFrameSchema.parse(frame);
  });

  it.each(["agentscope-java", "ag-ui"])(
    "have the frames and ids of the format %s",
    async (format) => {
      const { key, events, say } = await openSession();
      await say("/say Hello there.");
      const query = `${events}?after=0&format=${format}`;
      const whole = await streamed(query, key);
      const socket = openEventSocket(query, { key });
      await socket.until(({ length }) => length === whole.length);
      const cursor = whole[2] && "id" in whole[2] ? whole[2].id : "";
      const rest = openEventSocket(`${events}?format=${format}&after=${cursor}`, { key });
      await rest.until(({ length }) => length === whole.length - 3);

      expect(socket.frames).toEqual(whole);
      expect(rest.frames).toEqual(whole.slice(3));
    },
  );

  it("go on from any cursor, and those that come follow those that are there", async () => {
    const { key, events, say } = await openSession();
    await say("/say One.");
    const socket = openEventSocket(`${events}?after=3&follow=session`, { key });
    await say("/say Two.");
    await socket.until(hasEnds(2));
    const closed = await socket.close();

    expect(closed.code).toBe(1000);
    expect(socket.frames).toEqual(await streamed(`${events}?after=3`, key));
  });

  it("are those of one reply, also while that runs", async () => {
    const { key, path, events, say } = await openSession();
    await say("/say One.");
    const body = { input: "/rate 50\n/words 30", background: true };
    const { body: reply } = await request<{ id: string }>("POST", `${path}/replies`, { key, body });
    const socket = openEventSocket(`${events}?reply_id=${reply.id}`, { key });
    await socket.until(hasEnds(1));

    expect(socket.frames).toEqual(await streamed(`${events}?reply_id=${reply.id}&after=0`, key));
    expect(eventsOf(socket.frames).at(-1)?.type).toBe("REPLY_END");
  });

  it("come whole when they are large", async () => {
    const { key, events, say } = await openSession();
    const text = "ö".repeat(1_500_000);
    await say(`${text}\n/say Read.`);
    const socket = openEventSocket(`${events}?after=0`, { key });
    await socket.until(hasEnds(1));

    expect(socket.frames).toEqual(await streamed(`${events}?after=0`, key));
    expect(JSON.stringify(socket.frames).includes(text)).toBe(true);
  });

  it("answer `ping`, for which no session wakes", async () => {
    const { key, events, say } = await openSession();
    await say("/say One.");
    const socket = openEventSocket(`${events}?follow=session`, { key });
    await socket.until(hasEnds(1));
    socket.send("ping");
    await socket.until(() => socket.others.length > 0);

    expect(socket.others).toEqual(["pong"]);
    await socket.close();
  });
});

describe("a browser's page", () => {
  it("shows its stream ticket as a subprotocol, from the pages that it is for", async () => {
    const { key, path, events, say, mint } = await openSession();
    await say("/say One.");
    const { token } = await mint({ verbs: ["read"], allowed_origins: [ORIGIN] });
    const ticket = await ticketFor(path, events, token, { origin: ORIGIN });
    const open = (origin: string) =>
      openEventSocket(`${events}?after=2`, { ticket, headers: { origin } });
    const [own, other] = [open(ORIGIN), open("https://evil.example")];
    await own.until(hasEnds(1));

    expect([await other.closed, own.protocol()]).toEqual([
      { code: 4403, reason: "origin_forbidden" },
      "reprise.events.v1",
    ]);
    expect(own.frames).toEqual(await streamed(`${events}?after=2`, key));
  });

  it("gives the ticket once, not in the address, and for this stream alone", async () => {
    const { key, path, events } = await openSession();
    const ticket = await ticketFor(path, events, key);
    const sockets = [
      openEventSocket(`${events}?token=${ticket}`, {}),
      openEventSocket(events, { ticket, key }),
      openEventSocket(`${events}?follow=session`, { ticket }),
      openEventSocket((await openSession()).events, { ticket }),
      openEventSocket(events, { ticket: `${ticket}x` }),
    ];

    expect(await Promise.all(sockets.map(async ({ closed }) => closed))).toEqual([
      { code: 1007, reason: "validation_failed" },
      { code: 1007, reason: "validation_failed" },
      { code: 4403, reason: "insufficient_scope" },
      { code: 4404, reason: "not_found" },
      { code: 4401, reason: "unauthenticated" },
    ]);
  });
});

describe("an upgrade that is refused", () => {
  it("is opened, told why, and closed with the code of the error", async () => {
    const { key, events, say, mint } = await openSession();
    await say("/say One.");
    const [stranger, mine] = [await openSession(), await openSession()];
    const { body: narrow } = await request<{ api_key: string }>("POST", "/v1/api-keys", {
      key,
      body: { scopes: ["agents:read"] },
    });
    const speechless = await mint({ verbs: ["reply"] });
    const refused = [
      openEventSocket(events, {}),
      openEventSocket(events, { key: `${key}x` }),
      openEventSocket(events, { key: narrow.api_key }),
      openEventSocket(events, { key: stranger.key }),
      openEventSocket(events, { key: (await mine.mint()).token }),
      openEventSocket(events, { key: speechless.token }),
      openEventSocket(`/v1/sessions/ses_${"0".repeat(26)}/events`, { key }),
      openEventSocket(`${events}?after=ten`, { key }),
      openEventSocket(`${events}?after=999999`, { key }),
      openEventSocket(`${events}?reply_id=rep_unknown`, { key }),
      openEventSocket(`${events}?format=morse`, { key }),
    ];
    const closes = await Promise.all(refused.map(async ({ closed }) => closed));

    expect(closes.map(({ code, reason }) => `${code} ${reason}`)).toEqual([
      "4401 unauthenticated",
      "4401 unauthenticated",
      "4403 insufficient_scope",
      "4404 not_found",
      "4404 not_found",
      "4403 verb_missing",
      "4404 not_found",
      "1007 invalid_cursor",
      "1007 cursor_ahead",
      "4404 not_found",
      "1007 validation_failed",
    ]);
    for (const { frames } of refused) {
      expect(frames).toEqual([{ type: "error", code: frames[0]?.code, detail: frames[0]?.detail }]);
      for (const frame of frames) ReaderFrameSchema.parse(frame);
    }
  });

  it("gets an ordinary answer where it does not name the subprotocol", async () => {
    const { key, events } = await openSession();
    const closed = await new Promise((resolve) => {
      const url = `${inject("baseUrl").replace(/^http/, "ws")}${events}`;
      const socket = new WebSocket(url, { headers: { authorization: `Bearer ${key}` } });
      socket.addEventListener("close", ({ code }) => resolve(code));
    });

    expect(closed).toBe(1006);
  });
});
