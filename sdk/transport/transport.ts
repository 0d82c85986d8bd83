// How requests leave and answers come back: one try, and tries again where that can do no harm.
import type { Page } from "../../protocol/api/schemas/common.ts";
import type { Problem } from "../../protocol/errors.ts";
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

/** An answer whose body is still to be read. */
export interface OpenAnswer {
  readonly response: Response;
  /** Lets go of the connection, whether the body was read or not. */
  readonly close: () => void;
}

export class Transport {
  readonly settings: Settings;
  /** Turns false with the first answer whose body cannot be read as it arrives. */
  canStream: boolean;
  /** Asked for once, whoever needs it; null when the one that was there has been refused. */
  #token: Promise<string | null> | null = null;

  constructor(settings: Settings, canStream: boolean) {
    this.settings = settings;
    this.canStream = canStream;
  }

  /**
   * One try, and a second one with a fresh token when the first token is no longer taken. Resolves when the answer
   * begins.
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

  /** One question for all requests that wait; a failure is asked again with the next request. */
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
    const { method, body, accept, idempotencyKey, signal } = request;
    const { fetch, timeoutMs, baseUrl } = this.settings;
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
      };
      const answer = fetch(url, { method, headers, body: json, signal: controller.signal });
      const response = await withDeadline(answer, request.timeoutMs ?? timeoutMs);
      if (response.ok) return { response, close };
      throw await withDeadline(readApiError(response), timeoutMs);
    } catch (error) {
      close();
      throwIfAborted(signal);
      throw ApiError.isInstance(error) ? error : toConnectionError(error, request);
    }
  }

  /**
   * The JSON of the answer, null for 204 and when an earlier try has done it all and its answer was lost; tried again
   * where that can do no harm. Failures as in {@link open}.
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
      return await withDeadline(response.json() as Promise<Body>, this.settings.timeoutMs);
    } catch (error) {
      throwIfAborted(request.signal);
      throw toConnectionError(error, request);
    } finally {
      close();
    }
  }
}

/** Whether another try may get past this failure. */
export function isTransient(error: unknown): error is ApiError | ConnectionError {
  return ConnectionError.isInstance(error) || (ApiError.isInstance(error) && error.retryable);
}

/** 429 and 503 say that nothing was done; after anything else the platform knows a POST by its key. */
function mayRepeat(error: unknown, { answersOnce }: ApiRequest): boolean {
  return isTransient(error) && (!answersOnce || hasStatus(error, [429, 503]));
}

function hasStatus(error: unknown, statuses: readonly number[]): boolean {
  return ApiError.isInstance(error) && statuses.includes(error.status);
}

async function readApiError(response: Response): Promise<ApiError> {
  // A proxy's own page is no JSON: then the status says all that there is to know.
  const body = (await response.json().catch(() => null)) as Problem | null;
  return new ApiError(response, body?.code === undefined ? null : body);
}

function toConnectionError(error: unknown, { method, path }: ApiRequest): ConnectionError {
  const reason = error instanceof Error ? error.message : String(error);
  // Errors are logged, and the address of a callback is a credential.
  const place = path.join("/").replace(/cb_.+/, "cb_…");
  return new ConnectionError(`${method} /v1/${place}: ${reason}`, error);
}
