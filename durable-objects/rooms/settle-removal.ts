import type { RoomInit } from "../api/room-api.ts";
import type { OpenRoom } from "./open-room.ts";
import { removeParticipant } from "./open-participant.ts";
import type { RoomTable } from "./room-table.ts";
import { SpeechUsage } from "./speech-usage.ts";

interface Removal {
  readonly env: Env;
  readonly sql: SqlStorage;
  readonly table: RoomTable;
  readonly init: RoomInit;
  /** Null for a room that was not opened here. */
  readonly room: Pick<OpenRoom, "speechUsage"> | null;
}

/**
 * All that others have of a room, before its object is erased: the sessions of its agents are deleted, and D1 has the usage.
 * @throws when a session could not be deleted: as long as one is left, the room knows of it.
 */
export async function settleRemoval({ env, sql, table, init, room }: Removal): Promise<void> {
  const members = table.members().flatMap(({ session_id }) => session_id ?? []);
  for (const sessionId of [...members, ...table.spares()]) {
    await removeParticipant(env, init, sessionId);
  }
  const usage = room?.speechUsage ?? new SpeechUsage({ sql, database: env.DB, owner: init });
  await usage.close();
}
