// One model call whose text is said while it is written.
import type { ModelChunk, StopSignal } from "../../../agent/ports.ts";
import type { SpeechLine } from "./speech-line.ts";

/** The chunks as they are. What they say goes on being said when they are through. */
export async function* sayAnswer(
  line: SpeechLine,
  chunks: AsyncIterable<ModelChunk>,
  stop: StopSignal,
): AsyncGenerator<ModelChunk, void> {
  const answer = line.begin();
  const cancel = () => line.cancel(answer);
  stop.addEventListener("abort", cancel, { once: true });
  try {
    for await (const chunk of chunks) {
      if (chunk.text) answer.push(chunk.text);
      if (chunk.error) answer.fail(chunk.error);
      yield chunk;
    }
  } finally {
    stop.removeEventListener("abort", cancel);
    if (stop.aborted) cancel();
    answer.end();
  }
}
