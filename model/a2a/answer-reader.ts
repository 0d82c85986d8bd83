// Reads what an agent says of its task into the chunks of a model: artifacts and messages are text and media, its words
// while it works are thoughts.
import { ResultWriter } from "../../agent/a2a/result-writer.ts";
import type { ModelChunk } from "../../agent/ports.ts";
import type { A2aMessage, A2aStreamResponse, A2aTaskStatus } from "../../protocol/a2a/wire.ts";
import { STRUCTURED_OUTPUT_TOOL } from "../../protocol/schemas/structured-output.ts";

type Piece = ReturnType<ResultWriter["end"]>[number];

export class AnswerReader {
  readonly #writer = new ResultWriter("answer");
  readonly #isStructured: boolean;
  #held = "";
  #media = 0;
  #status: A2aTaskStatus | null = null;
  #said = "";

  /** @param isStructured The answer is JSON: it becomes a call of the tool of structured output, whatever it is. */
  constructor(isStructured: boolean) {
    this.#isStructured = isStructured;
  }

  /** The last status; null before the first one, and for an agent that answers with a message alone. */
  get status(): A2aTaskStatus | null {
    return this.#status;
  }

  read({ task, message, statusUpdate, artifactUpdate }: A2aStreamResponse): readonly ModelChunk[] {
    const status = task?.status ?? statusUpdate?.status ?? null;
    if (status) this.#status = status;
    const thought = status ? this.#thoughtOf(status) : [];
    if (message) return this.#chunks(this.#writer.message(message.parts));
    if (artifactUpdate) return this.#chunks(this.#writer.update(artifactUpdate));
    return task ? [...thought, ...this.#chunks(this.#writer.task(task))] : thought;
  }

  /** The rest, once the task is over or waits. */
  end(): readonly ModelChunk[] {
    const chunks = this.#chunks(this.#writer.end());
    const last = this.#status?.message;
    const isDone = this.#status?.state === "TASK_STATE_COMPLETED";
    const words = this.#writer.isEmpty && isDone && last ? this.#writer.message(last.parts) : [];
    const all = [...chunks, ...this.#chunks(words)];
    if (!this.#isStructured || this.#writer.isEmpty) return all;
    const delta = jsonIn(this.#held);
    return [...all, { tool_calls: [{ index: 0, name: STRUCTURED_OUTPUT_TOOL, delta }] }];
  }

  /** Whether it has said anything that is an answer. */
  get isEmpty(): boolean {
    return this.#writer.isEmpty;
  }

  #chunks(pieces: readonly Piece[]): readonly ModelChunk[] {
    return pieces.flatMap((piece): readonly ModelChunk[] => {
      if (piece.type === "text") {
        this.#held += this.#isStructured ? piece.delta : "";
        return this.#isStructured ? [] : [{ text: piece.delta }];
      }
      this.#media += 1;
      const { media_type, data } = piece;
      return [{ data: [{ index: this.#media, media_type, data }] }];
    });
  }

  /** Each text once: a status is told again in every snapshot. */
  #thoughtOf({ state, message }: A2aTaskStatus): readonly ModelChunk[] {
    if (state !== "TASK_STATE_WORKING" && state !== "TASK_STATE_SUBMITTED") return [];
    const text = textIn(message);
    if (text === "" || text === this.#said) return [];
    this.#said = text;
    return [{ thinking: `${text}\n` }];
  }
}

function textIn(message: A2aMessage | undefined): string {
  return (message?.parts ?? []).flatMap(({ text }) => (text ? [text] : [])).join("\n");
}

/** The JSON of an answer that was asked for as such: models put it into a block of Markdown, or words around it. */
function jsonIn(text: string): string {
  const [, fenced] = /```(?:json)?\s*\n([\s\S]*?)\n\s*```/.exec(text) ?? [];
  if (fenced !== undefined) return fenced.trim();
  const begin = text.indexOf("{");
  const end = text.lastIndexOf("}");
  return begin !== -1 && end > begin ? text.slice(begin, end + 1) : text.trim();
}
