import { useCallback, useEffect, useState } from "react";

/** Milliseconds for which something is said. */
const SHOWN_MS = 6_000;

/** Words for a live region: what was said last, for some seconds. */
export function useWords(): readonly [string, (words: string) => void] {
  const [said, setSaid] = useState({ words: "" });
  useEffect(() => {
    if (said.words === "") return undefined;
    const timer = setTimeout(() => setSaid({ words: "" }), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [said]);
  return [said.words, useCallback((words: string) => setSaid({ words }), [])];
}
