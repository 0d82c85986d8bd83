import { useEffect, useState } from "react";

import type { LoggedEvent } from "../../../sdk/index.ts";
import { useReprise } from "../../access/access-context.ts";
import { wordsOfHook } from "../../components/words/hook-words.ts";
import type { WaterfallMark } from "./lay-out-waterfall.ts";

/** Moments of a reply that the log has and diagnostics have not: compressions, waits for a quota, recoveries. */
const NAMES: Readonly<Record<string, string>> = {
  context_compressed: "Context compressed",
  context_truncated: "Context cut",
  context_compression_failed: "Compression failed",
  memory_recall_failed: "Nothing recalled",
  memories_redacted: "Memories left out",
  quota_exceeded: "Waits for a quota",
  reply_recovered: "Went on after a lost machine",
  reply_interrupted: "Interrupted",
  tool_call_edited: "Input edited",
};

/** The moments of one reply, as its events come. They are extra: a log that cannot be read shows none. */
export function useMarks(sessionId: string, replyId: string): readonly WaterfallMark[] {
  const reprise = useReprise();
  const [marks, setMarks] = useState<readonly WaterfallMark[]>([]);
  useEffect(() => {
    const leaving = new AbortController();
    setMarks([]);
    async function read(): Promise<void> {
      const { signal } = leaving;
      for await (const event of reprise.session(sessionId).events({ replyId, signal })) {
        const mark = markOf(event);
        if (mark) setMarks((before) => [...before, mark]);
      }
    }
    read().catch(() => undefined);
    return () => leaving.abort();
  }, [reprise, sessionId, replyId]);
  return marks;
}

function markOf(event: LoggedEvent): WaterfallMark | null {
  const { seq, created_at: at } = event;
  if (event.type === "EXCEED_MAX_ITERS")
    return { seq, label: "Too many rounds", at, detail: event };
  if (event.type !== "CUSTOM") return null;
  if (event.name === "hook_answered") return hookMarkOf(event);
  if (!Object.hasOwn(NAMES, event.name)) return null;
  return { seq, label: NAMES[event.name] ?? event.name, at, detail: event.value };
}

/** Effect of a hook. A hook that had nothing to say is in the events alone: there may be several for each call. */
function hookMarkOf(event: Extract<LoggedEvent, { type: "CUSTOM" }>): WaterfallMark | null {
  const { seq, created_at: at, value } = event;
  const { outcome } = (value ?? {}) as { readonly outcome?: unknown };
  if (outcome === "unchanged") return null;
  return { seq, label: wordsOfHook(value), at, detail: { ...(value as object) } };
}
