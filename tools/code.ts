// The `code` tool: a typed function that those who deploy the Worker have put into it.
import { z } from "zod";

import type { StopSignal, ToolCallRequest, ToolChunk, ToolDeclaration } from "../agent/ports.ts";
import { ToolNameSchema } from "../protocol/api/agents.ts";
import type { ContentBlockInput } from "../protocol/messages/blocks.ts";
import { DEFAULT_TOOL_TIMEOUT_MS } from "../protocol/limits/tools.ts";
import { answerChunks, failure, parseAnswer, textChunks } from "./answer-shape.ts";

/** What a function hears of the call that it answers. */
export interface CodeCall extends Omit<ToolCallRequest, "name" | "input"> {
  /** Aborted when nobody waits for the answer any more: after the timeout, or an interrupt. */
  readonly signal: AbortSignal;
}

type OutputBlock = Extract<ContentBlockInput, { type: "text" | "data" }>;

/** Text, blocks, or text piece by piece. */
export type CodeOutput = string | readonly OutputBlock[] | AsyncIterable<string>;

type Flags = Omit<ToolDeclaration, "name" | "description" | "input_schema" | "external">;

export interface CodeTool extends Omit<ToolDeclaration, "external"> {
  readonly timeout_ms: number;
  /** @param input Valid against `input_schema`. */
  readonly run: (input: unknown, call: CodeCall) => Promise<CodeOutput>;
}

export interface CodeToolDefinition<Input extends z.ZodObject> extends Partial<Flags> {
  readonly name: string;
  /** Tells the model what the tool does. */
  readonly description: string;
  readonly input: Input;
  /** Milliseconds that a call may take; {@link DEFAULT_TOOL_TIMEOUT_MS} when left out. */
  readonly timeout_ms?: number;
  /**
   * What it throws becomes a result with state `error` and a fixed text; the text of a {@link ToolFailure} is shown to
   * the model.
   */
  readonly run: (input: z.output<Input>, call: CodeCall) => CodeOutput | Promise<CodeOutput>;
}

/** Thrown by a tool's function: its message is what the model is told. */
export class ToolFailure extends Error {
  override readonly name = "ToolFailure";
}

/**
 * A tool for the list in `code-tools.ts`.
 * @throws {z.ZodError} when the name is none that a model can call; {Error} when the schema is none of JSON.
 */
export function defineCodeTool<Input extends z.ZodObject>({
  name,
  input: schema,
  run,
  ...given
}: CodeToolDefinition<Input>): CodeTool {
  const { $schema: _dialect, ...input_schema } = z.toJSONSchema(schema, { io: "input" });
  return {
    read_only: false,
    concurrency_safe: false,
    idempotent: false,
    timeout_ms: DEFAULT_TOOL_TIMEOUT_MS,
    ...given,
    name: ToolNameSchema.parse(name),
    input_schema,
    async run(value, call) {
      const parsed = schema.safeParse(value);
      if (parsed.success) return run(parsed.data, call);
      throw new ToolFailure(`The input does not fit. ${z.prettifyError(parsed.error)}`);
    },
  };
}

export interface CodeToolCall {
  readonly tool: CodeTool;
  readonly request: ToolCallRequest;
  readonly stop: StopSignal;
}

/** Nobody waits for the function any more. */
class CallOver extends Error {
  override readonly name = "CallOver";
}

/**
 * Contract: never throws. A function cannot be stopped from outside: one that is late or interrupted is told by its
 * signal and not waited for.
 */
export async function* runCodeTool({
  tool,
  request,
  stop,
}: CodeToolCall): AsyncGenerator<ToolChunk, void> {
  const { name: _name, input, ...rest } = request;
  const controller = new AbortController();
  const over = Promise.withResolvers<never>();
  over.promise.catch(() => undefined);
  const end = (): void => {
    controller.abort();
    over.reject(new CallOver());
  };
  const timer = setTimeout(end, tool.timeout_ms);
  stop.addEventListener("abort", end, { once: true });
  if (stop.aborted) end();
  let isTextBefore = false;
  let last: ToolChunk | null = null;
  try {
    const answer = tool.run(input, { ...rest, signal: controller.signal });
    for await (const chunk of outputChunks(answer, over.promise)) {
      if (chunk.type === "text") isTextBefore = true;
      if (chunk.type === "end") last = chunk;
      else yield chunk;
    }
  } catch (error) {
    if (stop.aborted) return;
    const reason = describe(error, tool);
    for (const chunk of failure(isTextBefore ? `\n${reason}` : reason)) {
      if (chunk.type === "end") last = chunk;
      else yield chunk;
    }
  } finally {
    // Before the last chunk: who reads it may never come back for more.
    clearTimeout(timer);
    stop.removeEventListener("abort", end);
    controller.abort();
  }
  if (last && !stop.aborted) yield last;
}

async function* outputChunks(
  answer: Promise<CodeOutput>,
  over: Promise<never>,
): AsyncGenerator<ToolChunk, void> {
  const output = await unlessOver(answer, over);
  if (!isStream(output)) {
    const parsed = parseAnswer({ output });
    if (!parsed) throw new ToolFailure("The tool's answer is neither text nor blocks.");
    yield* answerChunks(parsed);
    return;
  }
  const pieces = output[Symbol.asyncIterator]();
  try {
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop
      const { done, value } = await unlessOver(pieces.next(), over);
      if (done) break;
      yield* textChunks(String(value));
    }
  } finally {
    // Lets go of what the function holds; it may be in the middle of a piece, and nobody waits for that.
    pieces.return?.().catch(() => undefined);
  }
  yield { type: "end", state: "success" };
}

function isStream(output: CodeOutput): output is AsyncIterable<string> {
  return typeof output === "object" && output !== null && Symbol.asyncIterator in output;
}

function unlessOver<Value>(value: Promise<Value>, over: Promise<never>): Promise<Value> {
  // What comes too late is nobody's failure.
  value.catch(() => undefined);
  return Promise.race([value, over]);
}

function describe(error: unknown, { name, timeout_ms }: CodeTool): string {
  if (error instanceof CallOver) return `The tool did not answer within ${timeout_ms} ms.`;
  if (error instanceof ToolFailure) return error.message;
  console.error("a code tool failed", { tool: name, error });
  return "The tool failed.";
}
