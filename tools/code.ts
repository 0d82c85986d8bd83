// The `code` tool: a typed function that is deployed with the Worker.
import * as z from "zod";

import { firstInexact, withDoubles } from "../agent/exact-number.ts";
import type { StopSignal, ToolCallRequest, ToolChunk, ToolDeclaration } from "../agent/ports.ts";
import { ToolNameSchema } from "../protocol/tools/named-tool.ts";
import type { ContentBlockInput } from "../protocol/messages/blocks.ts";
import { findMessageProblem } from "../protocol/tools/confirmation-message.ts";
import { DEFAULT_TOOL_TIMEOUT_MS } from "../protocol/tools/limits.ts";
import { inexactText } from "../agent/tool-call/inexact-input.ts";
import type { AnsweredEventInput } from "../protocol/told/answered-events.ts";
import { ToldQueue } from "./told-queue.ts";
import { answerChunks, failure, omittedEvents, parseAnswer, textChunks } from "./answer-shape.ts";

/** The call as the function gets it. */
export interface CodeCall extends Omit<ToolCallRequest, "name" | "input"> {
  /** Aborted when the result is no longer awaited: after the timeout, or an interrupt. */
  readonly signal: AbortSignal;
  /** Tells readers of the session events of the tool's own, and the model hints, at once; those that are not accepted are left out. */
  readonly emit: (...events: readonly AnsweredEventInput[]) => void;
}

type OutputBlock = Extract<ContentBlockInput, { type: "text" | "data" }>;

/** The last word of a function, beside its output. */
export interface CodeEnd {
  /** Ends the reply, completed, once all calls of the turn have their results. */
  readonly stop?: true;
}

/** A text, blocks, either with what the end says, or a stream of text pieces that may return that. */
export type CodeOutput =
  | string
  | readonly OutputBlock[]
  | (CodeEnd & { readonly output: string | readonly OutputBlock[] })
  // oxlint-disable-next-line typescript/no-invalid-void-type -- a generator that returns nothing
  | AsyncIterable<string, CodeEnd | undefined | void>;

type Flags = Omit<ToolDeclaration, "name" | "description" | "input_schema" | "external">;

export interface CodeTool extends Omit<ToolDeclaration, "external"> {
  readonly timeout_ms: number;
  /** @param input Validated against `input_schema`. */
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
   * An exception becomes a result with state `error` and a fixed text; a {@link ToolFailure} shows its own text to the
   * model.
   */
  readonly run: (input: z.output<Input>, call: CodeCall) => CodeOutput | Promise<CodeOutput>;
}

/** Thrown by a tool's function to give the model a reason: its message is the result. */
export class ToolFailure extends Error {
  override readonly name = "ToolFailure";
}

/**
 * Defines a tool for the list in `code-tools.ts`.
 * @throws {z.ZodError} when a model cannot call a tool of this name; {Error} when the schema cannot be written as JSON
 *   Schema, or when its confirmation_message cannot be filled.
 */
export function defineCodeTool<Input extends z.ZodObject>({
  name,
  input: schema,
  run,
  ...given
}: CodeToolDefinition<Input>): CodeTool {
  const { $schema: _dialect, ...input_schema } = z.toJSONSchema(schema, { io: "input" });
  const { confirmation_message } = given;
  const problem = findMessageProblem({ confirmation_message, input_schema });
  if (problem !== null) throw new Error(`${name}: confirmation_message ${problem}`);
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

type EndChunk = Extract<ToolChunk, { type: "end" }>;

/** Thrown when the function's result is no longer awaited. */
class CallOver extends Error {
  override readonly name = "CallOver";
}

/**
 * Contract: never throws. A function cannot be stopped from outside: after a timeout or an interrupt its signal is
 * aborted and its result is ignored.
 */
export async function* runCodeTool({
  tool,
  request,
  stop,
}: CodeToolCall): AsyncGenerator<ToolChunk, void> {
  const { name: _name, input: given, ...rest } = request;
  const inexact = firstInexact(given);
  if (inexact !== null) {
    yield* failure(inexactText(tool.name, inexact));
    return;
  }
  const input = withDoubles(given);
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
  let last: EndChunk | null = null;
  const told = new ToldQueue();
  try {
    const emit: CodeCall["emit"] = (...events) => told.tell(events);
    const answer = tool.run(input, { ...rest, signal: controller.signal, emit });
    for await (const chunk of told.join(outputChunks(answer, over.promise))) {
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
    // Before the last chunk, since the consumer may not request another one.
    clearTimeout(timer);
    stop.removeEventListener("abort", end);
    controller.abort();
  }
  if (!last || stop.aborted) return;
  const omitted = omittedEvents(told.note);
  yield told.note === null ? last : { ...last, metadata: { ...omitted, ...last.metadata } };
}

async function* outputChunks(
  answer: Promise<CodeOutput>,
  over: Promise<never>,
): AsyncGenerator<ToolChunk, void> {
  const output = await unlessOver(answer, over);
  if (!isStream(output)) {
    const { stop, ...answer } = isEnded(output) ? output : { output };
    const parsed = parseAnswer(answer);
    if (!parsed) throw new ToolFailure("The tool's answer is neither text nor blocks.");
    for (const chunk of answerChunks(parsed)) {
      yield chunk.type === "end" ? { ...chunk, ...stopOf({ stop }) } : chunk;
    }
    return;
  }
  const pieces = output[Symbol.asyncIterator]();
  let end: CodeEnd = {};
  try {
    for (;;) {
      const { done, value } = await unlessOver(pieces.next(), over);
      if (done) {
        end = value ?? {};
        break;
      }
      yield* textChunks(String(value));
    }
  } finally {
    // Releases the function's resources without waiting: it may be in the middle of a piece.
    pieces.return?.().catch(() => undefined);
  }
  yield { type: "end", state: "success", ...stopOf(end) };
}

type Streamed = Extract<CodeOutput, AsyncIterable<unknown>>;
type Ended = Extract<CodeOutput, { readonly output: unknown }>;

function isStream(output: CodeOutput): output is Streamed {
  return typeof output === "object" && output !== null && Symbol.asyncIterator in output;
}

function isEnded(output: Exclude<CodeOutput, Streamed>): output is Ended {
  return typeof output === "object" && output !== null && "output" in output;
}

function stopOf({ stop }: { readonly stop?: true | undefined }) {
  return stop === true ? { stops: true as const } : {};
}

function unlessOver<Value>(value: Promise<Value>, over: Promise<never>): Promise<Value> {
  // A late rejection is ignored.
  value.catch(() => undefined);
  return Promise.race([value, over]);
}

function describe(error: unknown, { name, timeout_ms }: CodeTool): string {
  if (error instanceof CallOver) return `The tool did not answer within ${timeout_ms} ms.`;
  if (error instanceof ToolFailure) return error.message;
  console.error("a code tool failed", { tool: name, error });
  return "The tool failed.";
}
