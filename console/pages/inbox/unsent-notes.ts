// Notes of approvals that wait to be sent, in the browser's storage, so that a page that was closed before can say that
// nothing was sent. They hold ids and moments, and nothing of a call.
import type { Unsent } from "./undo-queue.ts";

interface Note {
  /** Page that holds the approval: another one must not call it unsent while that page counts. */
  readonly page: string;
  readonly edition: string;
  readonly dueAtMs: number;
  /** Null while it is counted down. */
  readonly unsent: Unsent | null;
}

type Kept = Pick<Storage, "length" | "key" | "getItem" | "setItem" | "removeItem">;

/** Milliseconds behind its moment from which an approval of another page was never sent: that page is gone. */
const GONE_MS = 10_000;
/** Milliseconds after which a note says nothing to anybody. */
const OLD_MS = 24 * 3_600_000;

export interface UnsentNotes {
  /** Before the countdown begins. */
  count(key: string, edition: string, dueAtMs: number): void;
  /** The approval is given up. */
  mark(key: string, unsent: Unsent): void;
  /** The approval leaves, was undone, or its call is done with. */
  forget(key: string): void;
  /** Reason for which an approval of this question was never sent, as far as it is known; null for none. */
  find(key: string, edition: string, nowMs: number): Unsent | null;
}

/** Notes of one tenant. Without storage there are none, and nothing fails. @param page Name of this page alone. */
export function openNotes(storage: Kept | null, tenantId: string, page: string): UnsentNotes {
  const prefix = `reprise.unsent.${tenantId}.`;

  function read(key: string): Note | null {
    try {
      const note: unknown = JSON.parse(storage?.getItem(prefix + key) ?? "null");
      return isNote(note) ? note : null;
    } catch {
      return null;
    }
  }
  function write(key: string, note: Note): void {
    try {
      storage?.setItem(prefix + key, JSON.stringify(note));
    } catch {
      // Full, or switched off.
    }
  }
  function forget(key: string): void {
    try {
      storage?.removeItem(prefix + key);
    } catch {
      // Switched off.
    }
  }
  return {
    count(key, edition, dueAtMs) {
      forgetOld(storage, prefix, dueAtMs);
      write(key, { page, edition, dueAtMs, unsent: null });
    },
    mark(key, unsent) {
      const note = read(key);
      if (note) write(key, { ...note, unsent });
    },
    forget,
    find(key, edition, nowMs) {
      const note = read(key);
      if (!note || note.edition !== edition) return null;
      if (note.unsent !== null) return note.unsent;
      return note.page !== page && nowMs - note.dueAtMs > GONE_MS ? "closed" : null;
    },
  };
}

function forgetOld(storage: Kept | null, prefix: string, nowMs: number): void {
  try {
    const names = Array.from({ length: storage?.length ?? 0 }, (_, index) => storage?.key(index));
    for (const name of names) {
      if (!name?.startsWith(prefix)) continue;
      const note: unknown = JSON.parse(storage?.getItem(name) ?? "null");
      if (!isNote(note) || nowMs - note.dueAtMs > OLD_MS) storage?.removeItem(name);
    }
  } catch {
    // Switched off, or nothing of ours.
  }
}

const REASONS: ReadonlySet<unknown> = new Set(["closed", "left", "network", "slept", null]);

function isNote(value: unknown): value is Note {
  if (typeof value !== "object" || value === null) return false;
  const { page, edition, dueAtMs, unsent } = value as Partial<Record<keyof Note, unknown>>;
  return (
    typeof page === "string" &&
    typeof edition === "string" &&
    Number.isSafeInteger(dueAtMs) &&
    REASONS.has(unsent)
  );
}
