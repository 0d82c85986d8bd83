// The output of one call of an agent: its artifacts as text and media, its words about its work as progress.
import { wordsOf } from "../../agent/a2a/remote-task.ts";
import { toldUsageOf } from "../../agent/a2a/told-usage.ts";
import { ResultWriter } from "../../agent/a2a/result-writer.ts";
import type { ToolCallRequest, ToolChunk } from "../../agent/ports.ts";
import { isAtRest } from "../../a2a/client/task-state.ts";
import type { RemoteAgentClient } from "../../a2a/client/remote-client.ts";
import { SecretFilter } from "../../outgoing/secret-filter.ts";
import type { ToldUsage } from "../../protocol/a2a/told-usage.ts";
import type { A2aPart, A2aStreamResponse } from "../../protocol/a2a/wire.ts";
import { failureWithoutResult } from "../answer-shape.ts";
import { ProgressPace } from "../mcp/progress-pace.ts";

/** Media types that a result can have. */
export const OUTPUT_MODES = ["text/plain", "application/json", "image/png", "image/jpeg"];

export class RemoteOutput {
  readonly #client: Pick<RemoteAgentClient, "secrets">;
  readonly #writer: ResultWriter;
  readonly #progress = new ProgressPace(() => Date.now());
  #filter: SecretFilter | null = null;
  /** As the agent has told it last. */
  #usage: ToldUsage | null = null;

  constructor({ tool_call_id, written = [] }: ToolCallRequest, client: RemoteAgentClient) {
    this.#client = client;
    this.#writer = new ResultWriter(tool_call_id, typeof written === "string" ? [] : written);
  }

  *tell(response: A2aStreamResponse): Generator<ToolChunk, void> {
    const { task, statusUpdate, artifactUpdate, message } = response;
    this.#usage = toldUsageOf(response) ?? this.#usage;
    if (statusUpdate && !isAtRest(statusUpdate.status.state)) {
      const said = wordsOf(statusUpdate.status.message);
      const due = said && this.#progress.take({ message: said, progress: null, total: null });
      if (due) yield { type: "progress", ...due };
    }
    if (task) yield* this.#write(this.#writer.task(task));
    if (artifactUpdate) yield* this.#write(this.#writer.update(artifactUpdate));
    if (message) yield* this.#write(this.#writer.message(message.parts));
  }

  /** @param said With the end, by agents that make no artifact. @param reason Why there is no more; null for a success. */
  *end(
    said: readonly A2aPart[],
    reason: string | null,
    about: Record<string, unknown>,
  ): Generator<ToolChunk, void> {
    const metadata = { a2a: { ...about, ...(this.#usage && { usage: this.#usage }) } };
    const last = this.#progress.takeLast();
    if (last) yield { type: "progress", ...last };
    yield* this.#write(this.#writer.end());
    if (reason === null && this.#writer.isEmpty) yield* this.#write(this.#writer.message(said));
    const held = this.#filter?.release() ?? "";
    if (held !== "") yield { type: "text", delta: held };
    if (reason !== null) yield { type: "text", delta: this.#apart(reason) };
    yield { type: "end", state: reason === null ? "success" : "error", metadata };
  }

  fail(reason: string): Iterable<ToolChunk> {
    return failureWithoutResult(this.#apart(reason));
  }

  #apart(reason: string): string {
    return this.#writer.isEmpty ? reason : `\n\n${reason}`;
  }

  /** A secret that comes in pieces is taken out of the whole. */
  *#write(chunks: readonly ToolChunk[]): Generator<ToolChunk, void> {
    this.#filter ??= new SecretFilter(this.#client.secrets);
    for (const chunk of chunks) {
      const delta = chunk.type === "text" ? this.#filter.read(chunk.delta) : null;
      if (delta === null) yield chunk;
      else if (delta !== "") yield { type: "text", delta };
    }
  }
}
