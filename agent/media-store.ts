// The port through which media that is too large for the log is stored. Its adapter is in durable-objects/settings/.
import type { MediaLoss } from "./state/made-media.ts";

/** Media that a tool or a model has made. */
export interface MadeMedia {
  readonly media_type: string;
  /** Base64 in pieces, each of which is complete by itself. */
  readonly data: readonly string[];
}

export type KeptMedia =
  | { readonly ok: true; readonly url: string }
  | { readonly ok: false; readonly loss: MediaLoss };

/** Stores media that is too large for the log as files of the session. */
export interface MediaStore {
  /**
   * Resolves when the bytes can be read under the address. What no event names is deleted later.
   * Contract: never rejects.
   */
  readonly keep: (media: MadeMedia) => Promise<KeptMedia>;
  /**
   * Whether an address may not be stored: one of the platform that names no file's content, such as a link, which
   * expires; and one by `http:` of another host.
   */
  readonly isLink: (url: string) => boolean;
}
