// Joining and leaving.
import type { Once } from "../../durable-objects/api/session-api.ts";
import type { Room } from "../../protocol/rooms/contract.ts";
import { ParticipantCreateSchema } from "../../protocol/rooms/participants.ts";
import { exceededQuota } from "../../storage/quotas/exceeded-quota.ts";
import { tenantStorage } from "../../storage/tenants/tenant-storage.ts";
import type { RouteHandler } from "../app-env.ts";
import { audited } from "../audit/audit.ts";
import { unwrap } from "../http-error.ts";
import { pathId } from "../middleware/check-path.ts";
import { nowTimestamp } from "../new-id.ts";
import { pathRoomStub } from "../objects/room-stub.ts";
import { tenantOf } from "../principal.ts";
import { keepOutcome } from "../requests/keep-answer.ts";
import { readBody } from "../requests/read-body.ts";
import { checkParticipant } from "./check-participants.ts";
import { memberOf } from "./member-of.ts";
import { shownRoom } from "./shown-room.ts";

/** The row is written first: an end user who is about to join is found by an erasure. */
const addRoomParticipant: RouteHandler = async (context) => {
  const { participant, history } = await readBody(context, ParticipantCreateSchema);
  const checked = await checkParticipant(context, participant, "#/participant");
  const target = pathId(context, "room_id");
  const { rooms } = tenantStorage(context.env.DB, tenantOf(context));
  const stub = pathRoomStub(context);
  // A room that is not there gets no row.
  const before = unwrap(await stub.read());
  const isKnown = before.participants.some(({ name }) => name === checked.name);
  if (!isKnown) await rooms.addMember(target, memberOf(checked, nowTimestamp()));
  const add = async (): Promise<Once<Room>> => {
    const added = await stub.addParticipant({ participant: checked, history });
    if (!added.ok && !isKnown) await rooms.dropMember(target, checked.name);
    return added;
  };
  const agent = checked.kind === "agent" ? { agent_id: checked.agent_id } : {};
  const after = { kind: checked.kind, ...agent };
  const act = { action: "room_participant.added", target, after } as const;
  const room = unwrap(
    await audited(context, act, add).catch(async (error: unknown) => {
      // Its entry in the audit had no room, so nobody has joined.
      if (exceededQuota(error) && !isKnown) await rooms.dropMember(target, checked.name);
      throw error;
    }),
  );
  await rooms.settleMembers(target, room.participants);
  const shown = shownRoom(context.get("principal"), room);
  await keepOutcome(context, { status: 201, body: shown });
  return context.json(shown, 201);
};

const removeRoomParticipant: RouteHandler = async (context) => {
  const target = pathId(context, "room_id");
  const stub = pathRoomStub(context);
  const remove = async (): Promise<Once<Room>> =>
    stub.removeParticipant(pathId(context, "participant_name"));
  const act = { action: "room_participant.deleted", target } as const;
  const room = unwrap(await audited(context, act, remove));
  const { rooms } = tenantStorage(context.env.DB, tenantOf(context));
  await rooms.settleMembers(target, room.participants);
  return context.body(null, 204);
};

export const roomParticipantRoutes = { addRoomParticipant, removeRoomParticipant };
