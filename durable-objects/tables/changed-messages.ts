// Messages as the model sees them, where a hook has changed that. What was written stays in the messages.
import type { LoggedEvent } from "../../protocol/events.ts";
import { HOOK_ANSWERED, type HookChange } from "../../protocol/hooks/events.ts";
import type { ContentBlock } from "../../protocol/messages/blocks.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import { MAX_MESSAGE_ID_CHARACTERS } from "../../protocol/requests/limits.ts";
import { setMessageAside } from "./stored-message.ts";

/** The content that a message has for the model. */
export interface ChangedMessage {
  readonly id: string;
  readonly content: readonly ContentBlock[];
}

export class ChangedMessages {
  readonly #sql: SqlStorage;
  /** Whether there are any: most sessions have none, and ask once. */
  #isUsed: boolean | null = null;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Part of the transaction of the events. No write for events of other kinds. */
  record(events: readonly LoggedEvent[]): void {
    for (const event of events) {
      if (event.type !== "CUSTOM" || event.name !== HOOK_ANSWERED) continue;
      const { messages = [] } = (event.value["change"] ?? {}) as HookChange;
      this.put(messages as readonly ChangedMessage[]);
    }
  }

  put(changed: readonly ChangedMessage[]): void {
    for (const { id, content } of changed) {
      this.#sql.exec(
        "INSERT OR REPLACE INTO changed_messages (message_id, content) VALUES (?, ?)",
        id,
        JSON.stringify(content),
      );
      this.#isUsed = true;
    }
  }

  /**
   * Part of a restore's transaction: what was changed of the messages between these positions stays with them, and is not
   * for a later message with the same id.
   */
  setAside(kept: number, at: number): void {
    if (!this.#hasSome()) return;
    const rows = this.#sql.exec<{ id: string; position: number }>(
      `SELECT id, position FROM messages
       WHERE position > ? AND position < ? AND length(id) <= ${MAX_MESSAGE_ID_CHARACTERS}
       AND id IN (SELECT message_id FROM changed_messages)`,
      kept,
      at,
    );
    for (const { id, position } of rows.toArray()) {
      const key = setMessageAside(this.#sql, { id, position });
      this.#sql.exec("UPDATE changed_messages SET message_id = ? WHERE message_id = ?", key, id);
    }
  }

  remove(ids: readonly string[]): void {
    this.#sql.exec(
      "DELETE FROM changed_messages WHERE message_id IN (SELECT value FROM json_each(?))",
      JSON.stringify(ids),
    );
  }

  /** The messages among these that were changed. */
  of(ids: readonly string[]): readonly ChangedMessage[] {
    if (!this.#hasSome()) return [];
    return this.#sql
      .exec<{ message_id: string; content: string }>(
        "SELECT message_id, content FROM changed_messages WHERE message_id IN (SELECT value FROM json_each(?))",
        JSON.stringify(ids),
      )
      .toArray()
      .map(({ message_id: id, content }) => ({
        id,
        content: JSON.parse(content) as ContentBlock[],
      }));
  }

  #hasSome(): boolean {
    this.#isUsed ??= this.#sql.exec("SELECT 1 FROM changed_messages LIMIT 1").toArray().length > 0;
    return this.#isUsed;
  }

  /** The messages as the model sees them. */
  apply(messages: readonly Msg[]): readonly Msg[] {
    const contents = new Map(
      this.of(messages.map(({ id }) => id)).map(({ id, content }) => [id, content]),
    );
    if (contents.size === 0) return messages;
    return messages.map((message) => {
      const content = contents.get(message.id);
      return content ? { ...message, content: [...content] } : message;
    });
  }
}
