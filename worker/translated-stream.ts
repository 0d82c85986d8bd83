import type { LoggedEvent } from "../protocol/events.ts";

const FRAME_END = "\n\n";
const DATA = "\ndata: ";

/** How a stream of the log is told in another dialect. */
export interface StreamTranslation {
  /** The log is read from the event after this seq. */
  readonly after: number;
  /** Frames that come first. */
  readonly prelude: string;
  /** @returns The frames of an event. */
  readonly translate: (event: LoggedEvent) => Promise<string>;
  /** @returns What is to be said when nothing follows for now, or any more. */
  readonly rest: () => Promise<string>;
}

/**
 * A session's stream with every event's frame replaced by what `translate` makes of it; comments and `retry` pass as
 * they are. Pull-based as its source: a slow reader holds back nobody, and leaving ends the source.
 * @param source Null when nothing follows the prelude.
 */
export function translateStream(
  source: ReadableStream<Uint8Array> | null,
  { prelude, translate, rest: sayRest }: Omit<StreamTranslation, "after">,
): ReadableStream<Uint8Array> {
  const reader = source?.getReader();
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  /** A frame that is not complete yet. */
  let rest = "";
  let isGreeted = prelude === "";

  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (!isGreeted) {
        isGreeted = true;
        return controller.enqueue(encoder.encode(prelude));
      }
      for (;;) {
        const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
        if (done) {
          const text = await sayRest();
          if (text !== "") controller.enqueue(encoder.encode(text));
          return controller.close();
        }
        const text = await translateChunk(decoder.decode(value, { stream: true }));
        if (text !== "") return controller.enqueue(encoder.encode(text));
      }
    },
    async cancel(reason) {
      await reader?.cancel(reason);
    },
  });

  async function translateChunk(chunk: string): Promise<string> {
    const frames = (rest + chunk).split(FRAME_END);
    rest = frames.pop() ?? "";
    let text = "";
    for (const frame of frames) {
      try {
        text += await translateFrame(frame);
      } catch (error) {
        await reader?.cancel(error);
        throw error;
      }
    }
    return text;
  }

  /** The object writes LF alone and the data as one line, last. */
  async function translateFrame(frame: string): Promise<string> {
    // Ten seconds of silence.
    if (frame.startsWith(":")) return (await sayRest()) + frame + FRAME_END;
    const start = frame.startsWith("id: ") ? frame.indexOf(DATA) : -1;
    if (start < 0) return frame + FRAME_END;
    return translate(JSON.parse(frame.slice(start + DATA.length)) as LoggedEvent);
  }
}
