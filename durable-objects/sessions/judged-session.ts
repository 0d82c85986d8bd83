import type { WarnedSession } from "../../agent/warnings/session-warnings.ts";
import type { SessionRule } from "../../protocol/permission/contract.ts";
import type { SessionInit } from "../api/session-api.ts";
import type { OpenSession } from "./open-session.ts";

/** A session as warnings about what is written into it need it. */
export interface JudgedSession
  extends WarnedSession, Pick<SessionInit, "agent_id" | "agent_version" | "end_user_id"> {
  readonly agent: SessionInit["agent"];
  readonly rules: readonly SessionRule[];
  /** The next reply takes the agent's newest version, and none is open that keeps the one of here. */
  readonly takes_latest: boolean;
}

/**
 * With the agent of the open reply, or of the next one. The tools of the page are those of its newest run, while nothing
 * else has begun a reply since.
 */
export function judgedSession({ openReply, settings, tables, init }: OpenSession): JudgedSession {
  const { agent, tools = [], ...used } = openReply ? settings.replyInit : init;
  const { agent_id, agent_version, end_user_id, thread_id, parent_run_id } = used;
  const isOfPage = thread_id !== undefined || parent_run_id !== undefined || tables.runs.hasAny();
  return {
    agent,
    agent_id,
    agent_version,
    end_user_id,
    tools,
    rules: tables.rules.all(),
    page_tools: isOfPage ? (settings.replyInit.client?.tools ?? []) : null,
    takes_latest: init.follows_latest === true && !openReply,
  };
}
