// A server of a reply: it is connected to when it is first needed, and asked for its tools and to run one. How it is
// spoken to is remembered by who owns the link.
import {
  MAX_MCP_LISTING_BYTES,
  MCP_FAREWELL_MS,
  MAX_MCP_UI_BYTES,
} from "../../protocol/mcp/limits.ts";
import type { McpError } from "../../protocol/mcp/read-messages.ts";
import { mcpNotification, mcpRequest, type McpMessageOut } from "../../protocol/mcp/requests.ts";
import type { ByteBudget } from "./byte-budget.ts";
import { CallDeadline } from "./call-deadline.ts";
import { openLine, withSession, type McpLine } from "./open-line.ts";
import { describeMcpFailure } from "./describe-failure.ts";
import { endSession } from "./end-session.ts";
import { exchange, post } from "./exchange.ts";
import { isForgotten } from "./forgotten-session.ts";
import { hearAnswer, type Hearing } from "./hear-answer.ts";
import { listCatalogue, type McpListing } from "./list-catalogue.ts";
import type { McpCall, McpUpdate } from "./mcp-call.ts";
import type { McpEndpoint } from "./mcp-endpoint.ts";
import type { McpMemory } from "./mcp-memory.ts";
import { isUnanswered, type McpFailure, type McpOutcome, type McpResultOf } from "./mcp-outcome.ts";
import { SessionSide, withKnownStream } from "./session-side.ts";
import { readUrlRequired } from "./url-required.ts";

export interface LinkedServer {
  readonly name: string;
  readonly endpoint: McpEndpoint;
  /** The server's sessions outlive the link. */
  readonly stateful: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

export class McpLink {
  readonly #server: LinkedServer;
  readonly #memory: McpMemory;
  #line: McpLine | null = null;
  #isSessionKept = false;
  readonly #side: SessionSide;

  constructor(server: LinkedServer, memory: McpMemory) {
    this.#server = server;
    this.#memory = memory;
    this.#side = new SessionSide(server.endpoint, memory);
  }

  /** Texts that the server was sent as secrets. */
  get secrets(): readonly string[] {
    return this.#server.endpoint.secrets;
  }

  /** The server's catalogue, as far as its tools are taken. Contract: never rejects. */
  list(deadline: CallDeadline): Promise<McpResultOf<McpListing>> {
    return listCatalogue({
      name: this.#server.name,
      askPage: async (params, budget) => {
        const listed = await this.#ask({ method: "tools/list", params }, deadline, { budget });
        if (!listed.ok) return listed;
        const { result, line } = listed.value;
        return { ok: true, value: { result, dialect: line.dialect } };
      },
    });
  }

  /**
   * One call. Yields its updates, and returns the result or why there is none. It is sent once: a second time only when the
   * server has said that it did not take the first one, or has said nothing and the tool may run twice. Contract: never
   * throws.
   */
  async *call(
    { name, input, headers, params: more, people, noteUnasked, taskTtlMs, isIdempotent }: McpCall,
    deadline: CallDeadline,
  ): AsyncGenerator<McpUpdate, McpResultOf<Fields>> {
    const id = crypto.randomUUID();
    const params = { name, arguments: input, ...more };
    const outcome = yield* this.#exchange(
      (line) =>
        mcpRequest(
          id,
          {
            method: "tools/call",
            params: {
              ...params,
              ...(taskTtlMs !== undefined && line.dialect.tasks && { task: { ttl: taskTtlMs } }),
            },
            progressToken: id,
            name,
            headers: line.dialect.era === "modern" ? headers : {},
          },
          line.dialect,
        ),
      { deadline, progressToken: id, asking: { people, noteUnasked }, isRepeatable: isIdempotent },
    );
    if (outcome.type === "result") return { ok: true, value: outcome.result };
    const pages = outcome.type === "refused" ? readUrlRequired(outcome.error) : null;
    if (pages) return { ok: true, value: pages };
    if (deadline.signal.aborted) this.#cancel(id, deadline.isStopped);
    const failure = this.#describe(outcome);
    if (!isUnanswered(outcome)) return { ok: false, failure };
    const reason = `${failure.reason} It is not known whether the tool ran.`;
    return { ok: false, failure: { ...failure, reason } };
  }

  /**
   * The answer to `tasks/get` or `tasks/update`, or in the older era to `tasks/result`, during which the server may
   * ask: nobody is there. Contract: never rejects.
   */
  async task(
    method: "tasks/get" | "tasks/update" | "tasks/result" | "tasks/cancel",
    { taskId, ...more }: { readonly taskId: string; readonly inputResponses?: Fields },
    deadline: CallDeadline,
    noteUnasked?: () => void,
  ): Promise<McpResultOf<Fields>> {
    const request = { method, params: { taskId, ...more }, name: taskId };
    const asking = noteUnasked && { people: null, noteUnasked };
    const { maxBytes } = this.#server.endpoint;
    const asked = await this.#ask(request, deadline, { asking, maxBytes });
    return asked.ok ? { ok: true, value: asked.value.result } : asked;
  }

  /** Tells the server that nobody waits for a task any more. Contract: never rejects, and takes two seconds at most. */
  async cancelTask(taskId: string): Promise<void> {
    const never = new AbortController().signal;
    const times = { idleMs: MCP_FAREWELL_MS, totalMs: MCP_FAREWELL_MS };
    const deadline = new CallDeadline(times, never);
    await this.task("tasks/cancel", { taskId }, deadline);
    deadline.release();
  }

  get name(): string {
    return this.#server.name;
  }

  /** The server's dialect and session, once it was spoken to; null before that. */
  get line(): McpLine | null {
    return this.#line;
  }

  /** The server's session is needed after the link: a task lives in it. */
  keepSession(): void {
    this.#isSessionKept = true;
  }

  /** An error that the server gives in the place of a task's result. */
  describeError(error: McpError): McpFailure {
    return this.#describe({ type: "refused", status: 200, error });
  }

  /** The result of `resources/read`. Contract: never rejects. */
  async read(uri: string, deadline: CallDeadline): Promise<McpResultOf<Fields>> {
    const request = { method: "resources/read", params: { uri }, name: uri };
    const read = await this.#ask(request, deadline, { maxBytes: MAX_MCP_UI_BYTES });
    return read.ok ? { ok: true, value: read.value.result } : read;
  }

  /** Tells the server that its session is not needed any more, unless it is kept. Does not wait. */
  close(): void {
    this.#side.close();
    const line = this.#line;
    if (!line?.sessionId || this.#server.stateful || this.#isSessionKept) return;
    endSession(this.#server.endpoint, line);
  }

  async #ask(
    request: { readonly method: string; readonly params: Fields; readonly name?: string },
    deadline: CallDeadline,
    {
      maxBytes,
      budget,
      asking,
    }: {
      readonly maxBytes?: number;
      readonly budget?: ByteBudget;
      readonly asking?: Hearing["asking"];
    },
  ): Promise<McpResultOf<{ readonly result: Fields; readonly line: McpLine }>> {
    const id = crypto.randomUUID();
    const running = this.#exchange((line) => mcpRequest(id, request, line.dialect), {
      deadline,
      maxBytes,
      budget,
      asking,
      // All others only read.
      isRepeatable: request.method !== "tasks/update",
    });
    for (;;) {
      const { done, value } = await running.next();
      if (!done) continue;
      if (value.type === "result" && this.#line) {
        return { ok: true, value: { result: value.result, line: this.#line } };
      }
      return { ok: false, failure: this.#describe(value) };
    }
  }

  /**
   * Connects where that has to be, and sends a request: once more when the server knows the session no longer, and once
   * more under the same id when the connection was closed before any answer and the request may be repeated.
   */
  async *#exchange(
    build: (line: McpLine) => McpMessageOut,
    {
      deadline,
      progressToken,
      asking,
      maxBytes = this.#server.endpoint.maxBytes,
      budget,
      isRepeatable = false,
    }: Pick<Hearing, "deadline"> &
      Partial<Pick<Hearing, "progressToken" | "asking">> & {
        maxBytes?: number;
        budget?: ByteBudget;
        isRepeatable?: boolean;
      },
  ): AsyncGenerator<McpUpdate, McpOutcome> {
    const endpoint = { ...this.#server.endpoint, maxBytes };
    let isRenewed = false;
    let isRepeated = !isRepeatable;
    for (;;) {
      const opened = await this.#open(deadline);
      if (opened.type !== "line") return opened;
      const { line } = opened;
      const side = asking ? await this.#side.join(line, deadline) : null;
      const running = exchange(endpoint, withSession(build(line), line), deadline, budget);
      const noteListChanged = (): void => this.#memory.noteListChanged();
      const hearing = { endpoint, line, deadline, progressToken, asking, side, noteListChanged };
      const outcome = yield* hearAnswer(running, hearing);
      if (!isRepeated && isUnanswered(outcome) && !deadline.signal.aborted) {
        isRepeated = true;
        continue;
      }
      if (isRenewed || !isForgotten(outcome, line)) return outcome;
      isRenewed = true;
      this.#line = null;
      if (line.sessionId === null) this.#memory.noteDialect(null);
      this.#memory.noteSession(null);
    }
  }

  async #open(
    deadline: CallDeadline,
  ): Promise<
    { readonly type: "line"; readonly line: McpLine } | Exclude<McpOutcome, { type: "result" }>
  > {
    if (this.#line) return { type: "line", line: this.#line };
    const { endpoint } = this.#server;
    const maxBytes = Math.min(endpoint.maxBytes, MAX_MCP_LISTING_BYTES);
    const opened = await openLine({ ...endpoint, maxBytes }, this.#memory, deadline);
    if (opened.type !== "line") return opened;
    const line = withKnownStream(opened.line, this.#memory.dialect);
    this.#line = line;
    this.#memory.noteDialect(line.dialect);
    if (this.#server.stateful) this.#memory.noteSession(line.sessionId);
    return { type: "line", line };
  }

  /** In the modern era a closed stream is the cancellation. */
  #cancel(requestId: string, isByUser: boolean): void {
    const line = this.#line;
    if (line?.dialect.era !== "legacy") return;
    const reason = isByUser ? "the user has interrupted the reply" : "the call took too long";
    const params = { requestId, reason };
    const message = mcpNotification("notifications/cancelled", params, line.dialect);
    const signal = AbortSignal.timeout(MCP_FAREWELL_MS);
    void post(this.#server.endpoint, withSession(message, line), signal);
  }

  #describe(outcome: McpOutcome): McpFailure {
    const { name, endpoint } = this.#server;
    if (outcome.type === "result") {
      const reason = `The MCP server ${name} answered nothing that can be read.`;
      return { kind: "malformed_answer", reason };
    }
    return describeMcpFailure(outcome, { name, secrets: endpoint.secrets });
  }
}
