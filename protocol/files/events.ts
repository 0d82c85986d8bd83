// Media that a model has refused, on the wire: the model is shown a note in the place of each from then on.

/** The `name` of the `CUSTOM` event; its value is {@link MediaRefusedValue}. */
export const MEDIA_REFUSED = "media_refused";

export interface MediaRefusedValue {
  /** Left out between replies. */
  readonly reply_id?: string;
  readonly model_name: string;
  /** A short hash of the host: a model of the same name at another endpoint may take them. */
  readonly endpoint: string;
  /** The id of a file, or `sha256:` and 32 hex digits over base64 data or an address elsewhere. */
  readonly media: readonly string[];
}
