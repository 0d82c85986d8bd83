import { useQuery } from "@tanstack/react-query";

import { useReprise } from "../../access/access-context.ts";
import type { Subagent } from "./called-of.ts";

/** Milliseconds between two looks at what a reply waits for. */
const LOOK_MS = 2_000;

const NONE: readonly Subagent[] = [];

/** Names what a session's replies have called, for who has just answered one of them. */
export function subagentsKey(sessionId: string): readonly unknown[] {
  return ["subagents", sessionId];
}

/** Agents that an open reply has called, by now. @param replyId Null while no reply runs or waits. */
export function useSubagents(sessionId: string, replyId: string | null): readonly Subagent[] {
  const reprise = useReprise();
  const { data } = useQuery({
    queryKey: [...subagentsKey(sessionId), replyId],
    queryFn: async () => {
      const { subagents = NONE } = await reprise.session(sessionId).replies.get(replyId ?? "");
      return subagents;
    },
    enabled: replyId !== null,
    refetchInterval: LOOK_MS,
  });
  return data ?? NONE;
}
