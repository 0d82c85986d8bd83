import type {
  ListedRoomInput,
  Room,
  RoomCreateSchema,
  RoomSummary,
  RoomUpdateSchema,
  WrittenRoom,
} from "../../protocol/rooms/contract.ts";
import { collection, type Collection } from "../resources/collection.ts";
import type { RequestOptions } from "../transport/api-request.ts";
import type { InputOf } from "../transport/input-of.ts";
import type { ListQuery, Paged } from "../transport/paged.ts";
import type { Transport } from "../transport/transport.ts";
import { TenantRoom } from "./tenant-room.ts";

export interface RoomFilter extends ListQuery {
  readonly agent_id?: string;
  readonly end_user_id?: string;
}

type RoomUpdate = InputOf<typeof RoomUpdateSchema>;
type Rest = Collection<Room, InputOf<typeof RoomCreateSchema>, WrittenRoom, RoomUpdate>;

/** Rooms of several agents and people. */
export interface Rooms extends Omit<Rest, "create" | "list"> {
  /** Creates a room and returns its handle. */
  create(room: InputOf<typeof RoomCreateSchema>, options?: RequestOptions): Promise<TenantRoom>;
  /** Newest first. */
  list(query?: RoomFilter, options?: RequestOptions): Paged<RoomSummary>;
  /** Turns of people for which rooms wait, of all rooms, oldest first. */
  inputs(
    query?: ListQuery & { readonly room_id?: string; readonly end_user_id?: string },
    options?: RequestOptions,
  ): Paged<ListedRoomInput>;
}

export function roomsOf(transport: Transport): Rooms {
  const rooms = collection<Room, InputOf<typeof RoomCreateSchema>, WrittenRoom, RoomUpdate>(
    transport,
    "rooms",
  );
  return {
    ...rooms,
    create: async (room, options) =>
      new TenantRoom(transport, (await rooms.create(room, options)).id),
    list: (query, options) => transport.list(["rooms"], query, options),
    inputs: (query, options) => transport.list(["room-inputs"], query, options),
  };
}
