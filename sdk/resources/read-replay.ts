import type { Replay, ReplayEvent, ReplayProgress } from "../../protocol/replay/contract.ts";
import { createSseDecoder, type SseFrame } from "../../protocol/sse.ts";
import { throwIfAborted } from "../transport/abort-reason.ts";
import { ConnectionError } from "../transport/connection-error.ts";
import { readEventBody } from "../transport/read-event-body.ts";
import type { Transport } from "../transport/transport.ts";

/**
 * The result at the end of a replay's stream, with what came before it told as it comes; where `fetch` gives no stream,
 * all of it at the end.
 *
 * @throws {ConnectionError} when the stream ends without a result.
 */
export async function readReplay(
  { settings }: Transport,
  response: Response,
  onProgress: (progress: ReplayProgress) => void,
  signal: AbortSignal | undefined,
): Promise<Replay> {
  const { stallMs } = settings.reconnect;
  // The transport closes what it has opened.
  const answer = { response, close: ignore };
  const batches = response.body
    ? readEventBody(answer, { stallMs, onChunk: ignore, onRetry: ignore }, readFrame)
    : [
        createSseDecoder()
          .push(await response.text())
          .map(readFrame),
      ];
  for await (const batch of batches) {
    for (const event of batch) {
      // The result may be there already when what is told before makes the caller leave.
      throwIfAborted(signal);
      if (event.type === "result") return event.replay;
      if (event.type === "progress") onProgress(event);
    }
  }
  throw new ConnectionError("the replay's stream broke off");
}

function readFrame({ data }: SseFrame): ReplayEvent {
  return JSON.parse(data) as ReplayEvent;
}

function ignore(): void {
  // Nothing depends on it here.
}
