// Promises of the document about rooms beside their ordinary answers: people who are waited for, calls, tokens, states, and the
// sessions of participants.
import type { Room } from "../../protocol/rooms/contract.ts";
import type { RoomStateExport } from "../../protocol/rooms/room-state.ts";
import type { RoomToken } from "../../protocol/rooms/room-tokens.ts";
import { waitUntil } from "../support/wait-for.ts";
import { ask, makeAgent, type Call } from "../worker/support/api.ts";
import type { DocumentedApi } from "../worker/support/documented-api.ts";
import { DESK, REFUND } from "../worker/support/parked-session.ts";

interface Opened {
  readonly call: Call;
  readonly agent_id: string;
}

const open = async (call: Call, json: object): Promise<Room> =>
  (await ask<Room>("POST", "/v1/rooms", { ...call, json })).json;
const read = async (call: Call, { id }: Room): Promise<Room> =>
  (await ask<Room>("GET", `/v1/rooms/${id}`, call)).json;

export async function askForRooms(api: DocumentedApi, opened: Opened): Promise<void> {
  await askParticipantSession(api, opened);
  await askWithTokens(api, opened);
  await askForTurns(api, opened);
  await askForCalls(api, opened);
  await askForStates(api, opened);
}

/** A participant's session takes nothing but from its room. */
async function askParticipantSession(
  api: DocumentedApi,
  { call, agent_id }: Opened,
): Promise<void> {
  const room = await open(call, { participants: [{ name: "ann", agent_id }] });
  const session_id = room.participants[0]?.session_id ?? "";
  const place = { session_id };
  await api.ask("createReply", place, { ...call, json: { input: "Hello." } });
  await api.ask("observe", place, { ...call, json: { messages: "Hello." } });
  await api.ask("updateSession", place, { ...call, json: { title: "Mine" } });
  await api.ask("writeState", place, { ...call, json: {} });
  await api.ask("restoreSession", place, { ...call, json: { cursor: 1 } });
  await api.ask("forkSession", place, { ...call, json: {} });
  await api.ask("deleteSession", place, call);
  await api.ask("createReplay", { agent_id }, { ...call, json: { session_id } });
  const message = { id: "m1", role: "user", content: "Hello." };
  const run = { threadId: session_id, runId: "run-1", messages: [message] };
  await api.ask("runAgUi", { agent_id }, { ...call, json: run });
  // A version that is retired is given to no room.
  await ask("PATCH", `/v1/agents/${agent_id}`, { ...call, json: { name: "Desk 2" } });
  await ask("PATCH", `/v1/agents/${agent_id}/versions/1`, { ...call, json: { retired: true } });
  const json = { participants: [{ name: "ann", agent_id, agent_version: 1 }] };
  await api.ask("createRoom", {}, { ...call, json });
  const taken = { participant: { name: "ann", kind: "person" } };
  await api.ask("addRoomParticipant", { room_id: room.id }, { ...call, json: taken });
}

/** Every route that takes client tokens, with one that may not use it. */
async function askWithTokens(api: DocumentedApi, { call, agent_id }: Opened): Promise<void> {
  const mia = { name: "Mia", kind: "person" };
  const room = await open(call, { participants: [{ name: "ann", agent_id }, mia] });
  const place = { room_id: room.id };
  const mint = async (verbs: readonly string[]): Promise<Call> => {
    const json = { verbs, participant: "Mia" };
    const path = `/v1/rooms/${room.id}/tokens`;
    return { key: (await ask<RoomToken>("POST", path, { ...call, json })).json.token };
  };
  const nothing = await mint(["tool_result"]);
  for (const name of ["readRoom", "listRoomMessages", "readRoomEvents"] as const) {
    await api.ask(name, place, nothing);
  }
  for (const name of [
    "postRoomMessage",
    "answerRoomInput",
    "interruptRoom",
    "runRoomAgUi",
  ] as const) {
    await api.ask(name, place, { ...nothing, json: {} });
  }
  await api.ask("createRoomStreamTicket", place, { ...nothing, json: {} });
  await api.ask("postRoomEvent", place, { ...(await mint(["read"])), json: {} });
  const { cursor } = await read(call, room);
  const headers = { Accept: "text/event-stream" };
  await api.ask("readRoomEvents", { ...place, query: `?after=${cursor}` }, { ...call, headers });
}

async function askForTurns(api: DocumentedApi, { call, agent_id }: Opened): Promise<void> {
  const noa = { name: "Noa", kind: "person", awaited: true };
  const room = await open(call, { participants: [noa, { name: "ann", agent_id }] });
  const place = { room_id: room.id };
  const begin = { ...call, json: { content: "Begin." } };
  await ask("POST", `/v1/rooms/${room.id}/messages`, begin);
  await waitUntil(async () => (await read(call, room)).input_requests[0]);
  await api.ask("readRoomState", place, call);
  const busy = { ...call, json: { agents: { ann: {} } } };
  await api.ask("writeRoomState", place, busy);
  await api.ask("answerRoomInput", place, { ...call, json: { content: "Yes." } });
}

async function askForCalls(api: DocumentedApi, { call }: Opened): Promise<void> {
  const { id: agent_id } = await makeAgent(call, DESK);
  const mia = { name: "Mia", kind: "person" };
  const room = await open(call, { participants: [{ name: "ann", agent_id }, mia] });
  const place = { room_id: room.id };
  await ask("POST", `/v1/rooms/${room.id}/messages`, {
    ...call,
    json: { content: `Begin.\n${REFUND}` },
  });
  const waiting = await waitUntil(async () => (await read(call, room)).pending[0]);
  const { reply_id, tool_call } = waiting;
  const interruptId = `${reply_id}:${tool_call.id}`;
  const run = { threadId: room.id, runId: "run-1", messages: [] };
  const resume = [{ interruptId, status: "resolved", payload: {} }];
  await api.ask("runRoomAgUi", place, { ...call, json: { ...run, resume } });
  const answer = (confirmed: boolean, id: string) => {
    const confirm_results = [{ confirmed, tool_call: { id } }];
    return { ...call, json: { type: "USER_CONFIRM_RESULT", reply_id, confirm_results } };
  };
  await api.ask("postRoomEvent", place, answer(false, "none"));
  await api.ask("postRoomEvent", place, answer(false, tool_call.id));
  await api.ask("postRoomEvent", place, answer(true, tool_call.id));
}

async function askForStates(api: DocumentedApi, { call, agent_id }: Opened): Promise<void> {
  const room = await open(call, { participants: [{ name: "ann", agent_id }] });
  const place = { room_id: room.id };
  const { json: state } = await ask<RoomStateExport>("GET", `/v1/rooms/${room.id}/state`, call);
  const json = { agents: state.agents };
  await api.ask("writeRoomState", place, { ...call, json });
  const stale = { ...call, json, headers: { "If-Match": '"999999"' } };
  await api.ask("writeRoomState", { ...place, query: "?replace=true" }, stale);
}
