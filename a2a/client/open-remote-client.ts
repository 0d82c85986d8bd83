// Talks to one agent over the interface of its card that comes first. Every request is sent once: what a peer may have
// taken is never sent again.
import {
  failureKindOfError,
  failureKindOfStatus,
  hasNotLeft,
} from "../../outgoing/failure-kind.ts";
import { BodyTooBig } from "../../outgoing/body.ts";
import { OutgoingRefused } from "../../outgoing/outgoing.ts";
import { redact } from "../../outgoing/redact.ts";
import { SecretFilter } from "../../outgoing/secret-filter.ts";
import {
  MAX_REMOTE_BYTES,
  MAX_REMOTE_MESSAGE_CHARACTERS,
} from "../../protocol/a2a/client-limits.ts";
import { A2A_EXTENSION } from "../../protocol/a2a/extension.ts";
import { A2A_DEPTH_HEADER } from "../../protocol/a2a/headers.ts";
import type { A2aStreamResponse, A2aTask } from "../../protocol/a2a/wire.ts";
import { hasExtension, type ResolvedCard } from "../cards/resolved-card.ts";
import { readAnswer, readAnswers, readError, readText, type WireAnswer } from "./read-answer.ts";
import { readConfigId, readStreamResponse, readTask } from "./read-wire.ts";
import type {
  RemoteAgentClient,
  RemoteFailure,
  RemoteOptions,
  RemotePorts,
  RemoteResult,
} from "./remote-client.ts";
import { writeRequest, type RemoteOperation, type WireRequest } from "./write-wire.ts";

const METHOD_NOT_FOUND = -32_601;
const UNSUPPORTED_OPERATION = -32_004;
/** JSON-RPC's internal error, and A2A's "invalid agent response". */
const BROKEN_INSIDE: ReadonlySet<number> = new Set([-32_603, -32_006]);
const NO_SUCH_METHOD: ReadonlySet<number> = new Set([404, 405, 501]);

type Sent =
  | { readonly ok: true; readonly response: Response; readonly filter: SecretFilter }
  | { readonly ok: false; readonly failure: RemoteFailure };

export function openRemoteClient(card: ResolvedCard, ports: RemotePorts): RemoteAgentClient {
  const [used] = card.interfaces;
  const agent = `The agent ${JSON.stringify(card.name.slice(0, 100))}`;
  const extensions = hasExtension(card, A2A_EXTENSION) ? A2A_EXTENSION : null;
  const canStream = card.capabilities.streaming === true;
  let sentSecrets: readonly string[] = [];
  let readBytes = 0;
  const take = (bytes: number): void => {
    readBytes += bytes;
    if (readBytes > MAX_REMOTE_BYTES) throw new BodyTooBig();
  };

  return {
    card,
    canStream,
    canPush: card.capabilities.pushNotifications === true,
    get secrets() {
      return sentSecrets;
    },
    renewBounds() {
      readBytes = 0;
    },
    async *send(message, { signal, acceptedOutputModes = [], returnImmediately = false }) {
      const about = { type: "send", message, acceptedOutputModes, returnImmediately } as const;
      if (canStream) {
        let isFirst = true;
        for await (const read of stream({ ...about, streams: true }, signal)) {
          const isRefused = isFirst && !read.ok && isUnknownMethod(read.failure);
          if (!isRefused) {
            isFirst = false;
            yield read;
            continue;
          }
          // The card promises what the agent does not know: it has refused, so it has not begun.
          yield await single({ ...about, streams: false }, signal, readStreamResponse);
          return;
        }
        return;
      }
      yield await single({ ...about, streams: false }, signal, readStreamResponse);
    },
    getTask: (taskId, options) => taskOf("get", taskId, options),
    cancelTask: (taskId, options) => taskOf("cancel", taskId, options),
    async *subscribe(taskId, { signal }) {
      yield* stream({ type: "subscribe", taskId }, signal);
    },
    createPush: (taskId, config, { signal }) =>
      single({ type: "create_push", taskId, config }, signal, (value) =>
        readConfigId(value, config.id),
      ),
    async deletePush(taskId, configId, { signal }) {
      await single({ type: "delete_push", taskId, configId }, signal, () => true);
    },
  };

  async function taskOf(
    type: "get" | "cancel",
    taskId: string,
    { signal }: RemoteOptions,
  ): Promise<RemoteResult<A2aTask>> {
    const read = await single({ type, taskId }, signal, (value) => {
      // 0.3 and 1.0 answer with the task itself; a wrapped one is read too.
      return readTask(value) ?? readStreamResponse(value)?.task ?? null;
    });
    if (!read.ok || read.value.id === taskId) return read;
    return broken("malformed_answer", "answered for another task", true);
  }

  async function single<Value>(
    operation: RemoteOperation,
    signal: AbortSignal,
    pick: (value: unknown) => Value | null,
  ): Promise<RemoteResult<Value>> {
    const request = writeRequest(used, operation);
    const sent = await exchange(request, signal, "application/json, application/a2a+json");
    if (!sent.ok) return sent;
    try {
      const text = await readText(sent.response, take);
      return settle(readAnswer(text, request.id), sent.filter, pick);
    } catch (error) {
      return thrown(error, true);
    }
  }

  async function* stream(
    operation: RemoteOperation,
    signal: AbortSignal,
  ): AsyncGenerator<RemoteResult<A2aStreamResponse>, void> {
    let request = writeRequest(used, operation);
    const accept = "text/event-stream, application/json, application/a2a+json";
    let sent = await exchange(request, signal, accept);
    const isUnknown = !sent.ok && NO_SUCH_METHOD.has(sent.failure.http_status ?? 0);
    if (isUnknown && operation.type === "subscribe" && request.id === null) {
      request = { ...request, method: "GET", body: null };
      sent = await exchange(request, signal, accept);
    }
    if (!sent.ok) {
      yield sent;
      return;
    }
    const { response, filter } = sent;
    try {
      const type = response.headers.get("content-type") ?? "";
      if (!/^text\/event-stream\b/i.test(type)) {
        const text = await readText(response, take);
        yield settle(readAnswer(text, request.id), filter, readStreamResponse);
        return;
      }
      for await (const answer of readAnswers(response, request.id, take)) {
        const read = settle(answer, filter, readStreamResponse);
        yield read;
        if (!read.ok) return;
      }
    } catch (error) {
      yield thrown(error, true);
    }
  }

  async function exchange(
    request: WireRequest,
    signal: AbortSignal,
    accept: string,
  ): Promise<Sent> {
    for (let tries = 1; ; tries += 1) {
      const sent = await fetchOnce(request, signal, accept);
      const isUnsigned = !sent.ok && sent.failure.http_status === 401;
      if (!isUnsigned || tries > 1 || ports.authorization.refused?.() !== true) return sent;
    }
  }

  async function fetchOnce(
    { url, method, body, contentType }: WireRequest,
    signal: AbortSignal,
    accept: string,
  ): Promise<Sent> {
    const authorized = await ports.authorization.authorize(url, signal);
    if (!authorized.ok) return failed("setup", authorized.reason, false);
    const { headers: own, query, secrets } = authorized;
    sentSecrets = secrets;
    const filter = new SecretFilter(secrets);
    const headers = new Headers({
      accept,
      "A2A-Version": used.version,
      ...(body !== null && { "content-type": contentType }),
      ...(extensions !== null && {
        [used.version === "0.3" ? "X-A2A-Extensions" : "A2A-Extensions"]: extensions,
      }),
      ...own,
      // The platform itself refuses what is too deep, and may be reached under names that it does not know.
      [A2A_DEPTH_HEADER]: String((ports.depth ?? 0) + 1),
    });
    const address = withQuery(url, query);
    let response: Response;
    try {
      response = await ports.outgoing(address, { method, headers, body, signal });
    } catch (error) {
      return thrown(error, false);
    }
    if (response.ok) return { ok: true, response, filter };
    const { status } = response;
    let text = "";
    try {
      text = await readText(response, take);
    } catch {
      // The status counts.
    }
    const error = readError(text);
    const message = redact(error?.message ?? text, secrets, MAX_REMOTE_MESSAGE_CHARACTERS);
    const failure: RemoteFailure = {
      kind: failureKindOfStatus(status),
      reason: `${agent} ${ofStatus(status)}.`,
      http_status: status,
      ...(typeof error?.code === "number" && { code: error.code }),
      ...(message !== "" && { message }),
      mayHaveArrived: status >= 500 || status === 408,
    };
    return { ok: false, failure };
  }

  function settle<Value>(
    answer: WireAnswer,
    filter: SecretFilter,
    pick: (value: unknown) => Value | null,
  ): RemoteResult<Value> {
    if (answer.type === "malformed") return broken("malformed_answer", answer.problem, true);
    if (answer.type === "error") {
      const said = filter.whole(answer.message.slice(0, 20_000));
      const message = redact(said, [], MAX_REMOTE_MESSAGE_CHARACTERS);
      const { code } = answer;
      const failure: RemoteFailure = {
        kind: code === -32_001 ? "not_found" : "tool_error",
        reason: `${agent} refused the request${code === null ? "" : ` with error ${code}`}.`,
        ...(code !== null && { code }),
        ...(message !== "" && { message }),
        // These come also of what the agent has begun.
        mayHaveArrived: code === null || BROKEN_INSIDE.has(code),
      };
      return { ok: false, failure };
    }
    const value = pick(filter.value(answer.value));
    if (value !== null) return { ok: true, value };
    return broken("malformed_answer", "answered with what is no task and no message", true);
  }

  function thrown(error: unknown, isAnswered: boolean): Failed {
    const kind = failureKindOfError(error, isAnswered);
    if (OutgoingRefused.isInstance(error)) {
      return broken(kind, `cannot be asked: ${error.message}`, false);
    }
    const problem = kind === "too_large" ? "sent more than there is room for" : PROBLEMS[kind];
    return broken(kind, problem ?? "could not be reached", isAnswered || !hasNotLeft(error));
  }

  function broken(kind: RemoteFailure["kind"], problem: string, hasArrived: boolean): Failed {
    return failed(kind, `${agent} ${problem}.`, hasArrived);
  }
}

type Failed = { readonly ok: false; readonly failure: RemoteFailure };

const PROBLEMS: { readonly [Kind in RemoteFailure["kind"]]?: string } = {
  connection_lost: "broke off its answer",
  timeout: "did not answer in time",
  dns: "has an address that cannot be found",
  tls: "has no certificate that can be used",
};

function failed(kind: RemoteFailure["kind"], reason: string, mayHave: boolean): Failed {
  return { ok: false, failure: { kind, reason, mayHaveArrived: mayHave } };
}

function ofStatus(status: number): string {
  if (status >= 300 && status < 400) {
    return `answered ${status}, a redirect; redirects are not followed`;
  }
  if (status === 401 || status === 403) {
    return `answered ${status}: it refuses the credential, or wants one`;
  }
  return `answered ${status}`;
}

function isUnknownMethod({ code, http_status, mayHaveArrived: mayHave }: RemoteFailure): boolean {
  if (mayHave && http_status !== 501) return false;
  return (
    code === METHOD_NOT_FOUND ||
    code === UNSUPPORTED_OPERATION ||
    (code === undefined && NO_SUCH_METHOD.has(http_status ?? 0))
  );
}

function withQuery(address: string, query: Readonly<Record<string, string>> | undefined): string {
  if (!query || !URL.canParse(address)) return address;
  const url = new URL(address);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url.href;
}
