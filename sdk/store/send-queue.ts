// Sends messages in the order in which they were given, and keeps those that the conversation does not have yet.
import type { Reply } from "../../protocol/replies/contract.ts";
import type { ReplyRequestOptions } from "../resources/reply-input.ts";
import type { SessionHandle } from "../session/session-handle.ts";
import { ConnectionError } from "../transport/connection-error.ts";
import { randomId } from "../transport/random-id.ts";
import { isTransient } from "../transport/transport.ts";
import { toBody, toInput, toMessage, type OutgoingBody, type SendInput } from "./outgoing-draft.ts";
import { toSessionError } from "./session-reader.ts";
import type { OutgoingMessage } from "./session-state.ts";
import type { UnsentMessage, UnsentMessages } from "./unsent-storage.ts";

export interface SendQueueHost {
  /** Resolves when the connection is there; after a lost request it is tested. Rejects when reading has ended. */
  untilConnected(failure: unknown): Promise<void>;
  /** Whether the conversation, as it is now, has a message. */
  hasMessage(id: string): boolean;
  /** The platform has a message; its reply begins soon, or has begun. */
  onAccepted(replyId: string): void;
  onChange(): void;
}

interface Entry {
  readonly id: string;
  readonly options: ReplyRequestOptions;
  readonly atMs: number;
  readonly isRestored: boolean;
  body: OutgoingBody;
  /** Still to be uploaded. */
  files: readonly Blob[];
  shown: OutgoingMessage;
  /** Null until the platform has it. */
  replyId: string | null;
}

/** Times that a message is given to the platform while the connection is there, each with the requests' own retries. */
const MAX_TRIES = 3;
/** Milliseconds after which a message of before a reload is not sent without being asked. */
const RESEND_MS = 300_000;

export class SendQueue {
  readonly #session: SessionHandle;
  readonly #unsent: UnsentMessages;
  readonly #host: SendQueueHost;
  /** In the order in which they were given. */
  readonly #entries = new Map<string, Entry>();
  /** The sending of the last message: each waits for the one before it. Never rejects. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(session: SessionHandle, unsent: UnsentMessages, host: SendQueueHost) {
    this.#session = session;
    this.#unsent = unsent;
    this.#host = host;
  }

  /** @param openReplyId The reply that runs or waits: messages with another one are queued. */
  shownBeside(openReplyId: string | null): readonly OutgoingMessage[] {
    return [...this.#entries.values()].map((entry) => {
      const { shown, replyId } = entry;
      const isQueued = openReplyId !== null && replyId !== null && replyId !== openReplyId;
      if (isQueued && shown.state === "sending") entry.shown = { ...shown, state: "queued" };
      return entry.shown;
    });
  }

  /** @throws {TypeError} for an empty message. Otherwise as {@link retry}. */
  async send(input: SendInput, options: ReplyRequestOptions): Promise<Reply> {
    const { body, files } = toBody(randomId("msg"), input);
    const entry = this.#add({ body, options, atMs: Date.now(), isFailed: false }, files);
    this.#keep(entry);
    return this.#queue(entry);
  }

  /**
   * Sends a failed message again, under its id: the platform starts one reply, also when it had the message.
   *
   * @throws {ApiError} when the platform refuses it. @throws {ConnectionError} when it could not be reached.
   */
  async retry(id: string): Promise<Reply> {
    const entry = this.#entries.get(id);
    if (entry?.shown.state !== "failed") throw new TypeError(`no failed message has the id ${id}`);
    this.#show(entry, entry.files.length > 0 ? "uploading" : "sending");
    this.#keep(entry);
    return this.#queue(entry);
  }

  /** Forgets a failed message. */
  discard(id: string): void {
    if (this.#entries.get(id)?.shown.state !== "failed") return;
    this.settle(id);
    this.#host.onChange();
  }

  /** The conversation has the message. The caller tells what has changed. */
  settle(id: string): void {
    if (this.#entries.delete(id)) this.#unsent.remove(id);
  }

  /** Settles what the conversation has, after it was read anew. */
  settleKnown(): void {
    for (const id of this.#entries.keys()) if (this.#host.hasMessage(id)) this.settle(id);
  }

  /** Takes up what was not sent before a reload. */
  async restore(): Promise<void> {
    for (const unsent of await this.#unsent.read()) {
      const { id } = unsent.body;
      if (this.#entries.has(id)) continue;
      if (this.#host.hasMessage(id)) {
        this.#unsent.remove(id);
        continue;
      }
      const entry = this.#add(unsent, [], true);
      const isOld = Date.now() - unsent.atMs > RESEND_MS;
      if (unsent.isFailed || isOld) this.#fail(entry, new ConnectionError("it was not sent"));
      else this.#queue(entry).catch(ignore);
    }
  }

  /** Whether the reply is still to begin or to end. */
  async #isOpen(reply: Reply): Promise<boolean> {
    const { reply_id, queued_reply_ids } = await this.#session.get();
    return reply.id === reply_id || queued_reply_ids.includes(reply.id);
  }

  #add({ body, options, atMs }: UnsentMessage, files: readonly Blob[], isRestored = false): Entry {
    const { id } = body;
    const state = files.length > 0 ? "uploading" : "sending";
    const shown: OutgoingMessage = { id, message: toMessage(body), state, error: null };
    const entry: Entry = { id, options, atMs, isRestored, body, files, shown, replyId: null };
    this.#entries.set(id, entry);
    this.#host.onChange();
    return entry;
  }

  #queue(entry: Entry): Promise<Reply> {
    const sending = this.#last.then(() => this.#deliver(entry));
    this.#last = sending.catch(ignore);
    return sending;
  }

  async #deliver(entry: Entry): Promise<Reply> {
    try {
      const reply = await this.#whileConnected(async () => {
        await this.#upload(entry);
        return this.#post(entry);
      });
      entry.replyId = reply.id;
      // A message of before a reload may have been answered long ago, above what the conversation has loaded; or its
      // event came before it was found in the storage, and does not come again.
      const isOpen = !entry.isRestored || (await this.#whileConnected(() => this.#isOpen(reply)));
      if (isOpen) this.#host.onAccepted(reply.id);
      else this.settle(entry.id);
      this.settleKnown();
      this.#host.onChange();
      return reply;
    } catch (error) {
      this.#fail(entry, toSessionError(error));
      throw error;
    }
  }

  /** Repeats what the network has failed, when the connection is there again. */
  async #whileConnected<Value>(act: () => Promise<Value>): Promise<Value> {
    for (let tries = 1; ; tries += 1) {
      try {
        await this.#host.untilConnected(null);
        return await act();
      } catch (error) {
        if (!isTransient(error) || tries === MAX_TRIES) throw error;
        await this.#host.untilConnected(error);
      }
    }
  }

  async #upload(entry: Entry): Promise<void> {
    for (let file = entry.files[0]; file; file = entry.files[0]) {
      const { name: filename } = file as { readonly name?: string };
      const { url, media_type, name } = await this.#session.uploadFile(file, { filename });
      const block = { type: "data", source: { type: "url", url, media_type }, name } as const;
      entry.body = { ...entry.body, content: [...entry.body.content, block] };
      entry.files = entry.files.slice(1);
      entry.shown = { ...entry.shown, message: toMessage(entry.body) };
      this.#show(entry, entry.files.length > 0 ? "uploading" : "sending");
      this.#keep(entry);
    }
  }

  #post({ body, options }: Entry): Promise<Reply> {
    return this.#session.replies.create(toInput(body), { ...options, background: true });
  }

  #fail(entry: Entry, error: OutgoingMessage["error"]): void {
    if (!this.#entries.has(entry.id)) return;
    this.#show(entry, "failed", error);
    this.#keep(entry);
  }

  #show(entry: Entry, state: OutgoingMessage["state"], error: OutgoingMessage["error"] = null) {
    entry.shown = { ...entry.shown, state, error };
    this.#host.onChange();
  }

  /** A message whose files are not uploaded is not kept: its bytes would be gone. */
  #keep({ body, options, atMs, files, shown }: Entry): void {
    if (files.length > 0) return;
    this.#unsent.put({ body, options, atMs, isFailed: shown.state === "failed" });
  }
}

function ignore(): void {
  return undefined;
}
