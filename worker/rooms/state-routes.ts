// Export and import of a whole room, with each agent's state by name.
import { vouchedContent } from "../../agent/permission/vouched-content.ts";
import type { Once } from "../../durable-objects/api/session-api.ts";
import { readUrl } from "../../durable-objects/api/read-request.ts";
import { REFUSAL_HEADER } from "../../durable-objects/api/session-api.ts";
import type { Refusal } from "../../protocol/errors.ts";
import type { Room } from "../../protocol/rooms/contract.ts";
import {
  type RoomStateInput,
  RoomStateInputSchema,
  RoomStateQuerySchema,
} from "../../protocol/rooms/room-state.ts";
import { tenantStorage } from "../../storage/tenants/tenant-storage.ts";
import type { AppContext, RouteHandler } from "../app-env.ts";
import { audited } from "../audit/audit.ts";
import { actorOf } from "../auth/actor.ts";
import { requireBypass } from "../auth/require-bypass.ts";
import { requireScope } from "../auth/require-scope.ts";
import { fieldError, HttpError, unwrap } from "../http-error.ts";
import { pathId } from "../middleware/check-path.ts";
import { pathRoomStub, type RoomStub } from "../objects/room-stub.ts";
import { tenantOf } from "../principal.ts";
import { normalizeRoomStateBody } from "../requests/normalize-input.ts";
import { readBody } from "../requests/read-body.ts";
import { readQuery } from "../requests/read-query.ts";
import { wantedVersions } from "../requests/wanted-versions.ts";

const readRoomState: RouteHandler = async (context) => {
  requireScope(context, "permission_rules:read", "a state shows sessions' rules: reading it");
  return shownState(context, pathRoomStub(context));
};

const writeRoomState: RouteHandler = async (context) => {
  requireScope(context, "permission_rules:read", "a state shows sessions' rules: reading it");
  const { replace: is_replacing } = readQuery(context, RoomStateQuerySchema);
  const header = context.req.header("If-Match");
  if (is_replacing && header === undefined) {
    const detail =
      "a state takes the place of another one with `If-Match` alone: the room's newest cursor";
    throw fieldError("validation_failed", "#/headers/if-match", detail);
  }
  const if_cursors = wantedVersions(header);
  const state = await readBody(context, RoomStateInputSchema, normalizeRoomStateBody);
  for (const { permission_context } of Object.values(state.agents)) {
    requireBypass(context, permission_context?.mode);
  }
  const stub = pathRoomStub(context);
  checkNames(unwrap(await stub.read()), state);
  const actor = actorOf(context.get("principal"));
  const put = async (): Promise<Once<Room>> =>
    stub.putState({ state, is_replacing, ...(if_cursors && { if_cursors }) }, { actor });
  const act = {
    action: "room.state_imported",
    target: pathId(context, "room_id"),
    after: { replaced: is_replacing, vouched: vouchedOf(state) },
  } as const;
  const { participants } = unwrap(await audited(context, act, put));
  // Each agent has another session.
  const { rooms } = tenantStorage(context.env.DB, tenantOf(context));
  await rooms.settleMembers(act.target, participants);
  return shownState(context, stub);
};

/** Participants for whose tools' results the import vouches, which takes the question from calls of sinks. */
function vouchedOf({ agents }: RoomStateInput): readonly string[] {
  return Object.entries(agents).flatMap(([name, state]) =>
    vouchedContent(state) === null ? [] : name,
  );
}

/** Names are matched exactly: one that is missing or unknown is refused, where AgentScope's own sessions skip it. */
function checkNames({ participants }: Room, { agents }: RoomStateInput): void {
  const there = participants
    .filter(({ kind, left_at }) => kind === "agent" && left_at === null)
    .map(({ name }) => name);
  const unknown = Object.keys(agents).filter((name) => !there.includes(name));
  const missing = there.filter((name) => !Object.hasOwn(agents, name));
  if (unknown.length + missing.length === 0) return;
  const errors = [
    ...unknown.map((name) => ({
      pointer: `#/agents/${name}`,
      detail: "the room has no agent of this name",
    })),
    ...missing.map((name) => ({
      pointer: "#/agents",
      detail: `the state of ${name} is missing`,
    })),
  ];
  const detail = "the state has not exactly the agents of the room; see `errors`";
  throw new HttpError("participants_mismatch", detail, { errors });
}

/** The ETag is the room's cursor when the state was read, with which it may be replaced. */
async function shownState(context: AppContext, stub: RoomStub): Promise<Response> {
  const { cursor } = unwrap(await stub.read());
  const response = await stub.fetch(readUrl({ what: "state" }));
  if (response.headers.has(REFUSAL_HEADER)) {
    unwrap({ ok: false, refusal: await response.json<Refusal>() });
  }
  const headers = { "Content-Type": "application/json", ETag: `"${cursor}"` };
  if (context.req.method !== "HEAD") return new Response(response.body, { headers });
  // Cancels the body, which would stay open unread otherwise.
  await response.body?.cancel();
  return new Response(null, { headers });
}

export const roomStateRoutes = { readRoomState, writeRoomState };
