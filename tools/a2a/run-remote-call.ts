// Runs one call of an agent of another system: sends the message once, streams what the agent makes into the result, asks
// people what the agent asks, and leaves a task that is silent to the alarm of its session.
import type { ToolChunk } from "../../agent/ports.ts";
import type { RemoteCall } from "./remote-call.ts";
import { RunningCall } from "./running-call.ts";

/** Contract: never throws. After `stop` it ends without a chunk for it. */
export async function* runRemoteCall(call: RemoteCall): AsyncGenerator<ToolChunk, void> {
  const { stop } = call;
  const connection = new AbortController();
  const abort = (): void => connection.abort();
  stop.addEventListener("abort", abort, { once: true });
  if (stop.aborted) abort();
  const running = new RunningCall(call, connection.signal);
  try {
    const first = await running.begin();
    if (stop.aborted) return;
    yield* running.follow(first);
  } finally {
    stop.removeEventListener("abort", abort);
    abort();
    if (stop.aborted) running.leave();
  }
}
