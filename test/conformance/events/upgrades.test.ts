// Upgrades to a WebSocket on routes that have none, with handshakes as clients send them.
import { connect } from "node:net";
import { describe, expect, inject, it } from "vitest";

import { formatId, ID_RANDOM_BYTES, type IdPrefix } from "../../../protocol/ids.ts";
import { ROUTES, type Route } from "../../../protocol/routes.ts";
import { createAgent, createSession, createTenant } from "../../support/platform-client.ts";

interface Answered {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

interface Handshake {
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A handshake in its bytes, and the answer to it: HTTP clients send no `Upgrade` of their own accord. */
async function shake(path: string, { key, headers = {} }: Handshake) {
  const { hostname, port, host } = new URL(inject("baseUrl"));
  const socket = connect({ host: hostname, port: Number(port) });
  const lines = Object.entries({
    host,
    connection: "Upgrade",
    upgrade: "websocket",
    "sec-websocket-version": "13",
    "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`GET ${path} HTTP/1.1\r\n${lines.join("")}\r\n`);
  let text = "";
  try {
    for await (const piece of socket.setEncoding("utf8")) {
      text += String(piece);
      const answered = whole(text);
      if (answered) return answered;
    }
  } finally {
    socket.destroy();
  }
  throw new Error(`the connection ended before its answer: ${text}`);
}

/** The answer, once all of it is there; its body may come in chunks. */
function whole(text: string): Answered | null {
  const end = text.indexOf("\r\n\r\n");
  if (end === -1) return null;
  const status = Number(text.slice(9, 12));
  if (status === 101) return { status, body: {} };
  const rest = text.slice(end + 4);
  const json = rest.slice(rest.indexOf("{"), rest.lastIndexOf("}") + 1);
  try {
    return { status, body: JSON.parse(json) as Record<string, unknown> };
  } catch {
    return null;
  }
}

async function openSession() {
  const { key } = await createTenant();
  const agent = await createAgent(key, { tools: [] });
  return { key, agent, session: await createSession(key, agent) };
}

/** An id of nothing. */
function newId(prefix: IdPrefix): string {
  return formatId(prefix, Date.now(), crypto.getRandomValues(new Uint8Array(ID_RANDOM_BYTES)));
}

const shown = ({ status, body }: Answered) => [status, body["code"], body["detail"]];

describe("an upgrade on a route without a socket", () => {
  it("is refused with the address of the session's event stream", async () => {
    const { key, session } = await openSession();
    const { status, body } = await shake(`/v1/sessions/${session}/messages?limit=5`, { key });

    expect([status, body["code"], body["errors"]]).toEqual([
      400,
      "validation_failed",
      [{ pointer: "#/headers/upgrade", detail: body["detail"] }],
    ]);
    expect(body["detail"]).toBe(
      `/v1/sessions/{session_id}/messages has no WebSocket: events come with GET /v1/sessions/${session}/events, as a stream of server-sent events or, with the subprotocol reprise.events.v1, over a WebSocket`,
    );
  });

  it("is refused with the general streams where no session is named, and with a room's for a room", async () => {
    const { key } = await openSession();
    const room = newId("room");
    const details = await Promise.all(
      ["/v1/agents", `/v1/rooms/${room}/messages`].map(async (path) =>
        String((await shake(path, { key })).body["detail"]),
      ),
    );

    expect(details[0]).toContain(
      "GET /v1/sessions/{session_id}/events and GET /v1/rooms/{room_id}/events",
    );
    expect(details[1]).toContain(`GET /v1/rooms/${room}/events,`);
  });

  it("is refused of WebSocket clients, whatever subprotocol they offer", async () => {
    const { session } = await openSession();
    const base = inject("baseUrl").replace(/^http/, "ws");
    const socket = new WebSocket(`${base}/v1/sessions/${session}`, ["reprise.events.v1"]);
    const failed = new Promise((resolve) => socket.addEventListener("error", () => resolve(true)));

    expect(await failed).toBe(true);
  });

  it.each([
    ["WebSocket", 400],
    ["h2c, websocket", 400],
    ["websocket/13", 400],
    ["h2c", 200],
    ["websockets", 200],
  ])(
    "is one if a WebSocket is among what it asks for: %s is answered with %s",
    async (upgrade, status) => {
      const { key } = await openSession();

      expect((await shake("/v1/agents", { key, headers: { upgrade } })).status).toBe(status);
    },
  );

  it("says nothing of what there is: another tenant's session and one that never was are answered alike", async () => {
    const [own, other] = [await openSession(), await openSession()];
    const never = newId("ses");
    const answers = await Promise.all(
      [other.session, never].map(async (id) =>
        shown(await shake(`/v1/sessions/${id}`, { key: own.key })),
      ),
    );

    expect(answers[0]?.slice(0, 2)).toEqual([400, "validation_failed"]);
    expect(String(answers[0]?.[2]).replace(other.session, never)).toBe(answers[1]?.[2]);
  });

  it("comes behind a missing credential, a malformed id and an unknown path", async () => {
    const { key, session } = await openSession();
    const codes = await Promise.all(
      [
        shake(`/v1/sessions/${session}`, {}),
        shake("/v1/sessions/ses_1", { key }),
        shake("/v1/nothing", { key }),
      ].map(async (answer) => (await answer).body["code"]),
    );

    expect(codes).toEqual(["unauthenticated", "not_found", "not_found"]);
  });

  it("is refused on every route of the table without a subprotocol that a key may read", async () => {
    const { key } = await openSession();
    const routes = (ROUTES as readonly Route[]).filter(
      ({ method, path, subprotocol, access }) =>
        method === "GET" &&
        !path.includes("{") &&
        subprotocol === undefined &&
        access !== "operator",
    );
    const statuses = [];
    for (const { path } of routes) statuses.push([path, (await shake(path, { key })).status]);

    expect(statuses).toEqual(routes.map(({ path }) => [path, 400]));
  });
});
