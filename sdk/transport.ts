// How requests leave and answers come back: one try, and tries again where that can do no harm.
import type { Problem } from "../protocol/errors.ts";
import { ApiError } from "./api-error.ts";
import { toUrl, type ApiRequest } from "./api-request.ts";
import { backOffMs } from "./back-off.ts";
import type { Settings } from "./client-options.ts";
import { ConnectionError } from "./connection-error.ts";
import { withDeadline } from "./deadline.ts";
import { pause } from "./pause.ts";
import { newIdempotencyKey } from "./random-id.ts";

/** An answer whose body is still to be read. */
export interface OpenAnswer {
  readonly response: Response;
  /** Lets go of the connection, whether the body was read or not. */
  close(): void;
}

export interface CallOptions {
  /**
   * `always`: doing it twice is doing it once. `when_refused`: it creates something, so it is sent again only after
   * an answer that says that nothing was done (429, 503).
   */
  readonly repeat: "always" | "when_refused";
}

export class Transport {
  readonly settings: Settings;
  /** Turns false with the first answer whose body cannot be read as it arrives. */
  canStream: boolean;

  constructor(settings: Settings, canStream: boolean) {
    this.settings = settings;
    this.canStream = canStream;
  }

  /**
   * One try. Resolves when the answer begins.
   *
   * @throws {ApiError} when the platform refuses. @throws {ConnectionError} when no answer came.
   * @throws The signal's reason when it is aborted, also while the body is read.
   */
  async open(request: ApiRequest): Promise<OpenAnswer> {
    const { signal } = request;
    signal?.throwIfAborted();
    const body = request.body && JSON.stringify(request.body);
    const controller = new AbortController();
    const stop = () => controller.abort(signal?.reason);
    signal?.addEventListener("abort", stop, { once: true });
    const close = () => {
      signal?.removeEventListener("abort", stop);
      controller.abort();
    };
    try {
      const response = await this.#send(request, body, controller.signal);
      if (response.ok) return { response, close };
      throw await withDeadline(readApiError(response), this.settings.timeoutMs, "the refusal broke off");
    } catch (error) {
      close();
      signal?.throwIfAborted();
      throw ApiError.isInstance(error) ? error : toConnectionError(error, request);
    }
  }

  /** The JSON of the answer, null for 204; tried again as the options allow. Failures as in {@link open}. */
  async call<Body>(request: ApiRequest, { repeat }: CallOptions): Promise<Body> {
    const idempotencyKey = request.method === "POST" ? newIdempotencyKey() : undefined;
    const { maxRetries, retry } = this.settings;
    for (let failures = 1; ; failures += 1) {
      try {
        return await this.callOnce<Body>({ idempotencyKey, ...request });
      } catch (error) {
        // The first try has removed it, and its answer was lost.
        if (failures > 1 && request.method === "DELETE" && isNotFound(error)) return null as Body;
        if (failures > maxRetries || !mayRepeat(error, repeat)) throw error;
        await pause(backOffMs(retry, failures, error), request.signal);
      }
    }
  }

  /** As {@link call}, one try. */
  async callOnce<Body>(request: ApiRequest): Promise<Body> {
    const { response, close } = await this.open({ accept: "application/json", ...request });
    try {
      const { timeoutMs } = this.settings;
      const text = await withDeadline(response.text(), timeoutMs, "the answer did not come to its end");
      return (text === "" ? null : JSON.parse(text)) as Body;
    } catch (error) {
      request.signal?.throwIfAborted();
      throw toConnectionError(error, request);
    } finally {
      close();
    }
  }

  async #send(
    request: ApiRequest,
    body: string | undefined,
    signal: AbortSignal,
  ): Promise<Response> {
    const { settings } = this;
    const { method, accept, idempotencyKey, timeoutMs = settings.timeoutMs } = request;
    const headers: Record<string, string> = { Authorization: `Bearer ${await settings.credential()}` };
    if (accept) headers["Accept"] = accept;
    if (body) headers["Content-Type"] = "application/json";
    if (idempotencyKey) headers["Idempotency-Key"] = idempotencyKey;
    const init = { method, headers, signal, ...(body && { body }) };
    return withDeadline(
      settings.fetch(toUrl(settings.baseUrl, request), init),
      timeoutMs,
      `no answer within ${timeoutMs} ms`,
    );
  }
}

/** Whether another try may get past this failure. */
export function isTransient(error: unknown): error is ApiError | ConnectionError {
  return ConnectionError.isInstance(error) || (ApiError.isInstance(error) && error.retryable);
}

function mayRepeat(error: unknown, repeat: CallOptions["repeat"]): boolean {
  if (!isTransient(error)) return false;
  return repeat === "always" || (ApiError.isInstance(error) && [429, 503].includes(error.status));
}

function isNotFound(error: unknown): boolean {
  return ApiError.isInstance(error) && error.status === 404;
}

async function readApiError(response: Response): Promise<ApiError> {
  const { status, headers } = response;
  const text = await response.text().catch(() => "");
  let problem: Problem | null = null;
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === "object" && body !== null && "code" in body) problem = body as Problem;
  } catch {
    // A proxy's own page: the status says all that there is to know.
  }
  return new ApiError({ status, problem, headers, fallbackDetail: text.slice(0, 200) || "no reason was given" });
}

export function toConnectionError(error: unknown, { method, path }: ApiRequest): ConnectionError {
  const reason = error instanceof Error ? error.message : String(error);
  return new ConnectionError(`${method} ${path}: ${reason}`, error);
}
