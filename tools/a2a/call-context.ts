// The context of the agent in which a call begins its task: a new one or, where the tool says so, that of the calls before it in
// the session.
import type { RemoteAgentClient } from "../../a2a/client/remote-client.ts";
import type { A2aStreamResponse } from "../../protocol/a2a/wire.ts";
import type { RemoteCall } from "./remote-call.ts";

export class CallContext {
  readonly #call: Pick<RemoteCall, "client" | "request" | "remote" | "keepsContext">;
  #author = "";
  #known = "";

  constructor(call: Pick<RemoteCall, "client" | "request" | "remote" | "keepsContext">) {
    this.#call = call;
  }

  /** @returns the agent's id of the context; empty for a new one. */
  async begin(): Promise<string> {
    const { client, request, remote, keepsContext } = this.#call;
    if (!keepsContext || !remote?.contextOf) return "";
    this.#author = await authorOf(client);
    const kept = remote.contextOf(request.name);
    this.#known = kept?.author === this.#author ? kept.context_id : "";
    return this.#known;
  }

  /** Keeps the context that the agent names, once. */
  learn({ task, statusUpdate, artifactUpdate, message }: A2aStreamResponse): void {
    const { request, remote } = this.#call;
    const context_id = (task ?? statusUpdate ?? artifactUpdate ?? message)?.contextId ?? "";
    if (this.#author === "" || context_id === "" || context_id === this.#known) return;
    this.#known = context_id;
    remote?.keepContext?.({ tool_name: request.name, author: this.#author, context_id });
  }
}

async function authorOf({ card }: RemoteAgentClient): Promise<string> {
  const [{ url }] = card.interfaces;
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(url));
  const bytes = new Uint8Array(digest).subarray(0, AUTHOR_BYTES);
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Enough to tell the addresses of one tool apart. */
const AUTHOR_BYTES = 8;
