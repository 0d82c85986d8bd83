// Speaking rooms: who connects to one with which credential, and to whose rooms.
import { beforeAll, describe, expect, test } from "vitest";

import type { CreatedApiKey, Scope } from "../../protocol/keys/contract.ts";
import { REALTIME_PROTOCOL, TICKET_PROTOCOL_PREFIX } from "../../protocol/voice/sockets.ts";
import { ask, type Call, makeSession, OPERATOR, send } from "../worker/support/api.ts";
import { mintTicket } from "../worker/support/client-token.ts";
import { keyWith } from "../worker/support/credentials.ts";
import { openRoom } from "./open-room.ts";

const SPOKEN = { transcription: { provider: "scripted" } };
const VOICE = { mode: "realtime", model: { provider: "scripted" } };
const START = { type: "start", input: { rate: 16_000 }, output: { rate: 24_000 } };

/** A credential, or a ticket that takes the place of one. */
type Credential = Call & { readonly ticket?: string };

interface Place {
  readonly own: string;
  readonly deleted: string;
  readonly foreign: string;
  readonly unknown: string;
}

let place: Place;
let credentials: Readonly<Record<string, Credential>>;

function openSpeaking() {
  return openRoom({ voice: SPOKEN }, { name: "Talker", voice: VOICE });
}

beforeAll(async () => {
  const { call, path, agent_id } = await openSpeaking();
  const foreign = await openSpeaking();
  const [another, deleted] = [await openAnother(call, agent_id), await openAnother(call, agent_id)];
  await ask("DELETE", deleted, call);
  const { id: sessionId } = await makeSession(call, { agent_id });
  const session = `/v1/sessions/${sessionId}`;
  const mint = async (of: string, verbs: readonly string[], who: object = {}): Promise<Call> => {
    const asked = { ...call, json: { verbs, ...who } };
    const { json, text } = await ask<{ token?: string }>("POST", `${of}/tokens`, asked);
    if (json.token === undefined) throw new Error(text);
    return { key: json.token };
  };
  const mia = { participant: "Mia" };
  const speaker = await mint(path, ["read", "speak"], mia);
  const revoked = await ask<CreatedApiKey>("POST", "/v1/api-keys", {
    ...call,
    json: { scopes: ["rooms:read", "rooms:write"] satisfies Scope[] },
  });
  await ask("DELETE", `/v1/api-keys/${revoked.json.id}`, call);
  place = {
    own: path,
    deleted,
    foreign: foreign.path,
    unknown: `${path.slice(0, -3)}000`,
  };
  credentials = {
    "the tenant's key": call,
    "a key for rooms": await keyWith(call, ["rooms:read", "rooms:write"]),
    "a token that speaks": speaker,
    "its ticket": { ticket: (await mintTicket(path, speaker, `${path}/realtime`)).ticket },
    nothing: {},
    "a key that was revoked": { key: revoked.json.api_key },
    "the operator's key": OPERATOR,
    "another tenant's key": foreign.call,
    "a key that reads": await keyWith(call, ["rooms:read"]),
    "a key that writes": await keyWith(call, ["rooms:write"]),
    "a key for sessions": await keyWith(call, ["sessions:read", "replies:write"]),
    "a token that reads": await mint(path, ["read"], mia),
    "a token that hears nothing": await mint(path, ["speak"], mia),
    "a token of another room": await mint(another, ["read", "speak"], mia),
    "a token of a session": await mint(session, ["read", "speak"]),
    "a ticket for events": { ticket: (await mintTicket(path, speaker, `${path}/events`)).ticket },
  };
});

async function openAnother(call: Call, agent_id: string): Promise<string> {
  const participants = [
    { name: "ann", agent_id },
    { name: "Mia", kind: "person" },
  ];
  const json = { participants, voice: SPOKEN };
  const { json: room } = await ask<{ id: string }>("POST", "/v1/rooms", { ...call, json });
  return `/v1/rooms/${room.id}`;
}

/** `started`, or the reason for which the connection was closed. */
async function outcomeOf(path: string, { ticket, ...call }: Credential): Promise<string> {
  const offered = ticket === undefined ? [] : [`${TICKET_PROTOCOL_PREFIX}${ticket}`];
  const protocols = [REALTIME_PROTOCOL, ...offered].join(", ");
  const headers = { Upgrade: "websocket", "Sec-WebSocket-Protocol": protocols };
  const { webSocket } = await send("GET", `${path}/realtime`, { ...call, headers });
  if (!webSocket) throw new Error("an upgrade is answered by a socket");
  const outcome = new Promise<string>((resolve) => {
    webSocket.addEventListener("close", ({ reason }) => resolve(reason));
    webSocket.addEventListener("message", ({ data }) => {
      const { type } = JSON.parse(String(data)) as { type: string };
      if (type === "started") resolve(type);
    });
  });
  webSocket.accept();
  webSocket.send(JSON.stringify(START));
  const told = await outcome;
  webSocket.close(1000, "left");
  return told;
}

describe("a room that speaks", () => {
  test.each([
    ["the tenant's key", "started", "not_found"],
    ["a key for rooms", "started", "not_found"],
    ["a token that speaks", "started", "not_found"],
    ["its ticket", "started", "not_found"],
    ["nothing", "unauthenticated", "unauthenticated"],
    ["a key that was revoked", "unauthenticated", "unauthenticated"],
    ["the operator's key", "insufficient_scope", "insufficient_scope"],
    ["another tenant's key", "not_found", "not_found"],
    ["a key that reads", "insufficient_scope", "insufficient_scope"],
    ["a key that writes", "insufficient_scope", "insufficient_scope"],
    ["a key for sessions", "insufficient_scope", "insufficient_scope"],
    ["a token that reads", "verb_missing", "not_found"],
    ["a token that hears nothing", "verb_missing", "not_found"],
    ["a token of another room", "not_found", "not_found"],
    ["a token of a session", "not_found", "not_found"],
    ["a ticket for events", "insufficient_scope", "not_found"],
  ])("is for %s: %s; where it is another's, gone or unknown: %s", async (name, own, other) => {
    const credential = credentials[name] ?? {};
    const outcomes = [];
    const paths = [place.own, place.deleted, place.foreign, place.unknown];
    // The stranger has a room of its own there.
    if (name === "another tenant's key") paths[2] = place.own;
    for (const path of paths) outcomes.push(await outcomeOf(path, credential));

    expect(outcomes).toEqual([own, other, other, other]);
  });
});
