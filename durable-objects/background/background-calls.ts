// The adapter of the port by which http tools let their calls go, for one execution of a reply.
import { OutcomeWriter } from "../../agent/background/task-outcome.ts";
import { keepMedia } from "../../agent/tool-call/keep-media.ts";
import type { ToolChunk } from "../../agent/ports.ts";
import { TASK_RESULT_MS } from "../../protocol/background/limits.ts";
import type { ToolAnswer } from "../../tools/answer-shape.ts";
import type { BackgroundCalls, OpenRequest } from "../../tools/background/background-calls.ts";
import type { StoredTask } from "../tables/background-table.ts";
import type { BackgroundPlatform, BackgroundSession, BackgroundTasks } from "./background-tasks.ts";
import { taskAddress } from "./task-address.ts";
import { madeMedia } from "../settings/made-media.ts";

interface CallsSession extends Pick<
  BackgroundSession,
  "init" | "log" | "newId" | "sync" | "tables" | "transaction"
> {
  readonly background: BackgroundTasks;
}

export function backgroundCalls(
  session: CallsSession,
  { env, inBackground }: BackgroundPlatform,
): BackgroundCalls {
  const { background: tasks, tables, init } = session;
  return {
    async open({ tool_call_id, name, reply_id }, maxBytes) {
      const found = tables.background.findByCall(tool_call_id);
      const task =
        found ?? attach({ tool_call_id, tool_name: name, reply_id, max_bytes: maxBytes });
      if (!found) await session.sync();
      const { id } = task;
      const callback_url = await taskAddress(env, init, task);
      const { promise: posted, resolve } = Promise.withResolvers<ToolAnswer>();
      tasks.attach(id, resolve);
      // The result was posted to an earlier machine, which was lost before the log had it, or since then.
      const now = tables.background.find(id);
      if (now?.status === "attached" && now.fingerprint !== null) {
        resolve(tables.background.kept(id) as ToolAnswer);
      }
      return {
        task_id: id,
        callback_url,
        posted,
        letGo(waits_for) {
          const reason = tasks.refusal(waits_for);
          if (reason !== null) return { ok: false, reason };
          const expires_at = new Date(task.expires_at).toISOString();
          return { ok: true, letGo: { task_id: id, waits_for, expires_at } };
        },
        begin(open) {
          tasks.detach(id);
          if (open) inBackground(follow(task, open));
        },
        close: () => tasks.detach(id),
      };
    },
  };

  function attach(
    call: Pick<StoredTask, "tool_call_id" | "tool_name" | "reply_id" | "max_bytes">,
  ): StoredTask {
    const id = session.newId("task");
    const created_at = Date.now();
    const times = { created_at, expires_at: created_at + TASK_RESULT_MS };
    session.transaction(() => tables.background.attach({ id, ...call }, times));
    return { ...EMPTY, id, ...call, ...times };
  }

  /** Reads the request to its end, which is the task's. Never rejects, but for a failure of the storage. */
  async function follow({ id, expires_at }: StoredTask, open: OpenRequest): Promise<void> {
    tasks.hold(id, open.stop);
    const stop = new AbortController();
    const media = madeMedia(env, init, stop.signal);
    const outcome = new OutcomeWriter();
    let end: Pick<Extract<ToolChunk, { type: "end" }>, "state" | "metadata"> = { state: "success" };
    let isAfterText = false;
    for await (const chunk of allOf(open)) {
      if (chunk.type === "end") end = chunk;
      if (chunk.type !== "text" && chunk.type !== "data" && chunk.type !== "url") continue;
      const kept = await keepMedia(chunk, media, isAfterText);
      isAfterText = kept.type === "text";
      outcome.add(kept);
    }
    if (session.log.isClosed) return;
    if (open.isAccepted() && tables.background.find(id)?.status === "working") {
      session.transaction(() => tables.background.awaitCallback(id, expires_at));
      tasks.release(id);
      return;
    }
    const hint = await tasks.end(id, outcome.end(end));
    tasks.release(id);
    if (hint) await media.confirm(hint);
  }
}

async function* allOf({ said, rest }: OpenRequest): AsyncGenerator<ToolChunk, void> {
  yield* said;
  yield* rest;
}

const EMPTY = {
  status: "attached",
  waits_for: null,
  untrusted: null,
  message: null,
  ended_at: null,
  fingerprint: null,
  wake: null,
  woken_reply_id: null,
} as const;
