// A room with all that an API key may do there, beside what a client token may.
import type { WrittenRoom } from "../../protocol/rooms/contract.ts";
import type { ParticipantCreateSchema } from "../../protocol/rooms/participants.ts";
import type { RoomStateExport, RoomStateInputSchema } from "../../protocol/rooms/room-state.ts";
import type {
  MintedRoomToken,
  RoomToken,
  RoomTokenCreateSchema,
} from "../../protocol/rooms/room-tokens.ts";
import type { RequestOptions } from "../transport/api-request.ts";
import type { InputOf } from "../transport/input-of.ts";
import type { ListQuery, Paged } from "../transport/paged.ts";
import type { Transport } from "../transport/transport.ts";
import { createSecretAt, deleteAt, postTo } from "../transport/write-requests.ts";
import { RoomHandle } from "./room-handle.ts";

type ParticipantBody = InputOf<typeof ParticipantCreateSchema>;

/** Client tokens, with which an app may use one room as one participant. */
export interface RoomTokens {
  /** The answer is the only one that contains the token itself. */
  create(
    token: InputOf<typeof RoomTokenCreateSchema>,
    options?: RequestOptions,
  ): Promise<RoomToken>;
  /** The valid tokens of the room, newest first, without the tokens themselves. */
  list(query?: ListQuery, options?: RequestOptions): Paged<MintedRoomToken>;
  /** Also closes the streams opened with it. */
  revoke(tokenId: string, options?: RequestOptions): Promise<void>;
}

/** The state of a whole room, with each agent's by its name. */
export interface RoomStates {
  save(options?: RequestOptions): Promise<RoomStateExport>;
  /**
   * Into a room in which nothing was said.
   * @param options.replaceAt The room's newest cursor: takes the place of what was said up to there.
   */
  load(
    state: InputOf<typeof RoomStateInputSchema>,
    options?: RequestOptions & { readonly replaceAt?: number },
  ): Promise<RoomStateExport>;
}

export class TenantRoom extends RoomHandle {
  readonly tokens: RoomTokens;
  readonly state: RoomStates;
  readonly #participants: readonly string[];
  readonly #transport: Transport;

  constructor(transport: Transport, id: string) {
    super(transport, id);
    const [tokens, state] = [
      ["rooms", id, "tokens"],
      ["rooms", id, "state"],
    ];
    this.#transport = transport;
    this.#participants = ["rooms", id, "participants"];
    this.tokens = {
      create: (token, options) => createSecretAt(transport, tokens, token, options),
      list: (query, options) => transport.list(tokens, query, options),
      revoke: async (tokenId, options) => {
        await deleteAt(transport, [...tokens, tokenId], options);
      },
    };
    this.state = {
      save: (options) => transport.get(state, options),
      load: (body, { replaceAt, ...options } = {}) => {
        const replaced = replaceAt === undefined ? {} : { query: { replace: true } };
        const request = { method: "PUT", path: state, body, ifVersion: replaceAt } as const;
        return transport.call({ ...options, ...request, ...replaced });
      },
    };
  }

  /** Lets an agent or a person join. @param history What an agent is told of what was said before; all when left out. */
  addParticipant(
    participant: ParticipantBody["participant"],
    { history, ...options }: RequestOptions & Pick<ParticipantBody, "history"> = {},
  ): Promise<WrittenRoom> {
    return postTo(this.#transport, this.#participants, { participant, history }, options);
  }

  async removeParticipant(name: string, options?: RequestOptions): Promise<void> {
    await deleteAt(this.#transport, [...this.#participants, name], options);
  }
}
