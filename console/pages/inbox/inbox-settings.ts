// Settings of the inbox that this browser keeps: the time to undo an approval, and saved filters of each tenant.
import { useState } from "react";

import { parseSaved, type SavedFilter } from "./saved-filters.ts";
import { DEFAULT_DELAY_SECONDS, DELAYS_SECONDS } from "./undo-queue.ts";

const DELAY_KEY = "reprise.undo-seconds";

/** Storage may be switched off: then settings last until the page is left. */
export function openStorage(): Storage | null {
  try {
    return localStorage;
  } catch {
    return null;
  }
}

function readKept(key: string): string | null {
  try {
    return openStorage()?.getItem(key) ?? null;
  } catch {
    return null;
  }
}

function keep(key: string, text: string): void {
  try {
    openStorage()?.setItem(key, text);
  } catch {
    // As above.
  }
}

/** Seconds between an approval and its sending. */
export function useDelay(): readonly [number, (seconds: number) => void] {
  const [seconds, setSeconds] = useState(() => {
    const kept = readKept(DELAY_KEY);
    return DELAYS_SECONDS.find((one) => String(one) === kept) ?? DEFAULT_DELAY_SECONDS;
  });
  return [
    seconds,
    (next) => {
      setSeconds(DELAYS_SECONDS.find((one) => one === next) ?? DEFAULT_DELAY_SECONDS);
      keep(DELAY_KEY, String(next));
    },
  ];
}

export function useSavedFilters(
  tenantId: string,
): readonly [readonly SavedFilter[], (saved: readonly SavedFilter[]) => void] {
  const key = `reprise.inbox-filters.${tenantId}`;
  const [saved, setSaved] = useState(() => parseSaved(readKept(key)));
  return [
    saved,
    (next) => {
      setSaved(next);
      keep(key, JSON.stringify(next));
    },
  ];
}
