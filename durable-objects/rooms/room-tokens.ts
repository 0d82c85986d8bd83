// Client tokens of a room: a session's, with the participant as whom each speaks.
import { accept, refuse, type Result } from "../../protocol/errors.ts";
import { isId } from "../../protocol/ids.ts";
import type { MintedRoomToken, RoomVerb } from "../../protocol/rooms/room-tokens.ts";
import type { Page } from "../../protocol/schemas/common.ts";
import type { PageRequest } from "../api/page-requests.ts";
import type { RoomTokenRecord } from "../api/room-api.ts";
import type { OpenRoom } from "./open-room.ts";

/** @returns `unauthenticated` when the key that mints it was revoked. */
export function addToken(room: OpenRoom, token: RoomTokenRecord): Result<RoomTokenRecord> {
  const { tokens, table, state, subscribers, transaction } = room;
  // A Worker may accept a revoked key for a while, because it caches keys.
  if (token.key_id && subscribers.isKeyCut(token.key_id)) {
    return refuse("unauthenticated", "the API key was revoked");
  }
  const { participant } = token;
  const isPerson = state.members.some(
    ({ name, kind }) => name === participant && kind === "person",
  );
  if (participant !== null && !isPerson) {
    const detail = `no person of this room is ${participant}`;
    return refuse("validation_failed", detail, { errors: [{ pointer: "#/participant", detail }] });
  }
  transaction(() => {
    tokens.add(token, Date.now());
    table.setTokenParticipant(token.id, participant);
  });
  return accept(token);
}

/** The valid ones, newest first. */
export function listTokens(
  { tokens, table, init }: OpenRoom,
  { page, limit }: PageRequest,
): Result<Page<MintedRoomToken>> {
  if (page !== undefined && !isId("tok", page)) {
    const detail = "the page token is not one of this list's";
    return refuse("validation_failed", detail, { errors: [{ pointer: "#/query/page", detail }] });
  }
  const found = tokens.live(page ?? null, limit + 1, Date.now());
  const data = found.slice(0, limit).map((token): MintedRoomToken => {
    const { id, verbs, created_at, key_id } = token;
    return {
      ...token,
      room_id: init.room_id,
      participant: table.tokenParticipant(id),
      verbs: (verbs ?? []) as RoomVerb[],
      created_at: created_at ?? "",
      key_id: key_id ?? "",
    };
  });
  const has_more = found.length > limit;
  return accept({ data, has_more, next_page: (has_more && data.at(-1)?.id) || null });
}

export function revokeToken({ tokens, subscribers }: OpenRoom, tokenId: string): Result<null> {
  if (!tokens.revoke(tokenId, Date.now())) {
    return refuse("not_found", `this room has no client token ${tokenId}`);
  }
  subscribers.cut(tokenId);
  return accept(null);
}
