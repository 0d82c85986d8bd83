// The port of an adapter to the platform's files: which of the addresses in a conversation may be read, and their
// bytes.

export interface FoundMedia {
  readonly bytes: number;
  /** Recognised by the bytes. */
  readonly media_type: string;
  /** The bytes, from the beginning. @throws when they cannot be read. */
  open(): Promise<ReadableStream<Uint8Array>>;
}

export interface MediaPort {
  /** Whether an address is one of the platform's files. */
  isFile(url: string): boolean;
  /** By address; those that the session may not read, or that are gone, are missing. @throws when they cannot be looked up. */
  find(urls: readonly string[]): Promise<ReadonlyMap<string, FoundMedia>>;
}
