// Routes on rooms, their participants and their state.
import type { Contract, DocumentedRoute } from "../requests/contract.ts";
import {
  RoomCreateSchema,
  RoomListQuerySchema,
  RoomPageSchema,
  RoomSchema,
  RoomUpdateSchema,
  WrittenRoomSchema,
} from "./contract.ts";
import { ROOM_CONVERSATION_ROUTES } from "./conversation-routes.ts";
import {
  JOINING,
  NEW_ROOM,
  NEW_ROOM_MESSAGE,
  NEW_ROOM_STREAM_TICKET,
  NEW_ROOM_TOKEN,
  ROOM,
  ROOM_EVENTS,
  ROOM_INPUT,
  ROOM_INTERRUPT,
  ROOM_MESSAGE_RECEIPT,
  ROOM_RUN,
  ROOM_STREAM_TICKET,
  ROOM_TOKEN,
} from "./examples.ts";
import { ParticipantCreateSchema } from "./participants.ts";
import { RoomStateExportSchema, RoomStateInputSchema, RoomStateQuerySchema } from "./room-state.ts";
import { ROOM_VOICE_ROUTES } from "./voice-routes.ts";
import { ROOM_WORDS } from "./words.ts";

const ROOMS = "/v1/rooms";

const ROOM_ROUTES = [
  {
    name: "createRoom",
    method: "POST",
    path: ROOMS,
    access: "rooms:write",
    keeps_keys: "database",
    body: "json",
    tag: "Rooms",
    summary: "Create a room",
    description: [
      "Each agent gets a session of its own, which counts in the quota `sessions` and takes its replies from the room",
      "alone. A room is quiet until a person says something.",
    ].join(" "),
    request: { json: RoomCreateSchema, examples: ["newRoom"] },
    answers: {
      201: {
        description: "The room.",
        json: WrittenRoomSchema,
        headers: ["Location"],
        examples: ["room"],
      },
    },
    errors: ["not_found", "conflict", "voice_off", "quota_exceeded"],
  },
  {
    name: "listRooms",
    method: "GET",
    path: ROOMS,
    access: "rooms:read",
    body: "none",
    tag: "Rooms",
    summary: "List rooms",
    description: "Newest first; those of one agent or one end user with a filter.",
    query: RoomListQuerySchema,
    queryDescriptions: {
      agent_id: "Only rooms in which this agent takes part, or which it moderates.",
      end_user_id: "Only rooms in which this end user takes part.",
    },
    answers: { 200: { description: "A page of rooms.", json: RoomPageSchema } },
  },
  {
    name: "readRoom",
    method: "GET",
    path: `${ROOMS}/{room_id}`,
    access: "rooms:read",
    verb: "read",
    body: "none",
    tag: "Rooms",
    summary: "Get a room",
    description: "Its participants, what goes on, and what waits for a person.",
    answers: { 200: { description: "The room.", json: RoomSchema, examples: ["room"] } },
  },
  {
    name: "updateRoom",
    method: "PATCH",
    path: `${ROOMS}/{room_id}`,
    access: "rooms:write",
    body: "small",
    tag: "Rooms",
    summary: "Update a room",
    description: "Title, labels and bounds; what is left out stays.",
    request: { json: RoomUpdateSchema, examples: ["roomBounds"] },
    answers: { 200: { description: "The room as it is now.", json: RoomSchema } },
  },
  {
    name: "deleteRoom",
    method: "DELETE",
    path: `${ROOMS}/{room_id}`,
    access: "rooms:write",
    body: "none",
    tag: "Rooms",
    summary: "Delete a room",
    description:
      "Ends what goes on and its streams, and erases what was said, with the sessions of its agents. After a 503 send the same request again.",
    answers: { 204: { description: "The room is erased." } },
  },
  {
    name: "addRoomParticipant",
    method: "POST",
    path: `${ROOMS}/{room_id}/participants`,
    access: "rooms:write",
    keeps_keys: "database",
    body: "small",
    tag: "Rooms",
    summary: "Let somebody join a room",
    description: [
      "An agent or a person, also while a discussion goes on: the first turn comes in the next round. `history` says",
      "whether an agent is told what was said before. Somebody who has left joins again under another name.",
    ].join(" "),
    request: { json: ParticipantCreateSchema, examples: ["joining"] },
    answers: { 201: { description: "The room as it is now.", json: WrittenRoomSchema } },
    errors: ["not_found", "conflict", "voice_off", "quota_exceeded"],
  },
  {
    name: "removeRoomParticipant",
    method: "DELETE",
    path: `${ROOMS}/{room_id}/participants/{participant_name}`,
    access: "rooms:write",
    body: "none",
    tag: "Rooms",
    summary: "Let somebody leave a room",
    description:
      "A turn of theirs ends; what they have said stays. An agent's session can be read until the room is deleted.",
    answers: { 204: { description: "The participant has left." } },
  },
  ...ROOM_CONVERSATION_ROUTES,
  ...ROOM_VOICE_ROUTES,
  {
    name: "readRoomState",
    method: "GET",
    path: `${ROOMS}/{room_id}/state`,
    access: "rooms:read",
    body: "none",
    tag: "Rooms",
    summary: "Export a room",
    description:
      "What was said, and each agent's state by the name of its participant, in AgentScope's format. The `ETag` is the cursor. Needs `permission_rules:read` too.",
    answers: {
      200: { description: "The state.", json: RoomStateExportSchema, headers: ["ETag"] },
    },
    errors: ["room_busy"],
  },
  {
    name: "writeRoomState",
    method: "PUT",
    path: `${ROOMS}/{room_id}/state`,
    access: "rooms:write",
    body: "media",
    tag: "Rooms",
    summary: "Import a room",
    description: [
      "Into a room in which nothing was said; with `?replace=true` in place of what was said, for which `If-Match` has to be",
      "the room's newest cursor. The names of `agents` are exactly those of the room's agents. Permission that differs needs",
      "`permission_rules:write` too.",
    ].join(" "),
    query: RoomStateQuerySchema,
    headers: ["If-Match"],
    request: { json: RoomStateInputSchema, examples: ["roomState"] },
    answers: {
      200: {
        description: "The state as the room has it now.",
        json: RoomStateExportSchema,
        headers: ["ETag"],
      },
    },
    errors: ["room_busy", "conflict", "participants_mismatch", "version_mismatch"],
  },
] as const satisfies readonly DocumentedRoute[];

export const ROOM_CONTRACT = {
  tags: { Rooms: "Several agents and people in one conversation." },
  routes: ROOM_ROUTES,
  pathParameters: {
    room_id: { form: "room", description: "The room." },
    room_token_id: { form: "tok", description: "The client token; its id, not the token itself." },
    participant_name: { form: "chosen", description: "The participant's name." },
  },
  queryParameters: {
    room_id: "Of this room.",
    participant: "The person who speaks; needed where a room has several people.",
  },
  fields: ROOM_WORDS,
  examples: {
    newRoom: { summary: "Two agents and a person", value: NEW_ROOM },
    room: { summary: "Two agents and a person", value: ROOM },
    roomBounds: {
      summary: "Shorter discussions",
      value: { max_rounds: 3, turn_timeout_ms: 600_000 },
    },
    joining: { summary: "An agent that joins", value: JOINING },
    newRoomMessage: { summary: "A person's message", value: NEW_ROOM_MESSAGE },
    roomMessageReceipt: { summary: "A person's message", value: ROOM_MESSAGE_RECEIPT },
    roomEventStream: { summary: "A piece of what an agent says", value: ROOM_EVENTS },
    roomInput: { summary: "The values of a form", value: ROOM_INPUT },
    roomInterrupt: { summary: "The turn of one agent", value: ROOM_INTERRUPT },
    roomRun: { summary: "What a person says", value: ROOM_RUN },
    newRoomToken: { summary: "For Mia's browser", value: NEW_ROOM_TOKEN },
    roomToken: { summary: "For Mia's browser", value: ROOM_TOKEN },
    newRoomStreamTicket: {
      summary: "For an EventSource that stays with the room",
      value: NEW_ROOM_STREAM_TICKET,
    },
    roomStreamTicket: {
      summary: "For an EventSource that stays with the room",
      value: ROOM_STREAM_TICKET,
    },
    roomState: {
      summary: "Two agents that have been told nothing yet",
      value: { messages: [], agents: { desk: {}, reviewer: {} } },
    },
  },
} as const satisfies Contract;
