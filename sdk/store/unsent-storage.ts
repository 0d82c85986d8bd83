// Storage for messages until the platform has them, so that a reload does not lose them.
import type { ReplyRequestOptions } from "../resources/reply-input.ts";
import type { OutgoingBody } from "./outgoing-draft.ts";

/** `sessionStorage` is one; so is React Native's AsyncStorage. */
export interface UnsentStorage {
  getItem(key: string): string | null | Promise<string | null>;
  setItem(key: string, value: string): unknown;
  removeItem(key: string): unknown;
}

/** A message that was given to `send`. */
export interface UnsentMessage {
  readonly body: OutgoingBody;
  readonly options: ReplyRequestOptions;
  /** When it was given, in milliseconds since 1970. */
  readonly atMs: number;
  /** Whether the message was refused, or given up: a person has to retry it. */
  readonly isFailed: boolean;
}

/** The last change of each storage: each waits for the one before it, also of another store of the page. */
const lastChanges = new WeakMap<UnsentStorage, Promise<void>>();

/** The unsent messages of one session. A storage that fails is one that is empty: sending does not depend on it. */
export class UnsentMessages {
  readonly #storage: UnsentStorage | null;
  readonly #key: string;

  constructor(storage: UnsentStorage | null, sessionId: string) {
    this.#storage = storage;
    this.#key = `reprise.unsent.${sessionId}`;
  }

  async read(): Promise<readonly UnsentMessage[]> {
    try {
      const text = await this.#storage?.getItem(this.#key);
      const kept: unknown = text ? JSON.parse(text) : [];
      return Array.isArray(kept) ? kept.filter(isUnsent) : [];
    } catch {
      return [];
    }
  }

  /** Keeps a message, in place of an earlier version of it. Those of another store of this session stay. */
  put(message: UnsentMessage): void {
    this.#change(message.body.id, [message]);
  }

  remove(id: string): void {
    this.#change(id, []);
  }

  #change(id: string, added: readonly UnsentMessage[]): void {
    const storage = this.#storage;
    if (!storage) return;
    const last = lastChanges.get(storage) ?? Promise.resolve();
    lastChanges.set(
      storage,
      last.then(() => this.#write(storage, id, added)),
    );
  }

  /** Never rejects. */
  async #write(storage: UnsentStorage, id: string, added: readonly UnsentMessage[]): Promise<void> {
    try {
      const kept = await this.read();
      const next = [...kept.filter(({ body }) => body.id !== id), ...added];
      if (next.length > 0) await storage.setItem(this.#key, JSON.stringify(next));
      else if (kept.length > 0) await storage.removeItem(this.#key);
    } catch {
      // Full, or forbidden by the browser.
    }
  }
}

/**
 * Whether a value is an unsent message. Another one under the key, as another version of the app may have left it, is
 * nothing to send.
 */
function isUnsent(value: Partial<UnsentMessage> | null): value is UnsentMessage {
  return typeof value?.body?.id === "string" && Array.isArray(value.body.content);
}

/** The tab's own storage; null where there is none or the browser forbids it. */
export function tabStorage(): UnsentStorage | null {
  try {
    return (globalThis as { readonly sessionStorage?: UnsentStorage }).sessionStorage ?? null;
  } catch {
    return null;
  }
}
