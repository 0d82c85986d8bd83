import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Bot } from "lucide-react";

import type { Reprise, Session } from "../../../sdk/index.ts";
import { useReprise } from "../../access/access-context.ts";

interface CalledUnderProps {
  /** The session in which it is asked. */
  readonly sessionId: string;
  /** The session whose reply has called its agent. */
  readonly parentId: string;
}

/** The conversation in which an end user waits for the answer, and the call of it under which a called agent asks. */
export function CalledUnder({ sessionId, parentId }: CalledUnderProps) {
  const reprise = useReprise();
  const { data } = useQuery({
    queryKey: ["root of called", sessionId],
    queryFn: () => findRoot(reprise, sessionId, parentId),
    staleTime: Infinity,
  });
  const { id, title, toolName } = data ?? { id: parentId, title: null, toolName: null };
  return (
    <p className="call-facts called-under">
      <span>
        <Bot size={14} aria-hidden /> Asked by a called agent
        {toolName !== null && (
          <>
            , under the call of <span className="code">{toolName}</span>
          </>
        )}{" "}
        in{" "}
        <Link to="/sessions/$sessionId" params={{ sessionId: id }}>
          {title === null ? "the session that has called it" : <bdi>“{title}”</bdi>}
        </Link>
      </span>
    </p>
  );
}

/** Sessions above the one that asks, at most: agents call each other to this depth. */
const MAX_LEVELS = 9;

interface Root {
  readonly id: string;
  readonly title: string | null;
  /** The call under which it is asked; null where the reply does not have it any more. */
  readonly toolName: string | null;
}

/** The session that no other one has called, and its call. */
async function findRoot(reprise: Reprise, sessionId: string, parentId: string): Promise<Root> {
  let [below, id] = [sessionId, parentId];
  let session: Session = await reprise.session(id).get();
  for (let level = 1; level < MAX_LEVELS && session.parent_session_id !== null; level += 1) {
    [below, id] = [id, session.parent_session_id];
    session = await reprise.session(id).get();
  }
  return { id, title: session.title, toolName: await findCall(reprise, session, below) };
}

async function findCall(
  reprise: Reprise,
  { id, reply_id }: Session,
  below: string,
): Promise<string | null> {
  if (reply_id === null) return null;
  const { subagents = [], message } = await reprise.session(id).replies.get(reply_id);
  const call = subagents.find(({ session_id }) => session_id === below)?.tool_call_id;
  const found = message?.content.find((block) => block.type === "tool_call" && block.id === call);
  return found?.type === "tool_call" ? found.name : null;
}
