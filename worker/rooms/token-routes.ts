// Client tokens of a room.
import {
  type MintedRoomToken,
  RoomTokenCreateSchema,
  type RoomToken,
  type RoomVerb,
  scopeOfRoomVerb,
} from "../../protocol/rooms/room-tokens.ts";
import { PageQuerySchema } from "../../protocol/schemas/common.ts";
import { signToken } from "../../storage/secrets/signed-token.ts";
import type { AppContext, RouteHandler } from "../app-env.ts";
import { fieldError, HttpError, unwrap } from "../http-error.ts";
import { pathId } from "../middleware/check-path.ts";
import { newId } from "../new-id.ts";
import { pathRoomStub } from "../objects/room-stub.ts";
import { cutIdOf, keyEndMs, scopesOf, tenantOf } from "../principal.ts";
import { keepOutcome } from "../requests/keep-answer.ts";
import { readBody } from "../requests/read-body.ts";
import { readQuery } from "../requests/read-query.ts";

const MILLISECONDS_PER_SECOND = 1_000;

/** Registered in the room first: a token that the room does not know is refused. */
const createRoomToken: RouteHandler = async (context) => {
  const wanted = await readBody(context, RoomTokenCreateSchema);
  const { participant = null } = wanted;
  const verbs = [...new Set(wanted.verbs)];
  checkScopes(context, wanted.verbs);
  const mayTalk = verbs.includes("reply") || verbs.includes("speak");
  if (participant === null && mayTalk) {
    const detail = "a token that may speak names the `participant` as whom it speaks";
    throw fieldError("validation_failed", "#/participant", detail);
  }
  const principal = context.get("principal");
  if (principal.kind !== "tenant") {
    throw new HttpError("insufficient_scope", "this route takes a tenant's API key");
  }
  const stub = pathRoomStub(context);
  if (participant !== null) await checkPerson(stub, participant);
  const nowMs = Date.now();
  const wantedMs = nowMs + wanted.ttl_seconds * MILLISECONDS_PER_SECOND;
  const expiresMs = Math.min(wantedMs, keyEndMs(principal));
  const shown: MintedRoomToken = {
    id: newId("tok"),
    room_id: pathId(context, "room_id"),
    participant,
    verbs,
    allowed_origins: wanted.allowed_origins ?? null,
    created_at: new Date(nowMs).toISOString(),
    expires_at: new Date(expiresMs).toISOString(),
    key_id: cutIdOf(principal),
  };
  const { room_id: _, ...record } = shown;
  unwrap(await stub.addToken(record));
  await keepOutcome(context, { status: 201, body: shown });
  const token = await signToken(
    "room_token",
    {
      token_id: shown.id,
      tenant_id: tenantOf(context),
      room_id: shown.room_id,
      participant,
      verbs,
      allowed_origins: shown.allowed_origins,
      key_id: shown.key_id,
      exp: expiresMs,
    },
    context.env.KEY_PEPPER,
  );
  return context.json({ ...shown, token } satisfies RoomToken, 201);
};

async function checkPerson(
  stub: ReturnType<typeof pathRoomStub>,
  participant: string,
): Promise<void> {
  const { participants } = unwrap(await stub.read());
  const found = participants.find(({ name }) => name === participant);
  if (found?.kind === "person" && found.left_at === null) return;
  const detail =
    found === undefined
      ? "the room has no such participant"
      : `a token speaks as a person who takes part; ${participant} ${found.kind === "agent" ? "is an agent" : "has left"}`;
  throw fieldError("conflict", "#/participant", detail);
}

/** @throws HttpError `insufficient_scope` with each verb whose scope the key lacks. */
function checkScopes(context: AppContext, verbs: readonly RoomVerb[]): void {
  const held = scopesOf(context.get("principal"));
  const errors = verbs.flatMap((verb, index) => {
    const scope = scopeOfRoomVerb(verb);
    if (held.includes(scope)) return [];
    return [{ pointer: `#/verbs/${index}`, detail: `the API key lacks ${scope}` }];
  });
  if (errors.length === 0) return;
  throw new HttpError("insufficient_scope", "a token gets no verb whose scope its maker lacks", {
    errors,
  });
}

const listRoomTokens: RouteHandler = async (context) =>
  context.json(unwrap(await pathRoomStub(context).listTokens(readQuery(context, PageQuerySchema))));

/** Ends the token's open streams. Idempotent. */
const revokeRoomToken: RouteHandler = async (context) => {
  unwrap(await pathRoomStub(context).revokeToken(pathId(context, "room_token_id")));
  return context.body(null, 204);
};

export const roomTokenRoutes = { createRoomToken, listRoomTokens, revokeRoomToken };
