// The deployment's secrets while they are rotated. A rotation has three steps, each of which every isolate has to have
// reached before the next one: the new value is accepted (`_NEXT`), it is used and the old one is still accepted
// (`_PREVIOUS`), it is alone. So at no moment does an isolate make what another one refuses.

/** A secret, and the values that are accepted beside it. */
export interface RotatedSecret {
  /** What is made now is made with this one. */
  readonly current: string;
  /** What was made with it is accepted, and made anew where that is possible. */
  readonly previous?: string;
  /** Comes next: other isolates may have it already. */
  readonly next?: string;
}

/** All values that are accepted, each once, the current one first. */
export function acceptedValues({ current, previous, next }: RotatedSecret): readonly string[] {
  return [current, previous, next].filter((value) => value !== undefined);
}
