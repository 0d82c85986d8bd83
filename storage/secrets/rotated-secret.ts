// A deployment secret during its rotation. A rotation has three steps; all isolates must have the values of one step
// before the next begins: the new value is accepted (`_NEXT`); it is used, and the old one still accepted
// (`_PREVIOUS`); the old one is removed. So no isolate ever produces what another one refuses.

/** A secret and the other values that are accepted. */
export interface RotatedSecret {
  /** Used for everything new. */
  readonly current: string;
  /** Still accepted; what was made with it is replaced where possible. */
  readonly previous?: string;
  /** Already accepted, because other isolates may use it as their current value. */
  readonly next?: string;
}

/** All accepted values, the current one first. */
export function acceptedValues({ current, previous, next }: RotatedSecret): readonly string[] {
  return [current, previous, next].filter((value) => value !== undefined);
}
