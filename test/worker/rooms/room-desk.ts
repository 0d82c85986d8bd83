// A room of a tenant's agents, by the calls that the Worker makes of its object.
import { env } from "cloudflare:workers";
import { expect } from "vitest";

import type { LoggedEvent } from "../../../protocol/events.ts";
import type { Msg } from "../../../protocol/messages/messages.ts";
import type { Result } from "../../../protocol/errors.ts";
import type { Room } from "../../../protocol/rooms/contract.ts";
import { formatId, ID_RANDOM_BYTES } from "../../../protocol/ids.ts";
import { readUrl } from "../../../durable-objects/api/read-request.ts";
import {
  roomObjectName,
  type RoomApi,
  type RoomCall,
  type RoomInit,
} from "../../../durable-objects/api/room-api.ts";
import { STREAM_URL, type Actor } from "../../../durable-objects/api/session-api.ts";
import { ask, makeAgent, makeTenant, type Call } from "../support/api.ts";
import { mocked } from "./mock-model.ts";

type Fetched = { fetch(url: string): Promise<Response> };

export interface RoomDesk {
  readonly call: Call;
  readonly tenantId: string;
  readonly init: RoomInit;
  /** Looked up anew each time, as a stub that has failed stays broken. */
  readonly room: RoomApi & Fetched;
  /** Ids of the agents, by name. */
  readonly agents: Readonly<Record<string, string>>;
}

const ACTOR: Actor = {
  kind: "api_key",
  id: "key_test",
  may_write_rules: true,
  may_take_rules: true,
  may_edit: true,
  must_prove_input: false,
};
export const CALL: RoomCall = { actor: ACTOR };

interface RoomSettings {
  /** Names of agents, each with the model of its name, or more of its definition. */
  readonly agents?: readonly (
    | string
    | { readonly name: string; readonly [member: string]: unknown }
  )[];
  readonly people?: readonly object[];
  readonly turns?: object;
  readonly announcement?: string;
  readonly bounds?: object;
}

function newRoomId(): string {
  return formatId("room", Date.now(), crypto.getRandomValues(new Uint8Array(ID_RANDOM_BYTES)));
}

export async function openRoom(settings: RoomSettings = {}): Promise<RoomDesk> {
  const { id: tenantId, call } = await makeTenant();
  const agents: Record<string, string> = {};
  for (const one of settings.agents ?? ["alpha", "beta", "gamma"]) {
    const { name, ...more } = typeof one === "string" ? { name: one } : one;
    const definition = { name, model: mocked(name), system_prompt: `I am ${name}.`, ...more };
    agents[name] = (await makeAgent(call, definition)).id;
  }
  const init = initOf(tenantId, agents, settings);
  const room = roomOf(init);
  valueOf(await room.create(init));
  return {
    call,
    tenantId,
    init,
    agents,
    get room() {
      return roomOf(init);
    },
  };
}

export function initOf(
  tenant_id: string,
  agents: Readonly<Record<string, string>>,
  { people = [{ name: "Mia" }, { name: "Ben" }], turns, announcement, bounds }: RoomSettings,
): RoomInit {
  const spoken = Object.entries(agents).filter(([name]) => name !== "chair");
  const chair = agents["chair"];
  const order = {
    order: "sequential",
    rounds: 1,
    ...turns,
    ...(chair !== undefined && { moderator: { agent_id: chair } }),
  };
  return {
    room_id: newRoomId(),
    tenant_id,
    created_at: new Date().toISOString(),
    title: null,
    metadata: {},
    participants: [
      ...spoken.map(([name, agent_id]) => ({ kind: "agent" as const, name, agent_id })),
      ...people.map((person) => ({ kind: "person" as const, awaited: false, ...person })),
    ] as RoomInit["participants"],
    turns: order as RoomInit["turns"],
    announcement: announcement ?? null,
    bounds: { max_rounds: 10, max_tokens: null, max_ms: null, turn_timeout_ms: null, ...bounds },
  };
}

export function roomOf({ tenant_id, room_id }: RoomInit): RoomApi & Fetched {
  const stub = env.ROOM.getByName(roomObjectName(tenant_id, room_id));
  return stub as unknown as RoomApi & Fetched;
}

export function objectOf({ tenant_id, room_id }: RoomInit) {
  return env.ROOM.getByName(roomObjectName(tenant_id, room_id));
}

export function valueOf<Value>(result: Result<Value>): Value {
  if (!result.ok) throw new Error(`${result.refusal.code}: ${result.refusal.detail}`);
  return result.value;
}

export async function say(desk: Pick<RoomDesk, "room">, content: string, more: object = {}) {
  return valueOf(await desk.room.postMessage({ participant: "Mia", content, ...more }, CALL));
}

export async function readRoom({ room }: Pick<RoomDesk, "room">): Promise<Room> {
  return valueOf(await room.read());
}

export async function atRest(desk: Pick<RoomDesk, "room">, status = "idle"): Promise<Room> {
  await expect.poll(async () => (await readRoom(desk)).status).toBe(status);
  return readRoom(desk);
}

/** All of the log, in pages. */
export async function eventsOf({ room }: Pick<RoomDesk, "room">): Promise<readonly LoggedEvent[]> {
  const events: LoggedEvent[] = [];
  for (let after = 0; ;) {
    const response = await room.fetch(readUrl({ what: "events", after, limit: 100 }));
    const page = await response.json<{ data: LoggedEvent[]; has_more: boolean; cursor: number }>();
    events.push(...page.data);
    if (!page.has_more) return events;
    after = page.cursor;
  }
}

export async function messagesOf({ room }: Pick<RoomDesk, "room">): Promise<readonly Msg[]> {
  const response = await room.fetch(readUrl({ what: "messages", limit: 100 }));
  return (await response.json<{ data: Msg[] }>()).data;
}

/** Speakers with their words, in order. */
export async function saidIn(desk: Pick<RoomDesk, "room">): Promise<readonly string[]> {
  return (await messagesOf(desk)).flatMap(({ name, content }) => {
    const text = content.map((block) => (block.type === "text" ? block.text : "")).join("");
    return text === "" ? [] : [`${name}: ${text}`];
  });
}

/** The room's own events without deltas, as short names. */
export async function stepsOf(desk: Pick<RoomDesk, "room">): Promise<readonly string[]> {
  const events = await eventsOf(desk);
  return events.flatMap((event) => {
    if (event.type !== "CUSTOM" || event.reply_id !== undefined) return [];
    const { participant, reason } = event.value as { participant?: string; reason?: string };
    return [[event.name, participant, reason].filter((part) => part).join(" ")];
  });
}

export async function streamOf(
  { room }: Pick<RoomDesk, "room">,
  after = 0,
): Promise<readonly LoggedEvent[]> {
  const response = await room.fetch(`${STREAM_URL}?after=${after}`);
  const text = await response.text();
  return text
    .split("\n\n")
    .flatMap((frame) => /^data: (.*)$/m.exec(frame)?.[1] ?? [])
    .map((data) => JSON.parse(data) as LoggedEvent);
}

export async function sessionMessages(call: Call, sessionId: string): Promise<readonly Msg[]> {
  const path = `/v1/sessions/${sessionId}/messages?limit=100`;
  return (await ask<{ data: Msg[] }>("GET", path, call)).json.data;
}
