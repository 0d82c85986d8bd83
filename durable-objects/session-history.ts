import { applyPatch } from "../agent/apply-patch.ts";
import type { AgUiHistory } from "../protocol/dialects/ag-ui/history.ts";
import type { Msg } from "../protocol/messages.ts";
import type { PatchOperation, StateObject } from "../protocol/shared-state.ts";
import type { SessionTables } from "./session-tables.ts";

/** What snapshots are made of, from the session's own tables. */
export class SessionHistory implements AgUiHistory {
  /** While a translator is led to where its reader stands, nobody sees its snapshots, and nothing is read for them. */
  isUnseen = false;
  readonly #tables: Pick<SessionTables, "messages" | "replies" | "stateVersions">;

  constructor(tables: Pick<SessionTables, "messages" | "replies" | "stateVersions">) {
    this.#tables = tables;
  }

  /** Cost: reads and parses the whole conversation. Nothing of it is kept, since a session may have many readers. */
  messagesBefore(replyId: string): readonly Msg[] {
    const reply = this.isUnseen ? null : this.#tables.replies.find(replyId);
    if (!reply) return [];
    const stored = this.#tables.messages.between(0, reply.start_cursor);
    return Array.from(stored, ({ item }) => item.message);
  }

  stateAt(version: number, patches: readonly (readonly PatchOperation[])[]): StateObject {
    return patches.reduce((state, patch) => {
      const changed = applyPatch(state, patch);
      if (!changed.ok) throw new Error(`a change of the state does not fit it: ${changed.detail}`);
      return changed.state;
    }, this.#tables.stateVersions.at(version));
  }
}
