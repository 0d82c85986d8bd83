// A sign-in that calls of this session wait for has ended.
import { endSignIn, type SignInEnd } from "../../agent/sign-in/end-sign-in.ts";
import { accept, type Result } from "../../protocol/errors.ts";
import type { OpenSession } from "../sessions/open-session.ts";
import { expireDueCalls } from "./events.ts";
import { act } from "./act.ts";
import { type SessionServer, findSessionServer } from "../mcp/session-server.ts";

export interface SignInEnded {
  readonly connection_id: string;
  readonly end: SignInEnd;
}

/** Idempotent: calls that were released do not wait any more. Resolves when it is on disk. */
async function endSessionSignIn(
  session: OpenSession,
  { connection_id, end }: SignInEnded,
): Promise<Result<boolean>> {
  expireDueCalls(session);
  const { openReply: reply, tables, log, runner } = session;
  if (!reply) return accept(false);
  const waiting = reply.state.message.content.flatMap(({ type, id }) =>
    type === "tool_call" &&
    tables.calls.find(id)?.asked.authorization?.connection_id === connection_id
      ? [id]
      : [],
  );
  const events = endSignIn(reply.state, new Set(waiting), { connection_id, end });
  if (events.length === 0) return accept(false);
  runner.answer(reply, events, () => undefined);
  await log.settled();
  return accept(true);
}

export const MCP_ACTS = {
  /** A sign-in has ended: the calls that wait for it run, ask anew, or fail. Returns whether any waited. */
  endSignIn: act<SignInEnded, boolean>({ run: endSessionSignIn }),

  /** An MCP server that the session's agent names. The payload is its id. */
  readMcpServer: act<string, SessionServer>({ run: findSessionServer }),
} as const;
