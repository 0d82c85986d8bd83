// The steps of one call of an agent of another system, and what is known of its task between them.
import { messageParts } from "../../agent/a2a/message-parts.ts";
import { answerParts } from "../../agent/a2a/read-questions.ts";
import { readRemoteTask, wordsOf } from "../../agent/a2a/remote-task.ts";
import { plainLine } from "../../agent/tool-call/confirmation-question.ts";
import {
  heardOf,
  isSilentTooLong,
  keepTask,
  shownTask,
  unheardOf,
  type KeptTask,
} from "../../agent/mcp/kept-task.ts";
import type { ToolChunk } from "../../agent/ports.ts";
import {
  followRemoteTask,
  isFinal,
  type RemoteStart,
} from "../../a2a/client/follow-remote-task.ts";
import type { RemoteFailure } from "../../a2a/client/remote-client.ts";
import { isAtRest } from "../../a2a/client/task-state.ts";
import { redact } from "../../outgoing/redact.ts";
import {
  MAX_REMOTE_MESSAGE_CHARACTERS,
  REMOTE_POLL_MS,
  REMOTE_REQUEST_MS,
} from "../../protocol/a2a/client-limits.ts";
import type {
  A2aMessage,
  A2aPart,
  A2aStreamResponse,
  A2aTaskStatus,
} from "../../protocol/a2a/wire.ts";
import { pause } from "../../runtime/pause.ts";
import { askPeople, contextOf, noneAsked } from "./ask-people.ts";
import { CallContext } from "./call-context.ts";
import { endPushes, requestPushes } from "./call-pushes.ts";
import { messageIdOf } from "./message-id.ts";
import type { RemoteCall } from "./remote-call.ts";
import { OUTPUT_MODES, RemoteOutput } from "./remote-output.ts";
import { BY_HAND, ENDS, LATE, LOST, UNANSWERED, UNKNOWN } from "./remote-sentences.ts";

/** Chunks that are told now, and the message or task that is followed then; none at the end of this execution. */
interface Next {
  readonly chunks: Iterable<ToolChunk>;
  readonly start?: RemoteStart;
}

export class RunningCall {
  readonly #call: RemoteCall;
  readonly #signal: AbortSignal;
  readonly #agent: string;
  readonly #output: RemoteOutput;
  readonly #context: CallContext;
  #messageId = "";
  #task: KeptTask | null = null;
  #status: A2aTaskStatus | null = null;

  constructor(call: RemoteCall, signal: AbortSignal) {
    const { request, client } = call;
    this.#call = call;
    this.#signal = signal;
    this.#agent = plainLine(client.card.name, 100);
    this.#output = new RemoteOutput(request, client);
    this.#context = new CallContext(call);
  }

  /** The first step: the message is sent, an answer is, or the task is asked for. */
  async begin(): Promise<Next> {
    const { request, remote } = this.#call;
    const { tool_call_id, input, answered } = request;
    const kept = remote?.kept(tool_call_id) ?? null;
    this.#messageId = await messageIdOf(request);
    const context = await this.#context.begin();
    if (!kept) {
      remote?.keep(tool_call_id, { isSent: true });
      return this.#send(messageParts(input), "", context);
    }
    const { task } = kept;
    if (!task) return { chunks: this.#output.fail(LOST) };
    this.#task = task;
    const { questions = [], settled = {} } = task.remote ?? {};
    const isAnswered = questions.length > 0 && answered !== undefined;
    if (isAnswered) {
      const parts = answerParts(questions, { ...settled, ...answered.responses });
      if (!parts) return { chunks: this.#refuse(UNANSWERED) };
      const isErrand = questions.some(({ kind }) => kind === "errand");
      // The agent may have heard by itself of what people do elsewhere.
      const fetched = isErrand ? await this.#fetch(task.id) : null;
      const hasMoved = fetched?.ok && fetched.value.status.state !== "TASK_STATE_AUTH_REQUIRED";
      if (parts.length > 0 && !hasMoved) {
        this.#keep({ ...task, remote: noneAsked(contextOf(task)) });
        return this.#send(parts, `:${answered.round}`);
      }
    }
    return this.#goOn(task);
  }

  /** Runs the call to its end, or to the next wait. */
  async *follow(first: Next): AsyncGenerator<ToolChunk, void> {
    const { client, stop, silenceMs } = this.#call;
    const settings = { stop: this.#signal, acceptedOutputModes: OUTPUT_MODES, silenceMs };
    for (let next = first; ;) {
      yield* next.chunks;
      if (!next.start) return;
      const followed = followRemoteTask(client, next.start, settings);
      next = { chunks: [] };
      for await (const step of followed) {
        if (stop.aborted) return;
        if (step.type === "update") yield* this.#tell(step.response);
        else if (step.type === "failed") next = { chunks: this.#fail(step.failure) };
        else if (step.type === "at_rest") next = this.#atRest();
        else next = await this.#silent();
      }
      if (stop.aborted) return;
    }
  }

  /** The call was stopped: one that nobody else knows of is cancelled there. */
  leave(): void {
    if (!this.#call.remote && this.#task) this.#cancel();
  }

  async #goOn(task: KeptTask): Promise<Next> {
    if (Date.now() >= task.expires_at) return { chunks: this.#refuse(LATE) };
    const fetched = await this.#fetch(task.id);
    if (!fetched.ok) {
      const heard = this.#unheard(task, fetched.failure);
      return { chunks: heard ? this.#waitFor(heard) : this.#fail(fetched.failure, UNKNOWN) };
    }
    const { value } = fetched;
    const chunks = [...this.#tell({ task: value })];
    if (!isAtRest(value.status.state)) return { chunks, start: { type: "task", taskId: value.id } };
    const next = this.#atRest();
    return { ...next, chunks: [...chunks, ...next.chunks] };
  }

  /** The chunks for what the agent has said. */
  #tell(response: A2aStreamResponse): Iterable<ToolChunk> {
    const { task, statusUpdate } = response;
    this.#context.learn(response);
    if (task) this.#note(task);
    else if (statusUpdate) this.#note({ ...statusUpdate, id: statusUpdate.taskId });
    return this.#output.tell(response);
  }

  #note(told: {
    readonly id: string;
    readonly contextId: string;
    readonly status: A2aTaskStatus;
  }): void {
    const { id, contextId, status } = told;
    this.#status = status;
    const read = readRemoteTask({ id, status });
    const before = this.#task;
    if (before) {
      this.#task = heardOf(before, read, Date.now());
      return;
    }
    const remote = noneAsked(contextId);
    const { name } = this.#call.request;
    const origin = { server_id: name, server: this.#agent, session_id: null, remote };
    // From here on the task is asked for, whatever happens to this machine.
    this.#keep(keepTask(read, origin, Date.now()));
  }

  #atRest(): Next {
    const status = this.#status;
    switch (status?.state) {
      case "TASK_STATE_INPUT_REQUIRED":
      case "TASK_STATE_AUTH_REQUIRED":
        return this.#ask(status);
      case "TASK_STATE_FAILED":
      case "TASK_STATE_CANCELED":
      case "TASK_STATE_REJECTED": {
        const said = redact(wordsOf(status.message), [], MAX_REMOTE_MESSAGE_CHARACTERS);
        const reason = `The agent has ${ENDS[status.state]} its task.`;
        this.#call.report?.({ failure: { kind: "tool_error", message: said } });
        return { chunks: this.#end(said === "" ? reason : `${reason} It says: ${said}`) };
      }
      default:
        return { chunks: this.#end(null) };
    }
  }

  #ask(status: A2aTaskStatus): Next {
    const { remote, answerMs } = this.#call;
    const task = this.#task;
    if (!remote || !task) return { chunks: this.#refuse(BY_HAND) };
    const asked = askPeople(status, task, { agent: this.#agent, answerMs });
    if (asked.type === "refuse") return { chunks: this.#refuse(asked.reason) };
    this.#keep(asked.task);
    if (asked.type === "ask") return { chunks: [asked.chunk] };
    return this.#send(asked.parts, `:s${asked.task.rounds}`);
  }

  /** The task works on without a connection: it is looked at by alarm, or here, where nothing can wait. */
  async #silent(): Promise<Next> {
    const { remote, stop } = this.#call;
    const task = this.#task;
    if (!task) return { chunks: this.#refuse("The agent has named no task.") };
    if (remote) {
      const keep = (asked: KeptTask): void => this.#keep(asked);
      const told = await requestPushes(this.#call, task, keep, this.#signal);
      // Also what has happened before the agent had the address is seen.
      return { chunks: this.#waitFor({ ...told, poll_at: Date.now() + told.poll_ms }) };
    }
    const chunks: ToolChunk[] = [];
    while (!stop.aborted) {
      await pause(REMOTE_POLL_MS, stop);
      this.#call.client.renewBounds();
      const fetched = stop.aborted ? null : await this.#fetch(task.id);
      if (!fetched || stop.aborted) break;
      if (Date.now() >= task.expires_at) return { chunks: [...chunks, ...this.#refuse(LATE)] };
      if (!fetched.ok) {
        this.#task = this.#unheard(this.#task ?? task, fetched.failure);
        if (this.#task) continue;
        this.#task = task;
        return { chunks: [...chunks, ...this.#fail(fetched.failure)] };
      }
      chunks.push(...this.#tell({ task: fetched.value }));
      if (!isAtRest(fetched.value.status.state)) continue;
      const next = this.#atRest();
      return { ...next, chunks: [...chunks, ...next.chunks] };
    }
    return { chunks };
  }

  /** One look that failed says nothing of the task. @returns null where it will not be heard of any more. */
  #unheard(task: KeptTask, failure: RemoteFailure): KeptTask | null {
    const nowMs = Date.now();
    const later = unheardOf(task, nowMs);
    return isFinal(failure) || isSilentTooLong(later, nowMs) ? null : later;
  }

  #waitFor(task: KeptTask): ToolChunk[] {
    this.#keep(task);
    return [{ type: "task", task: shownTask(task) }];
  }

  /** @param reason Why the task has no result; null for one that has. */
  #end(reason: string | null): Iterable<ToolChunk> {
    if (this.#task) endPushes(this.#call.client, this.#task).catch(() => undefined);
    const about = {
      agent: this.#agent,
      ...(this.#task && { task_id: this.#task.id }),
      ...(this.#status && { state: this.#status.state }),
    };
    return this.#output.end(this.#status?.message?.parts ?? [], reason, about);
  }

  #fail(found: RemoteFailure, after = ""): Iterable<ToolChunk> {
    const { kind, http_status, message, reason, mayHaveArrived } = found;
    this.#call.report?.({ failure: { kind, http_status, message } });
    // Nobody will read what it makes.
    this.#cancel();
    const said = message === undefined ? reason : `${reason} It says: ${message}`;
    const unknown = after || (mayHaveArrived || this.#task ? UNKNOWN : "");
    return this.#output.fail(unknown === "" ? said : `${said} ${unknown}`);
  }

  /** The task is cancelled there, and the call ends here. */
  #refuse(reason: string): Iterable<ToolChunk> {
    this.#cancel();
    return this.#output.fail(reason);
  }

  /** Does not wait: nobody needs the agent's answer. */
  #cancel(): void {
    const task = this.#task;
    const { client } = this.#call;
    if (!task) return;
    const signal = AbortSignal.timeout(REMOTE_REQUEST_MS);
    const told = client.cancelTask(task.id, { signal }).then(() => endPushes(client, task));
    told.catch(() => undefined);
  }

  #fetch(id: string) {
    const signal = AbortSignal.any([this.#signal, AbortSignal.timeout(REMOTE_REQUEST_MS)]);
    return this.#call.client.getTask(id, { signal });
  }

  #keep(task: KeptTask): void {
    this.#task = task;
    this.#call.remote?.keep(this.#call.request.tool_call_id, { isSent: true, task });
  }

  /** @param suffix Tells the messages of one call apart. @param first Of a message that begins a task. */
  #send(parts: readonly A2aPart[], suffix: string, first = ""): Next {
    const context = this.#task ? contextOf(this.#task) : first;
    const message: A2aMessage = {
      messageId: `${this.#messageId}${suffix}`,
      role: "ROLE_USER",
      ...(this.#task && { taskId: this.#task.id }),
      ...(context !== "" && { contextId: context }),
      parts,
    };
    return { chunks: [], start: { type: "message", message } };
  }
}
