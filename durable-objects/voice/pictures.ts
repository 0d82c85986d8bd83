// Pictures of the user that go with the next message: stored as files of the session as they come.
import { accept, refuse, type Result } from "../../protocol/errors.ts";
import type { MediaLoss } from "../../agent/state/made-media.ts";
import { DataBlockSchema, type DataBlock } from "../../protocol/messages/blocks.ts";
import type { ClientFrame } from "../../protocol/voice/frames.ts";
import { MAX_PICTURES } from "../../protocol/voice/limits.ts";
import type { OpenSession } from "../sessions/open-session.ts";
import { madeMedia } from "../settings/made-media.ts";

/** Why a picture was not stored, where it is not the storage. */
const LOSSES: Partial<Record<MediaLoss, Result<never>>> = {
  malformed: refuse("validation_failed", "the picture's data is no base64 of a picture"),
  quota: refuse("quota_exceeded", "the picture does not fit into a quota of the tenant"),
};
const LOST = refuse("unavailable", "the picture could not be stored; send it again");

export class Pictures {
  readonly #session: OpenSession;
  readonly #env: Env;
  readonly #stop: AbortSignal;
  #waiting: readonly DataBlock[] = [];

  constructor(session: OpenSession, env: Env, stop: AbortSignal) {
    this.#session = session;
    this.#env = env;
    this.#stop = stop;
  }

  async add({ media_type, data }: Extract<ClientFrame, { type: "image" }>): Promise<Result<null>> {
    if (this.#waiting.length >= MAX_PICTURES) return TOO_MANY;
    const kept = await madeMedia(this.#env, this.#session.init, this.#stop).keep({
      media_type,
      data: [data],
    });
    if (!kept.ok) return LOSSES[kept.loss] ?? LOST;
    if (this.#waiting.length >= MAX_PICTURES) return TOO_MANY;
    const source = { type: "url", url: kept.url, media_type } as const;
    this.#waiting = [...this.#waiting, DataBlockSchema.parse({ type: "data", source })];
    return accept(null);
  }

  /** Those that go with a message, which takes them. */
  take(): readonly DataBlock[] {
    const taken = this.#waiting;
    this.#waiting = [];
    return taken;
  }
}

const TOO_MANY = refuse(
  "rate_limited",
  `${MAX_PICTURES} pictures go with one message at most; speak or type first`,
);
