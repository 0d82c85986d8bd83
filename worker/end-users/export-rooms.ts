// The rooms of an end user in an export, with what the end user has said there, in pages of a bounded number of requests.
import { readUrl } from "../../durable-objects/api/read-request.ts";
import { REFUSAL_HEADER } from "../../durable-objects/api/session-api.ts";
import type { EndUserExportLine } from "../../protocol/end-users/contract.ts";
import { EXPORTED_ROOM_PAGES, EXPORTED_ROOMS_AT_ONCE } from "../../protocol/end-users/limits.ts";
import { isId } from "../../protocol/ids.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import { MAX_PAGE_LIMIT } from "../../protocol/requests/limits.ts";
import type { Page } from "../../protocol/schemas/common.ts";
import { tenantStorage } from "../../storage/tenants/tenant-storage.ts";
import type { AppContext } from "../app-env.ts";
import { roomStub } from "../objects/room-stub.ts";
import { tenantOf } from "../principal.ts";

/** Behind a room, and behind a page of the messages of the next one: empty where there is none. */
export interface RoomPlace {
  readonly before: string;
  readonly room: string;
  readonly messages: string;
}

const NONE = "-";
const BEGINNING: RoomPlace = { before: "", room: "", messages: "" };

/** The text of a page token. */
export function roomPlaceKey({ before, room, messages }: RoomPlace): string {
  return ["rooms", ...[before, room, messages].map((part) => part || NONE)].join(" ");
}

/** Null for a text of another form. */
export function readRoomPlace(text: string): RoomPlace | null {
  const [word, before = "", room = "", messages = "", ...more] = text.split(" ");
  if (word !== "rooms" || more.length > 0) return null;
  const isRoom = (id: string): boolean => id === NONE || isId("room", id);
  if (!isRoom(before) || !isRoom(room)) return null;
  const partOf = (part: string): string => (part === NONE ? "" : part);
  return { before: partOf(before), room: partOf(room), messages: partOf(messages) };
}

/** Words of others in the rooms are theirs. @returns where the next page goes on; null at the end. */
export async function* exportRooms(
  context: AppContext,
  endUserId: string,
  from: RoomPlace = BEGINNING,
): AsyncGenerator<EndUserExportLine[], RoomPlace | null> {
  const tenantId = tenantOf(context);
  const { rooms } = tenantStorage(context.env.DB, tenantId);
  let { before } = from;
  let pages = EXPORTED_ROOM_PAGES;
  for (;;) {
    const asked = { endUserId, limit: EXPORTED_ROOMS_AT_ONCE, ...(before && { before }) };
    const { data, has_more } = await rooms.list(asked);
    for (const room of data) {
      const names = new Set(await rooms.namesOf(room.id, endUserId));
      let page = room.id === from.room ? from.messages : "";
      if (page === "")
        yield [{ type: "room", room: { ...room, participants: [...room.participants] } }];
      do {
        if (pages === 0) return { before, room: room.id, messages: page };
        pages -= 1;
        const found = await readMessages(context, room.id, page);
        if (!found) break;
        yield found.data
          .filter(({ name }) => names.has(name))
          .map((message) => ({ type: "room_message", room_id: room.id, message }) as const);
        page = found.next_page ?? "";
      } while (page !== "");
      before = room.id;
    }
    if (!has_more) return null;
  }
}

/** Null for a room that is deleted meanwhile. */
async function readMessages(
  context: AppContext,
  roomId: string,
  page: string,
): Promise<Page<Msg> | null> {
  const read = { what: "messages", limit: MAX_PAGE_LIMIT, ...(page && { page }) } as const;
  const response = await roomStub(context.env, tenantOf(context), roomId).fetch(readUrl(read));
  if (!response.headers.has(REFUSAL_HEADER)) return response.json<Page<Msg>>();
  await response.body?.cancel();
  return null;
}
