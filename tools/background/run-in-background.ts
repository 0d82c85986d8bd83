// Runs a call of an http tool with `background_after_ms`: as any other until that time, and then without the reply.
import type { StopSignal, ToolChunk } from "../../agent/ports.ts";
import { answerChunks, failure, type ToolAnswer } from "../answer-shape.ts";
import { runHttpTool, type HttpCall } from "../run-http-tool.ts";
import type { BackgroundCall } from "./background-calls.ts";

type Step =
  | { readonly type: "chunk"; readonly result: IteratorResult<ToolChunk, void> }
  | { readonly type: "posted"; readonly answer: ToolAnswer }
  | { readonly type: "late" }
  | { readonly type: "stopped" };

/** Contract as {@link runHttpTool}. @param call Its `stop` ends the request until the call is let go. */
export async function* runInBackground(
  call: HttpCall,
  task: BackgroundCall,
  afterMs: number,
): AsyncGenerator<ToolChunk, void> {
  const { stop: replyStop, report } = call;
  // A result that an earlier machine was posted comes first: the request is not sent again.
  const known = await Promise.race([task.posted, Promise.resolve(null)]);
  if (known) {
    task.close();
    if (!replyStop.aborted) yield* answerChunks(known);
    return;
  }
  const request = new AbortController();
  let isLetGo = false;
  let isAccepted = false;
  const chunks = runHttpTool({
    ...call,
    stop: request.signal,
    // The diagnostics of a call end with it.
    report: (found) => isLetGo || report?.(found),
    task,
    accepted: () => {
      isAccepted = true;
    },
  });
  const late = timed(afterMs);
  const stopped = untilStopped(replyStop, () => {
    if (!isLetGo) request.abort();
  });
  const others: readonly Promise<Step>[] = [
    stopped.step,
    task.posted.then((answer) => ({ type: "posted", answer }) as const),
    late.step,
  ];
  const said: ToolChunk[] = [];
  let next = chunks.next();
  try {
    for (;;) {
      const read = next.then((result) => ({ type: "chunk", result }) as const);
      const step = await Promise.race([read, ...others]);
      if (step.type === "stopped" || replyStop.aborted) return;
      if (step.type === "posted") {
        end();
        yield* answerChunks(step.answer);
        return;
      }
      if (step.type === "late" || (step.result.done && isAccepted)) break;
      if (step.result.done) return;
      const chunk = step.result.value;
      said.push(chunk);
      // Before the last chunk, since the consumer may not ask for another one.
      if (chunk.type === "end") end();
      yield chunk;
      if (chunk.type === "end") return;
      next = chunks.next();
    }
    const allowed = task.letGo(isAccepted ? "callback" : "request");
    if (!allowed.ok) {
      end();
      yield* failure(said.length > 0 ? `\n${allowed.reason}` : allowed.reason);
      return;
    }
    yield { type: "background", ...allowed.letGo };
    // Asked for one more piece: the task is in the log.
    isLetGo = true;
    end();
    const rest = following(next, chunks);
    const stop = () => request.abort();
    task.begin(isAccepted ? null : { said, rest, isAccepted: () => isAccepted, stop });
  } finally {
    end();
  }

  function end(): void {
    late.release();
    stopped.release();
    if (isLetGo) return;
    request.abort();
    task.close();
  }
}

/** The chunks from one on that was asked for already. */
async function* following(
  first: Promise<IteratorResult<ToolChunk, void>>,
  chunks: AsyncGenerator<ToolChunk, void>,
): AsyncGenerator<ToolChunk, void> {
  const { done, value } = await first;
  if (done) return;
  yield value;
  yield* chunks;
}

function timed(waitMs: number) {
  const { promise: step, resolve } = Promise.withResolvers<Step>();
  const timer = setTimeout(() => resolve({ type: "late" }), waitMs);
  return { step, release: () => clearTimeout(timer) };
}

function untilStopped(stop: StopSignal, then: () => void) {
  const { promise: step, resolve } = Promise.withResolvers<Step>();
  const listener = () => {
    then();
    resolve({ type: "stopped" });
  };
  stop.addEventListener("abort", listener, { once: true });
  if (stop.aborted) listener();
  return { step, release: () => stop.removeEventListener("abort", listener) };
}
