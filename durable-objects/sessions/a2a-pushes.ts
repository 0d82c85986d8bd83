// Sends jobs for what clients of A2A are to be told, on the webhooks' queue. The object is never held up by a receiver: the
// consumer of a job asks for what is next, sends it, and says how that has ended (`acts/a2a-pushes.ts`).
import { A2A_PUSH_KEPT_MS } from "../../protocol/a2a/limits.ts";
import type { A2aPushJob } from "../../storage/a2a/push-job.ts";
import { sendJobs } from "../../storage/webhooks/webhook-publisher.ts";
import type { OpenSession } from "./open-session.ts";

interface PushPlatform {
  readonly env: Pick<Env, "WEBHOOK_QUEUE">;
  readonly inBackground: (work: Promise<void>) => void;
}

/** The handler of the timer: each job that is due is on its way once, and again if it leaves no trace. */
export function sendDuePushes(
  { tables, init, transaction }: Pick<OpenSession, "tables" | "init" | "transaction">,
  { env, inBackground }: PushPlatform,
): void {
  const nowMs = Date.now();
  const { tenant_id, session_id } = init;
  const { pushes } = tables;
  const jobs = transaction(() => {
    const due = pushes.due(nowMs).flatMap(({ push, ...place }): readonly A2aPushJob[] => {
      const isLate = push !== null && Date.parse(push.at) < nowMs - A2A_PUSH_KEPT_MS;
      if (push === null || isLate) {
        pushes.giveUp(place);
        return [];
      }
      pushes.noteJob(place, nowMs);
      return [{ kind: "a2a_push", tenant_id, session_id, ...place }];
    });
    pushes.arm();
    return due;
  });
  inBackground(send(env, jobs));
}

/** Contract: never rejects. A job that the queue does not take is sent again, as one that it has lost. */
async function send(env: PushPlatform["env"], jobs: readonly A2aPushJob[]): Promise<void> {
  try {
    await sendJobs<A2aPushJob>(env.WEBHOOK_QUEUE, jobs);
  } catch (error) {
    console.warn("notifications of A2A could not be enqueued; will retry", {
      error: String(error),
    });
  }
}
