// The credentials of open streams: which streams end when one is revoked or expires.

export interface StreamCredential {
  readonly kind: "client_token" | "api_key";
  readonly id: string;
  /** Unix time in milliseconds; null for a key that does not expire. */
  readonly expiresAtMs: number | null;
}

interface Admission {
  readonly credential: StreamCredential;
  /** Whether its expiry needs a timer. An object with one does not hibernate: sockets have an alarm. */
  readonly isTimed: boolean;
  isOver: boolean;
}

/** The longest delay of a timer of the runtime; keys may be valid for longer. */
const LONGEST_WAIT_MS = 2 ** 31 - 1;

export class StreamCredentials {
  readonly #wake: () => void;
  readonly #admissions = new Set<Admission>();
  /** The one timer: the next expiry of a credential with an open stream; none without such streams. */
  #timer: ReturnType<typeof setTimeout> | null = null;

  /** @param wake Wakes all waiting streams. */
  constructor(wake: () => void) {
    this.#wake = wake;
  }

  /** The number of streams that were opened with client tokens. */
  get tokenCount(): number {
    return this.#credentials().filter(({ kind }) => kind === "client_token").length;
  }

  countOf(id: string): number {
    return this.#credentials().filter((credential) => credential.id === id).length;
  }

  join(
    credential: StreamCredential,
    isTimed = true,
  ): { readonly isOver: boolean; readonly leave: () => void } {
    const admission: Admission = { credential, isTimed, isOver: false };
    this.#admissions.add(admission);
    this.#arm();
    return {
      get isOver() {
        return admission.isOver || (credential.expiresAtMs ?? Infinity) <= Date.now();
      },
      leave: () => {
        this.#admissions.delete(admission);
        this.#arm();
      },
    };
  }

  revoke(id: string): void {
    for (const admission of this.#admissions) {
      if (admission.credential.id === id) admission.isOver = true;
    }
    this.#wake();
  }

  #credentials(): StreamCredential[] {
    return [...this.#admissions].map(({ credential }) => credential);
  }

  #arm(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const nowMs = Date.now();
    const waits = [...this.#admissions]
      .filter(({ isTimed }) => isTimed)
      .map(({ credential: { expiresAtMs } }) => (expiresAtMs ?? Infinity) - nowMs)
      .filter((waitMs) => waitMs > 0 && waitMs < LONGEST_WAIT_MS);
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
