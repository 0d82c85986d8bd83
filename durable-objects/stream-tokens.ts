// The client tokens behind open streams: who has to be cut off when one is revoked or has expired.

export interface StreamToken {
  readonly id: string;
  /** Unix time in milliseconds. */
  readonly expiresAtMs: number;
}

interface Admission {
  readonly token: StreamToken;
  isOver: boolean;
}

export class StreamTokens {
  readonly #wake: () => void;
  readonly #admissions = new Set<Admission>();
  /** The one timer: the next expiry of a token with an open stream; none without such streams. */
  #timer: ReturnType<typeof setTimeout> | null = null;

  /** @param wake Lets every waiting stream look again. */
  constructor(wake: () => void) {
    this.#wake = wake;
  }

  /** Streams that were opened with any token. */
  get count(): number {
    return this.#admissions.size;
  }

  countOf(tokenId: string): number {
    return [...this.#admissions].filter(({ token }) => token.id === tokenId).length;
  }

  join(token: StreamToken): { readonly isOver: boolean; readonly leave: () => void } {
    const admission: Admission = { token, isOver: false };
    this.#admissions.add(admission);
    this.#arm();
    return {
      get isOver() {
        return admission.isOver || token.expiresAtMs <= Date.now();
      },
      leave: () => {
        this.#admissions.delete(admission);
        this.#arm();
      },
    };
  }

  revoke(tokenId: string): void {
    for (const admission of this.#admissions) {
      if (admission.token.id === tokenId) admission.isOver = true;
    }
    this.#wake();
  }

  #arm(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const nowMs = Date.now();
    const waits = [...this.#admissions]
      .map(({ token }) => token.expiresAtMs - nowMs)
      .filter((waitMs) => waitMs > 0);
    if (waits.length === 0) return;
    this.#timer = setTimeout(
      () => {
        this.#wake();
        this.#arm();
      },
      Math.min(...waits),
    );
  }
}
