// The HTTP transport: sends a request, and retries where that is safe.
import type { Page } from "../../protocol/schemas/common.ts";
import type { Problem } from "../../protocol/problem.ts";
import { throwIfAborted } from "./abort-reason.ts";
import { ApiError } from "./api-error.ts";
import { toUrl } from "./api-request.ts";
import type { ApiRequest, PathParts, RequestOptions } from "./api-request.ts";
import { backOffMs } from "./back-off.ts";
import type { Settings } from "./reprise-options.ts";
import { ConnectionError } from "./connection-error.ts";
import { withDeadline } from "./with-deadline.ts";
import { Paged } from "./paged.ts";
import { pause } from "./pause.ts";
import { randomId } from "./random-id.ts";
import { untilAborted } from "./until-aborted.ts";

/** A response whose body has not been read. */
export interface OpenAnswer {
  readonly response: Response;
  /** Releases the connection, whether or not the body was read. */
  readonly close: () => void;
}

export class Transport {
  readonly settings: Settings;
  /**
   * Whether `fetch` gives bodies that can be read as they arrive. Null until an answer has shown it: to ask for a
   * stream where it cannot would give nothing before the stream's end.
   */
  canStream: boolean | null;
  /** Whether XMLHttpRequest may be tried in its place. */
  canProgress: boolean;
  /** The pending or current token, shared by all requests; null after the current one was refused. */
  #token: Promise<string | null> | null = null;

  constructor(settings: Settings, canStream: boolean | null, canProgress: boolean) {
    this.settings = settings;
    this.canStream = canStream;
    this.canProgress = canProgress;
  }

  /**
   * One attempt, and a second one with a new token if the first token is refused. Resolves when the response begins.
   *
   * @throws {ApiError} when the platform refuses. @throws {ConnectionError} when no answer came.
   * @throws The signal's reason when it is aborted, also while the body is read.
   */
  async open(request: ApiRequest): Promise<OpenAnswer> {
    throwIfAborted(request.signal);
    const asked = this.#authorize();
    const token = await untilAborted(asked, request.signal);
    try {
      return await this.#send(request, token);
    } catch (error) {
      if (!hasStatus(error, [401])) throw error;
      if (this.#token === asked) this.#token = null;
      const renewed = await untilAborted(this.#authorize(), request.signal);
      if (renewed === token) throw error;
      return this.#send(request, renewed);
    }
  }

  /** One token request for all waiting requests; a failure is retried by the next request. */
  #authorize(): Promise<string | null> {
    const { credential, timeoutMs } = this.settings;
    return (this.#token ??= withDeadline(Promise.resolve().then(credential), timeoutMs).catch(
      (error: unknown) => {
        this.#token = null;
        throw new ConnectionError(`no token: ${String(error)}`, error);
      },
    ));
  }

  async #send(request: ApiRequest, token: string | null): Promise<OpenAnswer> {
    const { method, body, bytes, accept, idempotencyKey, ifVersion, signal } = request;
    const { timeoutMs, baseUrl } = this.settings;
    const fetch = request.fetch ?? this.settings.fetch;
    throwIfAborted(signal);
    const url = toUrl(baseUrl, request);
    const json = body && JSON.stringify(body);
    const controller = new AbortController();
    const stop = () => controller.abort(signal?.reason);
    signal?.addEventListener("abort", stop);
    const close = () => {
      signal?.removeEventListener("abort", stop);
      controller.abort();
    };
    try {
      const headers = {
        ...(token !== null && { Authorization: `Bearer ${token}` }),
        Accept: accept ?? "application/json",
        ...(json && { "Content-Type": "application/json" }),
        ...(idempotencyKey && { "Idempotency-Key": idempotencyKey }),
        ...(ifVersion !== undefined && { "If-Match": `"${ifVersion}"` }),
      };
      const answer = fetch(url, {
        method,
        headers,
        body: json ?? bytes,
        signal: controller.signal,
      });
      const response = await withDeadline(answer, request.timeoutMs ?? timeoutMs);
      if (!request.fetch && response.status !== 204) {
        this.canStream ??= typeof response.body?.getReader === "function";
      }
      if (response.ok) return { response, close };
      throw await withDeadline(readApiError(response), timeoutMs);
    } catch (error) {
      close();
      throwIfAborted(signal);
      throw ApiError.isInstance(error) ? error : toConnectionError(error, request);
    }
  }

  /**
   * The JSON body; null for 204, and when an earlier attempt succeeded and its response was lost. Retried where that is
   * safe. Failures as in {@link open}.
   */
  async call<Body>(request: ApiRequest): Promise<Body> {
    const idempotencyKey = request.method === "POST" ? randomId("req") : undefined;
    const { maxRetries, reconnect } = this.settings;
    for (let failures = 1; ; failures += 1) {
      try {
        return await this.#callOnce<Body>({ idempotencyKey, ...request });
      } catch (error) {
        if (failures > 1 && ApiError.isInstance(error) && request.isDone?.(error))
          return null as Body;
        if (failures > maxRetries || !mayRepeat(error, request)) throw error;
        await pause(backOffMs(failures, error, reconnect), request.signal);
      }
    }
  }

  get<Body>(path: PathParts, options?: RequestOptions, query?: object): Promise<Body> {
    return this.call({ ...options, method: "GET", path, query });
  }

  list<Item, Shape extends Page<Item> = Page<Item>>(
    path: PathParts,
    query?: object,
    options?: RequestOptions,
  ): Paged<Item, Shape> {
    return new Paged((page) => this.get<Shape>(path, options, { ...query, page }));
  }

  async #callOnce<Body>(request: ApiRequest): Promise<Body> {
    const { response, close } = await this.open(request);
    try {
      if (response.status === 204) return null as Body;
      if (request.read) return (await request.read(response)) as Body;
      const timeoutMs = request.timeoutMs ?? this.settings.timeoutMs;
      return await withDeadline(response.json() as Promise<Body>, timeoutMs);
    } catch (error) {
      throwIfAborted(request.signal);
      throw toConnectionError(error, request);
    } finally {
      close();
    }
  }
}

/** Whether a retry may succeed. */
export function isTransient(error: unknown): error is ApiError | ConnectionError {
  return ConnectionError.isInstance(error) || (ApiError.isInstance(error) && error.retryable);
}

/**
 * 429 and 503 mean that nothing was done; after any other failure the platform recognises a repeated POST by its
 * idempotency key.
 */
function mayRepeat(error: unknown, { answersOnce }: ApiRequest): boolean {
  return isTransient(error) && (!answersOnce || hasStatus(error, [429, 503]));
}

function hasStatus(error: unknown, statuses: readonly number[]): boolean {
  return ApiError.isInstance(error) && statuses.includes(error.status);
}

async function readApiError(response: Response): Promise<ApiError> {
  // A proxy's page is not JSON; then only the status is known.
  const body = (await response.json().catch(() => null)) as Problem | null;
  return new ApiError(response, body?.code === undefined ? null : body);
}

function toConnectionError(error: unknown, { method, path }: ApiRequest): ConnectionError {
  const reason = error instanceof Error ? error.message : String(error);
  // Errors get logged, and a callback URL is a credential.
  const place = path.join("/").replace(/cb_.+/, "cb_…");
  return new ConnectionError(`${method} /v1/${place}: ${reason}`, error);
}
