// One call of an agent of another system in the place of a model. What was sent is in the log before it leaves, and is never
// sent again: after a crash the task is fetched.
import { followRemoteTask, type RemoteStart } from "../../a2a/client/follow-remote-task.ts";
import type { RemoteAgentClient } from "../../a2a/client/remote-client.ts";
import { isTerminal } from "../../a2a/client/task-state.ts";
import { hasExtension } from "../../a2a/cards/resolved-card.ts";
import type { ModelReporter } from "../../agent/failure-report.ts";
import type { ModelChunk, ModelRequest, StopSignal } from "../../agent/ports.ts";
import { toldUsageOf, usageSince } from "../../agent/a2a/told-usage.ts";
import { redact } from "../../outgoing/redact.ts";
import {
  MAX_REMOTE_MESSAGE_CHARACTERS,
  REMOTE_REQUEST_MS,
} from "../../protocol/a2a/client-limits.ts";
import { A2A_EXTENSION } from "../../protocol/a2a/extension.ts";
import type { RemoteConversation } from "../../protocol/a2a/remote-conversation.ts";
import { MAX_REMOTE_REPLY_MS } from "../../protocol/a2a/remote-limits.ts";
import type { ToldUsage } from "../../protocol/a2a/told-usage.ts";
import type { A2aStreamResponse } from "../../protocol/a2a/wire.ts";
import type { ErrorInfo } from "../../protocol/messages/messages.ts";
import { STRUCTURED_OUTPUT_TOOL } from "../../protocol/schemas/structured-output.ts";
import { AnswerReader } from "./answer-reader.ts";
import { authorOf } from "./author-of.ts";
import { nextMessage } from "./next-message.ts";
import { questionCall } from "./question-call.ts";
import { errorOf, REMOTE_ERRORS, reportOf } from "./remote-errors.ts";
import { ReplyPush, type ReplyPushes } from "./reply-push.ts";

/** The conversation of a session with its agent, as a reply has it. */
export interface RemoteReply {
  readonly reply_id: string;
  /** As the log has it at this moment. */
  read(): RemoteConversation | null;
  /** Whether it was interrupted, or has ended. */
  isOver(): boolean;
  /** Agents that have called each other over A2A above this reply. */
  readonly depth: number;
  /** Left out where no agent can reach the platform. */
  readonly pushes?: ReplyPushes;
}

interface TurnSettings {
  readonly request: ModelRequest;
  readonly reply: RemoteReply;
  readonly stop: StopSignal;
  readonly signal: AbortSignal;
  readonly report: ModelReporter | undefined;
  /** Gets what the agent says that the call has cost, in US dollars. */
  readonly costs: (usd: number | null) => void;
}

/** One model call: a message, and the task that comes of it. */
export class RemoteTurn {
  readonly #client: RemoteAgentClient;
  readonly #settings: TurnSettings;
  readonly #reader: AnswerReader;
  #state: RemoteConversation;
  /** The usage of the task so far, as it was told last. */
  #told: ToldUsage | null = null;
  readonly #push: ReplyPush;

  constructor(client: RemoteAgentClient, settings: TurnSettings) {
    this.#client = client;
    this.#settings = settings;
    this.#push = new ReplyPush(client, settings.reply.pushes);
    this.#reader = new AnswerReader(
      settings.request.tools.some(({ name }) => name === STRUCTURED_OUTPUT_TOOL),
    );
    const author = authorOf(client.card);
    const known = settings.reply.read();
    this.#state = known?.author === author ? known : { ...NEW, author };
  }

  async *run(): AsyncGenerator<ModelChunk, void> {
    const { request, reply, report } = this.#settings;
    const before = this.#state;
    const isOwn = before.reply_id === reply.reply_id;
    const next = nextMessage(request, {
      reply_id: reply.reply_id,
      state: isOwn ? before : { ...before, answered_call: null },
      hasExtension: hasExtension(this.#client.card, A2A_EXTENSION),
    });
    if (next.type === "nothing") {
      if (isOwn && before.task_id !== null) {
        yield* this.#follow({ type: "task", taskId: before.task_id });
      } else yield* failed(isOwn ? REMOTE_ERRORS.unsure : REMOTE_ERRORS.nothing, report);
      return;
    }
    const { sent_through, answered_call } = next;
    if (next.type === "cancel") {
      if (next.task_id !== "") this.#cancel(next.task_id);
      yield this.#note({ sent_through, answered_call, is_waiting: false });
      yield { text: NOT_ANSWERED };
      return;
    }
    const { task_id = null, parts } = next;
    // Nobody answers any more what an earlier reply was asked.
    if (before.is_waiting && task_id === null && before.task_id !== null)
      this.#cancel(before.task_id);
    const sends = (isOwn ? before.sends : 0) + 1;
    const { reply_id } = reply;
    if (task_id === null) this.#state = withoutTold(this.#state);
    const sent = { reply_id, sends, sent_through, answered_call, task_id, is_waiting: false };
    const note = this.#note(sent);
    const { context_id } = this.#state;
    const message = {
      messageId: `${reply_id}.${sends}`,
      role: "ROLE_USER" as const,
      parts,
      ...(context_id !== null && { contextId: context_id }),
      ...(task_id !== null && { taskId: task_id }),
    };
    yield* this.#follow({ type: "message", message }, { before, note });
  }

  async *#follow(
    first: RemoteStart,
    { before, note }: Sent = {},
  ): AsyncGenerator<ModelChunk, void> {
    const { stop, signal, report } = this.#settings;
    const untilMs = Date.now() + MAX_REMOTE_REPLY_MS;
    let start = first;
    let isResting = false;
    let hasHeard = false;
    try {
      if (note) yield note;
      for (;;) {
        for await (const step of followRemoteTask(this.#client, start, { stop: signal })) {
          if (stop.aborted) return;
          if (step.type === "failed") {
            const { failure } = step;
            isResting = true;
            report?.({ failure: reportOf(failure) });
            if (before && !hasHeard && !failure.mayHaveArrived) {
              yield this.#note({ ...before, sends: this.#state.sends });
            }
            // A task is asked for again, and never sent again.
            const isUnsure = failure.mayHaveArrived && this.#state.task_id === null;
            yield { error: errorOf({ ...failure, mayHaveArrived: isUnsure }) };
            return;
          }
          if (step.type === "update") {
            hasHeard = true;
            const learned = this.#learn(step.response);
            if (learned) yield learned;
            this.#told = toldUsageOf(step.response) ?? this.#told;
            yield* this.#reader.read(step.response);
          }
          if (step.type === "at_rest") {
            isResting = true;
            yield* this.#end();
            return;
          }
        }
        if (stop.aborted) return;
        const { task_id } = this.#state;
        if (task_id === null) {
          yield* failed(REMOTE_ERRORS.unsure, report);
          return;
        }
        if (Date.now() > untilMs) {
          yield* failed(REMOTE_ERRORS.late, report);
          return;
        }
        await this.#push.untilLook(task_id, untilMs, signal);
        this.#client.renewBounds();
        start = { type: "task", taskId: task_id };
      }
    } finally {
      const { task_id } = this.#state;
      // An execution that takes the reply over goes on with the task.
      const isLeft = !stop.aborted || this.#settings.reply.isOver();
      if (isLeft && task_id !== null) this.#leave(task_id, !isResting);
    }
  }

  *#end(): Generator<ModelChunk, void> {
    const { report } = this.#settings;
    const { status } = this.#reader;
    const isDone = status === null || status.state === "TASK_STATE_COMPLETED";
    if (isDone) {
      yield* this.#reader.end();
      if (this.#reader.isEmpty) yield* failed(REMOTE_ERRORS.empty, report);
      else yield* this.#tell();
      return;
    }
    if (!isTerminal(status.state)) {
      yield* this.#reader.end();
      yield* this.#tell();
      yield this.#note({ is_waiting: true, ...(this.#told && { told: this.#told }) });
      yield questionCall({
        task_id: this.#state.task_id ?? "",
        agent: this.#client.card.name,
        status,
      });
      return;
    }
    const said = (status.message?.parts ?? []).flatMap(({ text }) => (text ? [text] : []));
    const error =
      status.state === "TASK_STATE_REJECTED"
        ? REMOTE_ERRORS.rejected
        : status.state === "TASK_STATE_CANCELED"
          ? REMOTE_ERRORS.canceled
          : REMOTE_ERRORS.failed;
    const message = redact(said.join(" "), [], MAX_REMOTE_MESSAGE_CHARACTERS);
    report?.({ failure: { kind: "provider_error", ...(message !== "" && { message }) } });
    yield { error };
  }

  /** The usage that no call before has counted, for a task whose agent tells it. */
  *#tell(): Generator<ModelChunk, void> {
    if (!this.#told) return;
    const { cost_usd, ...counts } = usageSince(this.#told, this.#state.told);
    this.#settings.costs(cost_usd);
    const usage = { ...counts, cache_input_tokens: 0, cache_creation_input_tokens: 0 };
    yield { usage, is_usage_told: true };
  }

  /** Null where the frame says no more of task and context than is known. */
  #learn({ task, message, statusUpdate, artifactUpdate }: A2aStreamResponse): ModelChunk | null {
    const about = statusUpdate ?? artifactUpdate ?? message;
    const task_id = task?.id ?? about?.taskId ?? this.#state.task_id;
    const context_id = ((task ?? about)?.contextId || null) ?? this.#state.context_id;
    if (task_id === this.#state.task_id && context_id === this.#state.context_id) return null;
    return this.#note({ task_id, context_id });
  }

  #note(change: Partial<RemoteConversation>): ModelChunk {
    this.#state = { ...this.#state, ...change };
    return { remote: this.#state };
  }

  #cancel(taskId: string): void {
    this.#leave(taskId, true);
  }

  /** Best effort, beside the reply: an interrupted one has no time for it. Nothing more has to be told of the task. */
  #leave(taskId: string, isCancelled: boolean): void {
    const signal = AbortSignal.timeout(REMOTE_REQUEST_MS);
    const told = isCancelled ? this.#client.cancelTask(taskId, { signal }) : Promise.resolve();
    told.then(() => this.#push.end(taskId, signal)).catch(() => undefined);
  }
}

interface Sent {
  /** The conversation that the log is to have again, if nothing has left. */
  readonly before?: RemoteConversation;
  /** On disk before the message leaves. */
  readonly note?: ModelChunk;
}

function withoutTold({ told: _, ...rest }: RemoteConversation): RemoteConversation {
  return rest;
}

const NEW: Omit<RemoteConversation, "author"> = {
  reply_id: "",
  sends: 0,
  sent_through: null,
  answered_call: null,
  context_id: null,
  task_id: null,
  is_waiting: false,
};

const NOT_ANSWERED = "The question was not answered, so the task was cancelled.";

export function* failed(
  error: ErrorInfo,
  report: ModelReporter | undefined,
): Generator<ModelChunk, void> {
  report?.({ failure: { kind: "unknown", message: error.message } });
  yield { error };
}
