// The stream beside the calls of a link: one for the session that the link is in, none where the server has no such thing.
import type { CallDeadline } from "./call-deadline.ts";
import type { McpEndpoint } from "./mcp-endpoint.ts";
import type { McpMemory } from "./mcp-memory.ts";
import type { McpLine } from "./open-line.ts";
import { SideStream, type SideCall } from "./side-stream.ts";

export class SessionSide {
  readonly #endpoint: McpEndpoint;
  readonly #memory: Pick<McpMemory, "dialect" | "noteDialect">;
  #stream: SideStream | null = null;

  constructor(endpoint: McpEndpoint, memory: Pick<McpMemory, "dialect" | "noteDialect">) {
    this.#endpoint = endpoint;
    this.#memory = memory;
  }

  /** Null where the session has no other stream. Contract: never rejects. */
  async join(line: McpLine, deadline: CallDeadline): Promise<SideCall | null> {
    const { dialect, sessionId } = line;
    if (dialect.era !== "legacy" || sessionId === null) return null;
    if (this.#stream?.line !== line) {
      this.#stream?.close();
      const endpoint = this.#endpoint;
      const noteRefused = () => this.#memory.noteDialect({ ...dialect, noStream: true });
      this.#stream = dialect.noStream ? null : new SideStream({ endpoint, line, noteRefused });
    }
    return this.#stream?.join(deadline.signal) ?? null;
  }

  close(): void {
    this.#stream?.close();
  }
}

/**
 * The line of a new session, with what was known of its server before: an `initialize` tells nothing of its streams.
 */
export function withKnownStream({ dialect, sessionId }: McpLine, before: McpMemory["dialect"]) {
  const isKnown = dialect.era === "legacy" && before?.era === "legacy" && before.noStream;
  const line: McpLine = { dialect: isKnown ? { ...dialect, noStream: true } : dialect, sessionId };
  return line;
}
