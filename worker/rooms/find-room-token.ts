// Authenticates client tokens of rooms: signed, for one room, a set of verbs and one participant, revocable by the room.
import { keyPepperOf } from "../../storage/secrets/deployment-secrets.ts";
import { openToken, type RoomTokenClaims } from "../../storage/secrets/signed-token.ts";
import type { AppContext } from "../app-env.ts";
import { admitTenant } from "../auth/admit-tenant.ts";
import { checkOrigin, checkVerb } from "../auth/check-token.ts";
import { unauthenticated } from "../auth/unauthenticated.ts";
import { HttpError, notFound } from "../http-error.ts";
import { roomStub } from "../objects/room-stub.ts";
import type { Principal } from "../principal.ts";
import { limitApp, limitUnauthenticated } from "../requests/rate-limit.ts";

export const ROOM_TOKEN_START = "rm_";

/**
 * The room's object is asked last, and only for tokens with a valid signature.
 * @throws HttpError 401 when it is forged, expired or revoked; 403 for another origin or a missing verb; 404 for another
 *   room, and for whatever is no room.
 */
export async function findRoomToken(context: AppContext, token: string): Promise<Principal> {
  const { env } = context;
  const opened = await openToken("room_token", token, keyPepperOf(env), Date.now());
  if (!opened.ok) {
    await limitUnauthenticated(context);
    throw unauthenticated(
      opened.reason === "expired"
        ? "the room's client token has expired; ask your server for a new one"
        : "the room's client token is mistyped, cut off or was changed: its signature does not fit",
    );
  }
  return admitRoomClaims(context, opened.claims);
}

/**
 * Checks the claims of a token, or of a ticket minted with it, against this request.
 * @throws HttpError as {@link findRoomToken}.
 */
export async function admitRoomClaims(
  context: AppContext,
  claims: RoomTokenClaims,
): Promise<Principal> {
  const { env } = context;
  const admission = await admitTenant(env, claims.tenant_id, claims.key_id);
  const handedOut = { kind: "client token", id: claims.token_id } as const;
  await limitApp(context, claims.tenant_id, handedOut, admission?.quotas.requests);
  const { verb } = context.get("route");
  if (verb === undefined) {
    throw new HttpError("insufficient_scope", "this route takes no client token");
  }
  checkOrigin(context, claims.allowed_origins);
  if (context.req.param("room_id") !== claims.room_id) throw notFound("resource");
  checkVerb(verb, claims.verbs);
  const room = roomStub(env, claims.tenant_id, claims.room_id);
  if (!(await room.admitsToken(claims.token_id))) {
    throw unauthenticated("the room's client token was revoked");
  }
  return {
    kind: "room_token",
    tenantId: claims.tenant_id,
    roomId: claims.room_id,
    participant: claims.participant,
    tokenId: claims.token_id,
    verbs: claims.verbs,
    claims,
  };
}
