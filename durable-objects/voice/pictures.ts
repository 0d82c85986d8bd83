// Pictures of the user that go with the next message: stored as files of the session as they come.
import { accept, refuse, type Result } from "../../protocol/errors.ts";
import type { MediaStore } from "../../agent/media-store.ts";
import type { MediaLoss } from "../../agent/state/made-media.ts";
import { DataBlockSchema, type DataBlock } from "../../protocol/messages/blocks.ts";
import type { ClientFrame } from "../../protocol/voice/frames.ts";
import { MAX_PICTURES, MAX_VOICE_TEXT_FRAME_BYTES } from "../../protocol/voice/limits.ts";
import type { OpenSession } from "../sessions/open-session.ts";
import { madeMedia } from "../settings/made-media.ts";

/** Milliseconds between two pictures of a film at least, where as many wait as go with a message: each is stored. */
const FILM_MS = 1_000;

/** Why a picture was not stored, where it is not the storage. */
const LOSSES: Partial<Record<MediaLoss, Result<never>>> = {
  malformed: refuse("validation_failed", "the picture's data is no base64 of a picture"),
  quota: refuse("quota_exceeded", "the picture does not fit into a quota of the tenant"),
};
const LOST = refuse("unavailable", "the picture could not be stored; send it again");

export class Pictures {
  readonly #media: MediaStore;
  /** Characters of those that are being stored. */
  #storing = 0;
  #waiting: readonly DataBlock[] = [];
  /** When the next one of a film may take the place of another. */
  #nextMs = 0;

  constructor(session: OpenSession, env: Env, stop: AbortSignal) {
    this.#media = madeMedia(env, session.init, stop);
  }

  /** @param isFilm The client shows what its camera sees: the newest take the place of the oldest, one in a second. */
  async add(
    { media_type, data }: Extract<ClientFrame, { type: "image" }>,
    isFilm = false,
  ): Promise<Result<null>> {
    const isFull = this.#waiting.length >= MAX_PICTURES;
    if (isFull && !isFilm) return TOO_MANY;
    if (isFull && Date.now() < this.#nextMs) return accept(null);
    this.#nextMs = Date.now() + FILM_MS;
    // Pictures that are being stored are in memory.
    if (this.#storing + data.length > MAX_VOICE_TEXT_FRAME_BYTES) {
      return isFilm ? accept(null) : TOO_MUCH;
    }
    this.#storing += data.length;
    const kept = await this.#media.keep({ media_type, data: [data] });
    this.#storing -= data.length;
    if (!kept.ok) return LOSSES[kept.loss] ?? LOST;
    if (this.#waiting.length >= MAX_PICTURES && !isFilm) return TOO_MANY;
    const source = { type: "url", url: kept.url, media_type } as const;
    const picture = DataBlockSchema.parse({ type: "data", source });
    this.#waiting = [...this.#waiting, picture].slice(-MAX_PICTURES);
    return accept(null);
  }

  /** Pictures that go with a message, which takes them. */
  take(): readonly DataBlock[] {
    const taken = this.#waiting;
    this.#waiting = [];
    return taken;
  }
}

const TOO_MUCH = refuse(
  "rate_limited",
  "another picture is still being stored; send this one a moment later",
);
const TOO_MANY = refuse(
  "rate_limited",
  `${MAX_PICTURES} pictures go with one message at most; speak or type first`,
);
