// Routes on rooms: their rows are in D1 before their objects, so that whoever erases finds them.
import type { RoomInit, RoomPatch } from "../../durable-objects/api/room-api.ts";
import type { Once } from "../../durable-objects/api/session-api.ts";
import type { Result } from "../../protocol/errors.ts";
import {
  type Room,
  type RoomCreate,
  RoomCreateSchema,
  RoomListQuerySchema,
  RoomUpdateSchema,
} from "../../protocol/rooms/contract.ts";
import { exceededQuota } from "../../storage/quotas/exceeded-quota.ts";
import { tenantStorage } from "../../storage/tenants/tenant-storage.ts";
import type { AppContext, RouteHandler } from "../app-env.ts";
import { audited, auditFor } from "../audit/audit.ts";
import { unauthenticated } from "../auth/unauthenticated.ts";
import { notFound, unwrap } from "../http-error.ts";
import { pathId } from "../middleware/check-path.ts";
import { newId, nowTimestamp } from "../new-id.ts";
import { pathRoomStub, roomStub } from "../objects/room-stub.ts";
import { tenantOf } from "../principal.ts";
import { keepOutcome } from "../requests/keep-answer.ts";
import { publicOrigin } from "../requests/public-origin.ts";
import { readBody } from "../requests/read-body.ts";
import { readQuery, toListRequest } from "../requests/read-query.ts";
import { checkAgent, checkParticipant } from "./check-participants.ts";
import { checkRoomVoice } from "./check-room-voice.ts";
import { eraseRoom } from "./erase-rooms.ts";
import { membersOf } from "./member-of.ts";
import { requestKeyOf } from "./request-key.ts";
import { shownRoom } from "./shown-room.ts";

const createRoom: RouteHandler = async (context) => {
  const wanted = await readBody(context, RoomCreateSchema);
  const participants: RoomInit["participants"][number][] = [];
  for (const [index, participant] of wanted.participants.entries()) {
    participants.push(await checkParticipant(context, participant, `#/participants/${index}`));
  }
  if (wanted.turns.order === "moderated") {
    await checkAgent(context, wanted.turns.moderator, "#/turns/moderator");
  }
  await checkRoomVoice(context, wanted.voice);
  const { rooms } = tenantStorage(context.env.DB, tenantOf(context));
  const request_key = await requestKeyOf(context);
  const begun = request_key === null ? null : await rooms.findByRequest(request_key);
  const { id, created_at } = begun ?? { id: newId("room"), created_at: nowTimestamp() };
  const init = initOf(context, { ...wanted, participants }, { id, created_at });
  const act = {
    action: "room.created",
    target: id,
    // An audit outlives end users, so it names none.
    after: { agents: participants.flatMap((one) => (one.kind === "agent" ? one.agent_id : [])) },
  } as const;
  if (!begun) {
    const row = { id, created_at, request_key, ...rowOf(init) };
    if (!(await rooms.insert(row, membersOf(participants, init.turns, created_at)))) {
      throw unauthenticated("the key is not valid any more");
    }
  }
  const open = async (): Promise<Once<Room>> => {
    const made = await roomStub(context.env, init.tenant_id, id).create(init);
    if (!made.ok) await rooms.remove(id);
    return made;
  };
  const room = unwrap(
    await audited(context, act, open).catch(async (error: unknown) => {
      // Its entry in the audit had no room, so nothing was made.
      if (exceededQuota(error)) await rooms.remove(id);
      throw error;
    }),
  );
  await rooms.settleMembers(id, room.participants);
  const location = `/v1/rooms/${id}`;
  const shown = shownRoom(context.get("principal"), room);
  await keepOutcome(context, { status: 201, location, body: shown });
  return context.json(shown, 201, { Location: location });
};

function initOf(
  context: AppContext,
  { title, metadata, announcement, turns, participants, voice, ...bounds }: RoomCreate,
  { id, created_at }: Pick<Room, "id" | "created_at">,
): RoomInit {
  return {
    room_id: id,
    tenant_id: tenantOf(context),
    created_at,
    title: title ?? null,
    metadata,
    participants,
    turns,
    announcement: announcement ?? null,
    bounds,
    ...(voice && { voice }),
    origin: publicOrigin(context),
  };
}

function rowOf({
  title,
  metadata,
  turns,
}: RoomInit): Pick<RoomInit, "title" | "metadata" | "turns"> {
  return { title, metadata, turns };
}

const listRooms: RouteHandler = async (context) => {
  const { agent_id, end_user_id, ...page } = readQuery(context, RoomListQuerySchema);
  const { rooms } = tenantStorage(context.env.DB, tenantOf(context));
  const request = { ...toListRequest("room", page), agentId: agent_id, endUserId: end_user_id };
  return context.json(await rooms.list(request));
};

const readRoom: RouteHandler = async (context) =>
  context.json(unwrap(await pathRoomStub(context).read()));

/** The row comes first, because a quota may refuse it; the object refuses nothing. If either fails, the request can be repeated. */
const updateRoom: RouteHandler = async (context) => {
  const { title, metadata, ...bounds } = await readBody(context, RoomUpdateSchema);
  const stub = pathRoomStub(context);
  const hasBounds = Object.keys(bounds).length > 0;
  const change = { ...(title !== undefined && { title }), ...(metadata && { metadata }) };
  if (Object.keys(change).length > 0) {
    const { rooms } = tenantStorage(context.env.DB, tenantOf(context));
    if (!(await rooms.update(pathId(context, "room_id"), change))) throw notFound("room");
  }
  const patch: RoomPatch = { ...change, ...(hasBounds && { bounds: definedOf(bounds) }) };
  const update = async (): Promise<Result<Room>> => stub.update(patch);
  const room = unwrap(await (hasBounds ? changeBounds(context, stub, update) : update()));
  return context.json(shownRoom(context.get("principal"), room));
};

type Bounds = RoomInit["bounds"];

function definedOf(bounds: { readonly [Name in keyof Bounds]?: Bounds[Name] | undefined }) {
  return Object.fromEntries(
    Object.entries(bounds).filter(([, value]) => value !== undefined),
  ) as Partial<Bounds>;
}

/** Bounds say what a discussion may cost, so that a change of them is an administrative act. */
async function changeBounds(
  context: AppContext,
  stub: ReturnType<typeof pathRoomStub>,
  update: () => Promise<Result<Room>>,
): Promise<Result<Room>> {
  const room = unwrap(await stub.read());
  const before = boundsOf(room);
  const target = room.id;
  let after = before;
  const act = { action: "room.bounds_changed", target, before } as const;
  const run = async (): Promise<Once<Room>> => {
    const changed = await update();
    if (changed.ok) after = boundsOf(changed.value);
    return changed;
  };
  const isAct = () => JSON.stringify(after) !== JSON.stringify(before);
  return audited(context, act, run, isAct);
}

function boundsOf({ max_rounds, max_tokens, max_ms, turn_timeout_ms }: Room): Bounds {
  return { max_rounds, max_tokens, max_ms, turn_timeout_ms };
}

/** The room is gone from the first step on; the sweep does what this request does not finish. */
const deleteRoom: RouteHandler = async (context) => {
  const [tenant_id, id] = [tenantOf(context), pathId(context, "room_id")];
  const { rooms } = tenantStorage(context.env.DB, tenant_id);
  const audit = auditFor(context, { action: "room.deleted", target: id });
  if (!(await rooms.beginRemoval(id, nowTimestamp(), audit))) throw notFound("room");
  await eraseRoom(context.env, { id, tenant_id }).catch((error: unknown) =>
    console.warn("room: it was not erased; the sweep will", { error: String(error) }),
  );
  return context.body(null, 204);
};

export const roomRoutes = { createRoom, listRooms, readRoom, updateRoom, deleteRoom };
