// Rooms: what is said in them, who takes part, and their state.
import type { Room } from "../../../protocol/rooms/contract.ts";
import type { RoomStateExport } from "../../../protocol/rooms/room-state.ts";
import { ask } from "../../worker/support/api.ts";
import { countListed } from "../../worker/support/count-listed.ts";
import type { DocumentedApi } from "../../worker/support/documented-api.ts";
import type { KeyedRequests } from "../../worker/support/keyed-request.ts";
import { DESK, REFUND } from "../../worker/support/parked-session.ts";
import { changeTenant } from "../../worker/support/tenant-use.ts";
import { waitUntil } from "../../support/wait-for.ts";
import { askForRooms } from "../ask-rooms.ts";
import { MIA, openRoom } from "../open-room.ts";
import { inQuery, NEWEST, pageToken } from "../places.ts";
import type { ConceptRows } from "../row.ts";
import type { StoreChange } from "../stores.ts";

const OPENED: readonly StoreChange[] = [
  "+room.events",
  "+room.members",
  "+room.room",
  "+room_members",
  "+rooms",
];

export const ROWS = {
  createRoom: {
    answers: 201,
    body: ({ ids, word }) => ({
      title: `New ${word}-room`,
      participants: [{ name: word, agent_id: ids.agent_id }],
    }),
    places: [
      {
        where: "body agent_id",
        id: ({ ids }) => ids.agent_id,
        body: (agent_id) => ({ participants: [{ name: "ann", agent_id }] }),
        refused: 404,
      },
      {
        where: "body moderator",
        id: ({ ids }) => ids.agent_id,
        body: (agent_id) => ({
          participants: [{ name: "ann", agent_id }],
          turns: { order: "moderated", moderator: { agent_id } },
        }),
        refused: 404,
      },
    ],
    shows: [],
    stores: [
      ...OPENED,
      "+audit_entries",
      "+session.schema_version",
      "+session.session",
      "+sessions",
    ],
    refusedBy: ["rooms", "sessions", "stored_bytes", "database_bytes"],
  },
  listRooms: {
    answers: 200,
    places: [
      pageToken(`room_${NEWEST}`),
      inQuery("agent_id", ({ ids }) => ids.agent_id),
      inQuery("end_user_id", ({ ids }) => ids.end_user_id),
    ],
    shows: ["room", "user"],
  },
  readRoom: { answers: 200, shows: ["room", "user"] },
  updateRoom: {
    answers: 200,
    body: ({ word }) => ({ metadata: { now: word }, max_rounds: 3 }),
    shows: ["user"],
    // Its title, which may be what is said in it.
    hides: ["room"],
    stores: ["+audit_entries", "+room.events", "~room.room", "~rooms"],
    refusedBy: ["database_bytes"],
    bounds: { "room.events": "one for each entry of the audit" },
  },
  deleteRoom: {
    answers: 204,
    isSilent: true,
    shows: [],
    stores: [
      "+audit_entries",
      "-room.client_tokens",
      "-room.events",
      "-room.members",
      "-room.messages",
      "-room.room",
      "-room.token_participants",
      "-room_members",
      "-rooms",
      "-session.events",
      "-session.messages",
      "-session.schema_version",
      "-session.session",
      "-sessions",
    ],
  },
  addRoomParticipant: {
    answers: 201,
    body: ({ word }) => ({ participant: { name: `q${word}`, kind: "person" } }),
    // Its labels, which are no words of it.
    shows: ["room", "user"],
    stores: ["+audit_entries", "+room.events", "+room.members", "~room.room", "+room_members"],
    refusedBy: ["database_bytes"],
    bounds: {
      "room.events": "two for each of MAX_ROOM_MEMBERS_EVER",
      "room.members": "MAX_ROOM_MEMBERS_EVER",
    },
  },
  removeRoomParticipant: {
    answers: 204,
    isSilent: true,
    shows: [],
    stores: ["+audit_entries", "+room.events", "~room.members", "~room.room", "~room_members"],
    bounds: {
      "room.events": "two for each of MAX_ROOM_MEMBERS_EVER",
      "room.members": "MAX_ROOM_MEMBERS_EVER",
    },
  },
  postRoomMessage: {
    answers: 202,
    body: ({ word }) => ({ content: `Now ${word}` }),
    shows: [],
    // Whoever is not named is told of it all the same.
    stores: [
      "+room.events",
      "+room.messages",
      "~room.room",
      "+session.events",
      "+session.messages",
    ],
    refusedBy: ["stored_bytes"],
  },
  listRoomMessages: { answers: 200, shows: ["room"] },
  readRoomEvents: { answers: 200, shows: ["room"] },
  // The session's reply is of no room.
  postRoomEvent: {
    answers: 404,
    isSilent: true,
    body: ({ ids }) => ({ type: "USER_INTERRUPT", reply_id: ids.reply_id }),
    shows: [],
    stores: [],
  },
  listRoomInputs: {
    answers: 200,
    isSilent: true,
    places: [
      pageToken(`9999-12-31T23:59:59.999Z trn_${NEWEST}`),
      inQuery("room_id", ({ ids }) => ids.room_id),
      inQuery("end_user_id", ({ ids }) => ids.end_user_id),
    ],
    shows: [],
  },
  // Nobody is waited for.
  answerRoomInput: {
    answers: 409,
    isSilent: true,
    body: ({ word }) => ({ content: `Now ${word}` }),
    shows: [],
    stores: [],
  },
  interruptRoom: { answers: 200, isSilent: true, body: () => ({}), shows: [], stores: [] },
  runRoomAgUi: {
    answers: 200,
    isSilent: true,
    body: ({ ids, word }) => ({
      threadId: ids.room_id,
      runId: "run-1",
      messages: [{ id: `run-${word}`, role: "user", content: `Now ${word}` }],
    }),
    places: [
      {
        where: "body threadId",
        id: ({ ids }) => ids.room_id,
        body: (threadId) => ({ threadId, runId: "run-1", messages: [] }),
        refused: 404,
      },
    ],
    besides: ["rooms:read"],
    shows: ["room"],
    stores: [
      "+room.events",
      "+room.messages",
      "~room.room",
      "+session.events",
      "+session.messages",
    ],
    refusedBy: ["stored_bytes"],
  },
  readRoomState: {
    answers: 200,
    besides: ["permission_rules:read"],
    shows: ["room"],
  },
  writeRoomState: {
    answers: 200,
    isSilent: true,
    body: ({ word }) => ({ agents: { [word]: {} } }),
    besides: ["permission_rules:read"],
    shows: [],
    stores: [
      "+audit_entries",
      "+room.events",
      "~room.members",
      "-room.messages",
      "~room.room",
      "~room_members",
      "-session.events",
      "-session.messages",
      "~session.session",
      "~sessions",
    ],
    refusedBy: ["database_bytes"],
    bounds: { "room.events": "one for each entry of the audit" },
  },
} satisfies ConceptRows;

export const KEYED = {
  async createRoom() {
    const { call, json } = await openRoom();
    return {
      path: "/v1/rooms",
      call,
      json,
      other: { ...json, title: "Other" },
      count: async () => (await countListed("/v1/rooms", call)) - 1,
    };
  },
  async postRoomMessage() {
    const { call, path } = await openRoom({ turns: { order: "mentioned" } });
    return {
      path: `${path}/messages`,
      call,
      json: { content: "One." },
      other: { content: "Two." },
      count: () => countListed(`${path}/messages`, call),
    };
  },
  async addRoomParticipant() {
    const { call, path } = await openRoom();
    return {
      path: `${path}/participants`,
      call,
      json: { participant: { name: "Noa", kind: "person" } },
      other: { participant: { name: "Ida", kind: "person" } },
      count: async () => (await ask<Room>("GET", path, call)).json.participants.length - 2,
    };
  },
  async interruptRoom() {
    const { call, path } = await openRoom();
    await ask("POST", `${path}/messages`, { ...call, json: { content: "Begin.\n/wait 600000" } });
    const isOver = async () => (await ask<Room>("GET", path, call)).json.last_end !== null;
    return {
      path: `${path}/interrupt`,
      call,
      json: {},
      count: async () => ((await isOver()) ? 1 : 0),
    };
  },
  async answerRoomInput() {
    const awaited = { ...MIA, awaited: true };
    const { call, path, agent_id } = await openRoom();
    void path;
    const json = { participants: [awaited, { name: "ann", agent_id }] };
    const { json: room } = await ask<Room>("POST", "/v1/rooms", { ...call, json });
    const at = `/v1/rooms/${room.id}`;
    await ask("POST", `${at}/messages`, { ...call, json: { content: "Begin." } });
    await waitUntil(
      async () => (await ask<Room>("GET", at, call)).json.input_requests.length > 0 || undefined,
    );
    return {
      path: `${at}/input`,
      call,
      json: { content: "Yes." },
      other: { content: "No." },
      count: async () => 1 - (await ask<Room>("GET", at, call)).json.input_requests.length,
    };
  },
  async postRoomEvent() {
    const { call, path } = await openRoom({}, DESK);
    await ask("POST", `${path}/messages`, { ...call, json: { content: `Begin.\n${REFUND}` } });
    const read = async () => (await ask<Room>("GET", path, call)).json.pending;
    const waiting = await waitUntil(async () => (await read())[0]);
    const answer = {
      type: "USER_CONFIRM_RESULT",
      reply_id: waiting.reply_id,
      // A client token proves which input its holder was shown.
      metadata: { input_hashes: { [waiting.tool_call.id]: waiting.input_hash } },
      confirm_results: [{ confirmed: false, tool_call: { id: waiting.tool_call.id } }],
    };
    return {
      path: `${path}/events`,
      call,
      json: answer,
      count: async () => 1 - (await read()).length,
    };
  },
} satisfies KeyedRequests;

export async function askAll(api: DocumentedApi): Promise<void> {
  const { tenant_id, call, agent_id, room, json } = await openRoom();
  const place = { room_id: room.id };
  await api.ask("createRoom", {}, { ...call, json });
  await api.ask(
    "createRoom",
    {},
    { ...call, json: { participants: [{ name: "a", agent_id: "x" }] } },
  );
  await api.ask("listRooms", {}, call);
  await api.ask("listRooms", { query: "?limit=0" }, call);
  await api.ask("readRoom", place, call);
  await api.ask("updateRoom", place, { ...call, json: { max_rounds: 2 } });
  const joining = { participant: { name: "bob", agent_id } };
  await api.ask("addRoomParticipant", place, { ...call, json: joining });
  await api.ask("addRoomParticipant", place, { ...call, json: joining });
  const foreign = { participant: { name: "eve", agent_id: "agt_none" } };
  await api.ask("addRoomParticipant", place, { ...call, json: foreign });
  await api.ask("removeRoomParticipant", { ...place, participant_name: "bob" }, call);
  const said = { id: "one", content: "Hello." };
  await api.ask("postRoomMessage", place, { ...call, json: said });
  await api.ask("postRoomMessage", place, { ...call, json: { ...said, content: "Other." } });
  await api.ask("listRoomMessages", place, call);
  await api.ask("listRoomMessages", { ...place, query: "?format=agentscope-1" }, call);
  await api.ask("listRoomMessages", { ...place, query: "?format=agentscope-java" }, call);
  await api.ask("readRoomEvents", place, call);
  await api.ask("readRoomEvents", { ...place, query: "?after=x" }, call);
  await api.ask("readRoomEvents", { ...place, query: "?after=9999999" }, call);
  await api.ask("listRoomInputs", {}, call);
  await api.ask("listRoomInputs", { query: "?page=x" }, call);
  await api.ask("answerRoomInput", place, { ...call, json: { content: "Yes." } });
  await api.ask("interruptRoom", place, { ...call, json: {} });
  const run = { threadId: room.id, runId: "run-1", messages: [] as object[] };
  const hello = { id: "two", role: "user", content: "Hello." };
  await api.ask("runRoomAgUi", place, { ...call, json: { ...run, messages: [hello] } });
  await api.ask("runRoomAgUi", place, { ...call, json: run });
  const other = { ...hello, content: "Other." };
  await api.ask("runRoomAgUi", place, { ...call, json: { ...run, messages: [other] } });
  const unknown = [{ interruptId: "none", status: "cancelled" }];
  await api.ask("runRoomAgUi", place, { ...call, json: { ...run, resume: unknown } });
  const { json: state } = await api.ask<RoomStateExport>("readRoomState", place, call);
  await api.ask("writeRoomState", place, { ...call, json: { ...state, agents: {} } });
  await api.ask("writeRoomState", place, { ...call, json: state });
  await askForRooms(api, { call, agent_id });
  await changeTenant(tenant_id, { quotas: { rooms: 0, sessions: 0 } });
  await api.ask("createRoom", {}, { ...call, json });
  const another = { participant: { name: "ida", agent_id } };
  await api.ask("addRoomParticipant", place, { ...call, json: another });
  await api.ask("deleteRoom", place, call);
  await api.ask("deleteRoom", place, call);
}
