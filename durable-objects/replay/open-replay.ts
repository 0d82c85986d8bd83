// Takes the request for a replay: what refuses it is known before the answer begins.
import { refuse } from "../../protocol/errors.ts";
import { REPLAY_HEARTBEAT_MS, REPLAY_MS } from "../../protocol/diagnostics/limits.ts";
import { LEASE_RENEWAL_MS } from "../../protocol/quotas/limits.ts";
import type { ReplayRequest } from "../api/replay-request.ts";
import { refusalResponse } from "../api/stream-request.ts";
import type { OpenSession } from "../sessions/open-session.ts";
import { readRecording } from "./read-recording.ts";
import { ReplayEnding } from "./replay-ending.ts";
import { ReplayQuota } from "./replay-quota.ts";
import { replayResponse } from "./replay-response.ts";
import { answerOf, endIfDeleted, replaySession } from "./replay-session.ts";

interface ReplayPlatform {
  readonly env: Env;
  readonly inBackground: (work: Promise<unknown>) => void;
}

/** Contract: every lease that is taken here is given back. */
export async function openReplay(
  session: OpenSession,
  request: ReplayRequest,
  { env, inBackground }: ReplayPlatform,
): Promise<Response> {
  const { init } = session;
  if (init.agent_id !== request.agent_id) {
    const detail = `this session is one of agent ${init.agent_id}`;
    const refused = refuse("agent_mismatch", detail, {
      errors: [{ pointer: "#/session_id", detail }],
    });
    return refusalResponse(refused.refusal);
  }
  const { replay_id, agent_id } = request;
  const ending = new ReplayEnding();
  const quota = new ReplayQuota({ env, init, replay_id, agent_id, ending, inBackground });
  const admitted = await quota.admit();
  if (!admitted.ok) return refusalResponse(admitted.refusal);
  const { max_replies, from_reply_id, agent } = request;
  const range = { max_replies, from_reply_id, agent: agent.definition };
  const read = await readRecording(session, range).catch((error: unknown) => ({ error }));
  if ("error" in read || !read.ok) {
    await quota.leave();
    if ("error" in read) throw read.error;
    return refusalResponse(read.refusal);
  }
  const late = setTimeout(() => {
    ending.end({
      reason: "deadline",
      detail: `a replay takes ${REPLAY_MS / 1_000} seconds at most`,
    });
  }, REPLAY_MS);
  let beats = 0;
  return replayResponse(request.stream, {
    run: async (tell) => {
      const context = { env, session, request, recording: read.value, quota, ending, tell };
      try {
        return await replaySession(context);
      } catch (error) {
        console.error("a replay failed", { replay_id, error });
        const detail = "the replay failed on the platform's side";
        ending.end({ reason: "internal", detail });
        return answerOf(context, []);
      } finally {
        clearTimeout(late);
        await quota.leave();
      }
    },
    beat: () => {
      beats += 1;
      endIfDeleted(session, ending);
      if (beats % RENEWAL_BEATS === 0) inBackground(quota.renew());
    },
    leave: () => ending.leave(),
  });
}

const RENEWAL_BEATS = Math.ceil(LEASE_RENEWAL_MS / REPLAY_HEARTBEAT_MS);
