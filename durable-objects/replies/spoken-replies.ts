// The replies that are said aloud: their models are those of the voice connection, while there is one. Which ones they are
// is known to it alone, so that a reply whose connection has gone goes on as any other one.
import type { Model } from "../../agent/ports.ts";
import type { ErrorCode } from "../../protocol/errors.ts";
import type { LoggedEvent } from "../../protocol/events.ts";
import type { SessionInit } from "../api/session-api.ts";

export type Models = readonly [Model, ...Model[]];

/** The open voice connection, as a reply's execution needs it. */
export interface ReplyVoice {
  /** In `cascade` it says what the given models write; in `realtime` a model of its own answers. */
  readonly mode: "cascade" | "realtime";
  isSpoken(replyId: string): boolean;
  /** The session's room begins a reply: said aloud where the room is the client. Must not throw, or append. */
  beginsTurn(replyId: string): void;
  /** Whether it may still speak for the agent, which may be of another version now; one that may not leaves its client. */
  speaksFor(init: SessionInit): boolean;
  /** The models of a spoken reply in place of these. Contract: they fail as any model does, and never throw. */
  speaks(models: Models): Models;
  /** An event of the session, as it is appended. Must not throw, or append. */
  logged(event: LoggedEvent): void;
  /** The alarm, for what it waits for. */
  onTimer(): void;
  /** Closes its connections. */
  disconnect(code: ErrorCode, detail: string): void;
}

export class SpokenReplies {
  #voice: ReplyVoice | null = null;

  /** The newest voice connection speaks. */
  hold(voice: ReplyVoice): void {
    this.#voice = voice;
  }

  /** The voice connection has gone; a newer one stays. */
  release(voice: ReplyVoice): void {
    if (this.#voice === voice) this.#voice = null;
  }

  /** Part of the transaction with which a turn of the session's room begins. */
  beginsTurn(replyId: string): void {
    this.#voice?.beginsTurn(replyId);
  }

  logged(event: LoggedEvent): void {
    this.#voice?.logged(event);
  }

  onTimer(): void {
    this.#voice?.onTimer();
  }

  /** The conversation is another one: a provider that holds it has to be told it anew, by a new connection. */
  restored(): void {
    this.#voice?.disconnect("conflict", "the session was restored; start a new connection");
  }

  /**
   * The models of a reply. @param hooked Puts the hooks of the reply around a model: what a hook takes back of a text must
   * not be said.
   */
  modelsOf(
    { reply, init }: { readonly reply: { readonly id: string }; readonly init: SessionInit },
    models: Models,
    hooked: (model: Model) => Model,
  ): Models {
    const spoken = this.#voice?.isSpoken(reply.id) ? this.#voice : null;
    const voice = spoken?.speaksFor(init) ? spoken : null;
    if (voice?.mode === "realtime") return mapModels(voice.speaks(models), hooked);
    const shown = mapModels(models, hooked);
    return voice ? voice.speaks(shown) : shown;
  }
}

function mapModels([first, ...others]: Models, change: (model: Model) => Model): Models {
  return [change(first), ...others.map(change)];
}
