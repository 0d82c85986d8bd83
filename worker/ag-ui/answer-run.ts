// Starts a run of AG-UI and answers with its stream.
import type { StartedRun } from "../../durable-objects/api/session-api.ts";
import type { RefusedStart } from "../../durable-objects/api/start-request.ts";
import type { RunAgentInput } from "../../protocol/ag-ui/contract.ts";
import { REPLY_ID_HEADER } from "../../protocol/routes.ts";
import { SESSION_ID_HEADER } from "../../protocol/requests/headers.ts";
import type { AppContext } from "../app-env.ts";
import { unwrap } from "../http-error.ts";
import { readerOf, tenantOf } from "../principal.ts";
import { lastEventId } from "../requests/last-event-id.ts";
import { answerStream } from "../sessions/answer-stream.ts";
import { followRun } from "./follow-run.ts";
import { isRunRefusal, refusedRun } from "./refused-run.ts";
import { sessionStub } from "../objects/session-stub.ts";
import { startRun, type RunWish } from "./start-run.ts";
import { startsInOneCall, startStream } from "../sessions/start-stream.ts";
import type { ThreadSession } from "./thread-session.ts";

interface AskedRun {
  readonly wish: RunWish;
  readonly body: RunAgentInput;
  /** Whether the stream includes the log's events as RAW events, or as members. */
  readonly raw?: boolean | "member";
}

/** @throws HttpError when the run cannot be started. */
export async function answerRun(
  context: AppContext,
  thread: ThreadSession,
  { wish, body, raw }: AskedRun,
): Promise<Response> {
  const stub = sessionStub(context.env, tenantOf(context), thread.session_id);
  const headers = { [SESSION_ID_HEADER]: thread.session_id };
  const range = {
    format: "ag-ui",
    raw,
    profile: wish.profile,
    run: { thread_id: body.threadId, run_id: body.runId },
    ...readerOf(context),
  } as const;
  if (startsInOneCall(context)) {
    const streamed = await startRun(context, thread, wish, (payload, options) =>
      startStream(stub, { act: "startRun", payload, options, range }),
    );
    if (streamed?.ok) {
      const named = { ...headers, [REPLY_ID_HEADER]: streamed.reply_id };
      return unwrap(await streamed.stream(named), named);
    }
    if (streamed) return refuse(streamed);
  }
  const started = await startRun(context, thread, wish, (payload, options) =>
    stub.act("startRun", payload, options),
  );
  if (!started.ok) return refuse(started);
  const { reply_id } = started.value;
  const after = positionOf(context, started.value);
  const named = { ...headers, [REPLY_ID_HEADER]: reply_id };
  return answerStream(context, stub, { ...range, after, reply_id }, named);

  async function refuse(refused: RefusedStart): Promise<Response> {
    const followed = await followRun(context, thread, wish, refused.refusal);
    if (followed) {
      // In a fork the thread is the fork: its own id is its name.
      const isHere = followed.thread.session_id === thread.session_id;
      const threadId = isHere ? body.threadId : followed.thread.session_id;
      const asked = { wish: followed.wish, body: { ...body, threadId }, raw };
      return answerRun(context, followed.thread, asked);
    }
    if (!isRunRefusal(refused.refusal)) return unwrap(refused);
    const { cursor } = unwrap(await stub.act("read"));
    return refusedRun(body, refused.refusal, { cursor, headers });
  }
}

/** A repeated request: the reader may have received a part. A frame of another run or part is none of this one. */
function positionOf(
  context: AppContext,
  { cursor, is_repeated, to_seq, is_partly_held }: StartedRun,
) {
  const seen = is_repeated ? lastEventId(context, "ag-ui") : undefined;
  if (seen && seen.seq > cursor && seen.seq <= (to_seq ?? Infinity)) return seen;
  return is_partly_held ? null : cursor;
}
