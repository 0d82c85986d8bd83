// Resumes a stream of events that broke before its response: a GET with the id of the last event. Servers of the older
// era that give their events ids can do it, and the call is not made a second time.
import {
  MAX_MCP_RESUME_DELAY_MS,
  MAX_MCP_RESUMES,
  MCP_RESUME_DELAY_MS,
} from "../../protocol/mcp/limits.ts";
import type { McpMessageOut } from "../../protocol/mcp/requests.ts";
import { pause } from "../../runtime/pause.ts";
import type { CallDeadline } from "./call-deadline.ts";
import type { McpEndpoint } from "./mcp-endpoint.ts";

export class ResumedStream {
  readonly #endpoint: McpEndpoint;
  readonly #message: McpMessageOut;
  readonly #deadline: CallDeadline;
  #lastId: string | null = null;
  #delayMs = MCP_RESUME_DELAY_MS;
  #left = MAX_MCP_RESUMES;

  constructor(endpoint: McpEndpoint, message: McpMessageOut, deadline: CallDeadline) {
    this.#endpoint = endpoint;
    this.#message = message;
    this.#deadline = deadline;
  }

  get canResume(): boolean {
    const { headers } = this.#message;
    const isModern = "mcp-method" in headers;
    return this.#lastId !== null && !isModern && this.#left > 0 && !this.#deadline.signal.aborted;
  }

  noteId(id: string): void {
    // A header cannot hold any other one.
    if (/^[\x21-\x7e]{1,1024}$/.test(id)) this.#lastId = id;
  }

  readonly noteRetry = (delayMs: number): void => {
    this.#delayMs = Math.min(Math.max(delayMs, 0), MAX_MCP_RESUME_DELAY_MS);
  };

  /** The rest of the stream; null when there is none. @throws as the connection does. */
  async next(): Promise<Response | null> {
    if (!this.canResume) return null;
    this.#left -= 1;
    const { signal } = this.#deadline;
    await pause(this.#delayMs, signal);
    if (signal.aborted) throw new Error("the time of the call is over");
    const headers = new Headers(this.#endpoint.headers);
    for (const [name, value] of Object.entries(this.#message.headers)) headers.set(name, value);
    headers.set("accept", "text/event-stream");
    headers.set("last-event-id", this.#lastId ?? "");
    const response = await this.#endpoint.outgoing(this.#endpoint.url, { headers, signal });
    const type = response.headers.get("content-type") ?? "";
    if (response.ok && type.startsWith("text/event-stream")) return response;
    void response.body?.cancel().catch(() => undefined);
    return null;
  }
}
