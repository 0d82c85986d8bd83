import type { TenantNotification } from "../api/tenant-api.ts";
import { interruptRoom } from "./interrupt-room.ts";
import type { OpenRoom } from "./open-room.ts";

/** Closes streams, revokes tokens and ends what runs, as the tenant's object says. */
export function notifyRoom(
  room: OpenRoom,
  { cut_keys = [], with_tokens, stopped }: TenantNotification,
): void {
  const { tokens, subscribers, inBackground } = room;
  const nowMs = Date.now();
  const cut = with_tokens ? tokens.revokeOf(cut_keys, nowMs) : [];
  for (const id of cut) subscribers.cut(id);
  for (const id of cut_keys) subscribers.cutKey(id, nowMs);
  if (!stopped) return;
  subscribers.cutAll();
  inBackground(interruptRoom(room, {}));
}
