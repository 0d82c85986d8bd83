// Usage of writing people down in a room, on its way to D1: an entry of each turn, kept until D1 has it. It is written before the
// words are a message, and whatever becomes of them: the tokens are used.
import { OUTBOX_DELIVERY_MS } from "../../protocol/operator/limits.ts";
import { NANODOLLARS } from "../../protocol/schemas/money.ts";
import { withinDeadline } from "../../runtime/within-deadline.ts";
import { deliverRoomSpeech, type RoomSpeech } from "../../storage/outbox/usage-delivery.ts";
import { isRowRefused } from "../../storage/statements/database-failure.ts";
import type { RoomInit } from "../api/room-api.ts";
import type { SummaryUsage } from "../replies/outbox-entries.ts";
import { MAX_TOLD_TURNS } from "./limits.ts";

/** Made with the first turn that is written down: most rooms have none. */
const TABLE = `CREATE TABLE IF NOT EXISTS speech_usage (
  id TEXT PRIMARY KEY,
  -- What D1 is told, as JSON.
  entry TEXT NOT NULL
) WITHOUT ROWID`;

interface UsageContext {
  readonly sql: SqlStorage;
  readonly database: D1Database;
  readonly owner: Pick<RoomInit, "tenant_id" | "room_id">;
}

interface HeardTurn {
  /** Of the entry. */
  readonly id: string;
  readonly participant: string;
  readonly used: SummaryUsage;
}

export class SpeechUsage {
  readonly #context: UsageContext;
  #telling: Promise<void> | null = null;
  #isOpen: boolean;
  #isClosed = false;

  constructor(context: UsageContext) {
    this.#context = context;
    const made = "SELECT 1 FROM sqlite_schema WHERE name = 'speech_usage'";
    const { sql } = context;
    const isMade = sql.exec(made).toArray().length > 0;
    this.#isOpen = isMade && sql.exec("SELECT 1 FROM speech_usage LIMIT 1").toArray().length > 0;
  }

  /** Whether there is something that D1 has not confirmed. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  add({ id, participant, used: { model_name, usage, cost_usd } }: HeardTurn): void {
    // The object may be empty already.
    if (this.#isClosed) return;
    const { sql, owner } = this.#context;
    const { tenant_id, room_id } = owner;
    const at = new Date().toISOString();
    const cost = cost_usd === null ? null : Math.round(cost_usd * NANODOLLARS);
    const place = { tenant_id, room_id, participant, reply_id: id };
    const entry: RoomSpeech = { ...place, at, usage, cost, model_name };
    sql.exec(TABLE);
    sql.exec("INSERT INTO speech_usage (id, entry) VALUES (?, ?)", id, JSON.stringify(entry));
    this.#isOpen = true;
  }

  /** Tells D1 all that it does not have; what it does not take now is told with the next turn, or by the room's alarm. Contract: never rejects. */
  tell(): Promise<void> {
    this.#telling ??= this.#tell().finally(() => (this.#telling = null));
    return this.#telling;
  }

  /** The object is about to be erased: tells it once more, and nothing after that. Contract: never rejects. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.tell();
    this.#isOpen = false;
  }

  async #tell(): Promise<void> {
    const { sql, database } = this.#context;
    const query = "SELECT id, entry FROM speech_usage ORDER BY id LIMIT ?";
    try {
      while (this.#isOpen) {
        const rows = sql.exec<{ id: string; entry: string }>(query, MAX_TOLD_TURNS).toArray();
        const entries = rows.map(({ entry }) => JSON.parse(entry) as RoomSpeech);
        await withinDeadline(deliverEach(database, entries), OUTBOX_DELIVERY_MS);
        const told = JSON.stringify(rows.map(({ id }) => id));
        sql.exec("DELETE FROM speech_usage WHERE id IN (SELECT value FROM json_each(?))", told);
        this.#isOpen = sql.exec(query, 1).toArray().length > 0;
      }
    } catch (error) {
      console.warn("D1 was not told what was written down in a room; it will be", {
        error: String(error),
      });
    }
  }
}

/** One that D1 will never take holds up no other, and is lost. @throws when D1 fails. */
async function deliverEach(database: D1Database, entries: readonly RoomSpeech[]): Promise<void> {
  try {
    await deliverRoomSpeech(database, entries);
  } catch (error) {
    if (!isRowRefused(error)) throw error;
    const [only, ...others] = entries;
    if (only && others.length === 0) {
      console.error("the usage of a turn was refused, and is not counted", {
        error: String(error),
      });
      return;
    }
    for (const entry of entries) await deliverEach(database, [entry]);
  }
}
