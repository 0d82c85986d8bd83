// Text that was heard: which characters of a text belong to which milliseconds of its audio.

/** The text from this character on is heard from this millisecond of the audio on. */
export interface Mark {
  readonly characters: number;
  readonly ms: number;
}
