// The stream of a session of the older era that belongs to no request (a GET): servers may ask there while a call runs. It
// is open while calls run, and closed while a person is asked.
import { readEvents } from "../../outgoing/body.ts";
import {
  MAX_MCP_RESUME_DELAY_MS,
  MAX_MCP_RESUMES,
  MAX_MCP_STRAY_MESSAGES,
  MCP_RESUME_DELAY_MS,
  MCP_SIDE_BUSY_MS,
  MCP_SIDE_OPEN_MS,
} from "../../protocol/mcp/limits.ts";
import { mcpNotification } from "../../protocol/mcp/requests.ts";
import { readMcpMessages } from "../../protocol/mcp/read-messages.ts";
import { pause } from "../../runtime/pause.ts";
import type { McpEndpoint } from "./mcp-endpoint.ts";
import type { McpNotice, McpOutcome } from "./mcp-outcome.ts";
import { withSession, type McpLine } from "./open-line.ts";

/** A call beside which the server may say something. */
export interface SideCall {
  /** Messages of the call's own stream, with those of the other one while it is the oldest call. */
  hear(running: AsyncGenerator<McpNotice, McpOutcome>): AsyncGenerator<McpNotice, McpOutcome>;
  /** The server speaks of this call on its own stream: the next one may begin. */
  noteProgress(): void;
  /** A person is asked: nothing is held open for that. */
  rest(this: void): void;
  /** The person has answered: before the server hears of it, so that it finds the stream for its next question. */
  resume(this: void): Promise<void>;
  leave(): void;
}

interface Member {
  hasProgress: boolean;
}

export interface SideStreamContext {
  readonly endpoint: McpEndpoint;
  readonly line: McpLine;
  /** The server has no such stream. */
  readonly noteRefused: () => void;
}

export class SideStream {
  readonly #context: SideStreamContext;
  #calls: Member[] = [];
  #queue: McpNotice[] = [];
  #arrival = Promise.withResolvers<null>();
  #connection: AbortController | null = null;
  /** The stream is not tried again: it was refused, or the server misuses it. */
  #isGivenUp = false;
  /** Opening it took too long: it is not waited for again. */
  #isSlow = false;
  #lastId: string | null = null;
  #delayMs = MCP_RESUME_DELAY_MS;
  #strays = 0;

  constructor(context: SideStreamContext) {
    this.#context = context;
    this.#isGivenUp = context.line.dialect.noStream === true;
  }

  get line(): McpLine {
    return this.#context.line;
  }

  /**
   * The place of a call. Waits until no earlier call can be meant by a question, and until the stream is open or cannot be
   * opened soon. Contract: never rejects; ends soon after `stop`.
   */
  async join(stop: AbortSignal): Promise<SideCall> {
    const member: Member = { hasProgress: false };
    this.#calls.push(member);
    while (!this.#isGivenUp && !stop.aborted && this.#isBehindAnother(member)) {
      const aborted = Promise.withResolvers<null>();
      const wake = (): void => aborted.resolve(null);
      stop.addEventListener("abort", wake, { once: true });
      await Promise.race([this.#arrival.promise, aborted.promise]);
      stop.removeEventListener("abort", wake);
    }
    if (!stop.aborted) await this.#open();
    return {
      hear: (running) => this.#hear(member, running),
      noteProgress: () => {
        if (member.hasProgress) return;
        member.hasProgress = true;
        this.#wake();
      },
      rest: () => this.close(),
      resume: () => (this.#calls.includes(member) ? this.#open() : Promise.resolve()),
      leave: () => {
        this.#calls = this.#calls.filter((other) => other !== member);
        if (this.#calls.length === 0) this.close();
        this.#wake();
      },
    };
  }

  close(): void {
    this.#connection?.abort();
    this.#connection = null;
  }

  async *#hear(
    member: Member,
    running: AsyncGenerator<McpNotice, McpOutcome>,
  ): AsyncGenerator<McpNotice, McpOutcome> {
    let next: ReturnType<typeof running.next> | null = null;
    try {
      for (;;) {
        const notice = this.#calls[0] === member ? this.#queue.shift() : undefined;
        if (notice) {
          yield notice;
          continue;
        }
        next ??= running.next();
        const turn = await Promise.race([next, this.#arrival.promise]);
        if (!turn) continue;
        next = null;
        if (turn.done) return turn.value;
        yield turn.value;
      }
    } finally {
      // Not waited for: it may hang until the call's connection is closed.
      void running.return({ type: "accepted" }).catch(() => undefined);
    }
  }

  #isBehindAnother(member: Member): boolean {
    const earlier = this.#calls.slice(0, this.#calls.indexOf(member));
    return earlier.some(({ hasProgress }) => !hasProgress);
  }

  #wake(): void {
    this.#arrival.resolve(null);
    this.#arrival = Promise.withResolvers();
  }

  async #open(): Promise<void> {
    if (this.#isGivenUp || this.#connection) return;
    const connection = new AbortController();
    this.#connection = connection;
    const opened = this.#connect(connection.signal, MAX_MCP_RESUMES);
    if (this.#isSlow) return;
    const waiting = new AbortController();
    const isOpen = opened.then(() => true);
    const isLate = pause(MCP_SIDE_OPEN_MS, waiting.signal).then(() => false);
    this.#isSlow = !(await Promise.race([isOpen, isLate]));
    waiting.abort();
  }

  /** Resolves when the stream is open, or will not be. Never rejects. */
  async #connect(stop: AbortSignal, left: number): Promise<void> {
    const { endpoint, line, noteRefused } = this.#context;
    try {
      for (const waitMs of [0, ...MCP_SIDE_BUSY_MS]) {
        await pause(waitMs, stop);
        if (stop.aborted) return;
        const response = await endpoint.outgoing(endpoint.url, {
          headers: this.#headers(),
          signal: stop,
        });
        const type = (response.headers.get("content-type") ?? "").trim().toLowerCase();
        if (response.status === 200 && type.startsWith("text/event-stream")) {
          void this.#read(response, stop, left);
          return;
        }
        void response.body?.cancel().catch(() => undefined);
        // The server has not noticed yet that the one before was closed.
        if (response.status === 409) continue;
        this.#isGivenUp = true;
        if (response.status === 405 && line.sessionId !== null) noteRefused();
        this.#wake();
        return;
      }
    } catch {
      // The call itself says what is wrong with the server.
    }
  }

  #headers(): Headers {
    const { endpoint, line } = this.#context;
    const headers = new Headers(endpoint.headers);
    // Any message of the session has its headers.
    const { headers: own } = withSession(mcpNotification("ping", {}, line.dialect), line);
    for (const [name, value] of Object.entries(own)) headers.set(name, value);
    headers.set("accept", "text/event-stream");
    if (this.#lastId !== null) headers.set("last-event-id", this.#lastId);
    return headers;
  }

  async #read(response: Response, stop: AbortSignal, left: number): Promise<void> {
    const { maxBytes } = this.#context.endpoint;
    const onRetry = (delayMs: number): void => {
      this.#delayMs = Math.min(Math.max(delayMs, 0), MAX_MCP_RESUME_DELAY_MS);
    };
    const options = { maxBytes, maxEventCharacters: maxBytes, onRetry };
    try {
      for await (const events of readEvents(response, options, (event) => event)) {
        for (const { data, id } of events) {
          // A header cannot hold any other one.
          if (id !== undefined && /^[\x21-\x7e]{1,1024}$/.test(id)) this.#lastId = id;
          for (const message of data === "" ? [] : (readMcpMessages(data) ?? [])) {
            this.#strays += 1;
            if (message.kind === "notification" || message.kind === "request") {
              this.#queue.push(message);
            }
          }
        }
        if (this.#strays > MAX_MCP_STRAY_MESSAGES) return this.#giveUp();
        if (this.#queue.length > 0) this.#wake();
      }
    } catch (error) {
      if (error instanceof Error && error.name === "BodyTooBig") return this.#giveUp();
    }
    if (stop.aborted || left === 0) return;
    await pause(this.#delayMs, stop);
    if (!stop.aborted) await this.#connect(stop, left - 1);
  }

  #giveUp(): void {
    this.#isGivenUp = true;
    this.#queue = [];
    this.close();
    this.#wake();
  }
}
