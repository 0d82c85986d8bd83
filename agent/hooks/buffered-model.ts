// A model whose words pass `pre_print` hooks: each text and each thought is held back until it is finished and the hooks
// have answered.
import type { Model, ModelChunk, StopSignal } from "../ports.ts";
import { modelError } from "../state/model-error.ts";
import type { PrintedBlock } from "./reply-hooks.ts";

interface Printer {
  /** @param stop Of the model call: nothing is awaited any more once it is aborted. */
  readonly print: (
    type: "text" | "thinking",
    text: string,
    stop: StopSignal,
  ) => Promise<PrintedBlock>;
  /** UTF-16 units that the reply may still take. More is not buffered: an endless answer would fill the memory. */
  readonly room: () => number;
}

export function bufferedModel(model: Model, { print, room }: Printer): Model {
  return {
    ...model,
    stream: (request, stop, report) =>
      buffered(model.stream(request, stop, report), {
        print: (type, text) => print(type, text, stop),
        room,
      }),
  };
}

/** Signatures of a thought that was changed are left out: they are of what the model has thought. */
async function* buffered(
  chunks: AsyncIterable<ModelChunk>,
  {
    print,
    room,
  }: {
    readonly print: (type: "text" | "thinking", text: string) => Promise<PrintedBlock>;
    readonly room: Printer["room"];
  },
): AsyncGenerator<ModelChunk, void> {
  let thinking = "";
  let text = "";
  let isChanged = false;
  let isOver = false;
  for await (const chunk of chunks) {
    const { text: words = "", thinking: thoughts = "", thinking_signature, ...rest } = chunk;
    if (isOver) {
      // The usage of a call that was cut is counted, and its failure ends the call.
      if (rest.usage || rest.error) yield { usage: rest.usage, error: rest.error };
      continue;
    }
    if (thinking.length + text.length + thoughts.length + words.length > room()) {
      yield* releaseAll();
      if (!isOver) yield { error: modelError("output_limit") };
      return;
    }
    // In the order in which a chunk is written: a signature ends a thought, thinking ends a text.
    if (thinking_signature !== undefined) {
      yield* release("thinking");
      if (!isChanged) yield { thinking_signature };
      isChanged = false;
    }
    const hasCalls = (rest.tool_calls?.length ?? 0) > 0;
    if (text !== "" && words === "" && (thoughts !== "" || hasCalls)) yield* release("text");
    thinking += thoughts;
    if (thinking !== "" && thoughts === "" && (words !== "" || hasCalls)) {
      yield* release("thinking");
    }
    text += words;
    if (rest.error && !isOver) yield* releaseAll();
    if (!isOver && Object.keys(rest).length > 0) {
      if (hasCalls || rest.ends_block) yield* releaseAll();
      if (!isOver) yield rest;
    }
  }
  yield* releaseAll();

  async function* releaseAll(): AsyncGenerator<ModelChunk, void> {
    yield* release("thinking");
    yield* release("text");
  }

  async function* release(type: "text" | "thinking"): AsyncGenerator<ModelChunk, void> {
    const given = type === "text" ? text : thinking;
    if (type === "text") text = "";
    else thinking = "";
    if (given === "" || isOver) return;
    const shown = await print(type, given);
    isOver = shown.isLast;
    if (type === "thinking") isChanged = shown.text !== given;
    if (shown.text !== "") yield type === "text" ? { text: shown.text } : { thinking: shown.text };
  }
}
