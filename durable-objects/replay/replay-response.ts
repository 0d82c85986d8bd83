// The answer of a replay: JSON, or an event stream. Its headers are sent before the first model call; until it is done,
// blanks or comments are, so that a client that has left is noticed and no proxy takes the answer for dead.
import type { Replay, ReplayEvent } from "../../protocol/replay/contract.ts";
import { REPLAY_HEARTBEAT_MS } from "../../protocol/diagnostics/limits.ts";
import { encodeComment, encodeFrame } from "../../protocol/sse.ts";

export interface ReplayWork {
  /** Contract: never rejects, and ends soon after `leave`. */
  readonly run: (tell: (event: ReplayEvent) => void) => Promise<Replay>;
  /** Called every {@link REPLAY_HEARTBEAT_MS} until it is done. */
  readonly beat: () => void;
  /** The client has left: the replay is to end. */
  readonly leave: () => void;
}

export function replayResponse(isStream: boolean, work: ReplayWork): Response {
  const encoder = new TextEncoder();
  let frames = 0;
  let timer: ReturnType<typeof setInterval> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const send = (text: string) => controller.enqueue(encoder.encode(text));
      const tell = (event: ReplayEvent) => {
        frames += 1;
        if (isStream) send(encodeFrame(frames, event.type, JSON.stringify(event)));
      };
      timer = setInterval(() => {
        work.beat();
        // A reader that does not read gets no more of them.
        if ((controller.desiredSize ?? 0) > 0) send(isStream ? encodeComment("heartbeat") : " ");
      }, REPLAY_HEARTBEAT_MS);
      void finish();

      async function finish(): Promise<void> {
        try {
          const replay = await work.run(orIgnored(tell));
          if (isStream) tell({ type: "result", replay });
          else send(JSON.stringify(replay));
          controller.close();
        } catch {
          // The client has left, and the stream with it.
        } finally {
          clearInterval(timer);
        }
      }
    },
    cancel() {
      clearInterval(timer);
      work.leave();
    },
  });
  const type = isStream ? "text/event-stream" : "application/json";
  return new Response(body, { headers: { "content-type": type, "cache-control": "no-store" } });
}

/** Telling a client that has left throws; the replay is ended by then. */
function orIgnored(tell: (event: ReplayEvent) => void): (event: ReplayEvent) => void {
  return (event) => {
    try {
      tell(event);
    } catch {
      return;
    }
  };
}
