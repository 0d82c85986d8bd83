// One session of the matrix, from its first request to its end, with a reader who was there all the time.
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { inject } from "vitest";

import type { SessionObject } from "../../../durable-objects/session-object.ts";
import { sessionObjectName, STREAM_URL } from "../../../durable-objects/api/session-api.ts";
import type { Reply } from "../../../protocol/replies/contract.ts";
import type { SharedState } from "../../../protocol/shared-state/contract.ts";
import type { LoggedEvent } from "../../../protocol/events.ts";
import { createSseDecoder } from "../../../protocol/sse.ts";
import type { Effect } from "../../support/effect-server.ts";
import { waitUntil } from "../../support/wait-for.ts";
import { confirmation, externalResult, KEY } from "../confirmations/parked.ts";
import { valueOf, type SessionStub } from "../sessions/session.ts";
import { makeAgent, makeSession, makeTenant, type Call } from "../support/api.ts";
import { scenarioAgent, type Scenario, type Way } from "./scenarios.ts";

// As test/support/provide-effect-server.ts provides them; that file is of Node and not of this program.
declare module "vitest" {
  interface ProvidedContext {
    readonly effectServerUrl: string;
    readonly pacedModelUrl: string;
  }
}

const UNTOLD =
  "SELECT kind AS of FROM timers WHERE kind <> 'expiry' UNION ALL SELECT status FROM outbox";

interface ReplyStatusRow extends Record<string, SqlStorageValue> {
  id: string;
  status: string;
}

export interface Opener {
  /** With a key of the tenant. */
  readonly call: Call;
  /** A session of its own for each run. */
  open(): Promise<CrashSession>;
}

/** A tenant and an agent for all runs of a scenario. @param way How its machines die; null when none does. */
export async function openScenario(scenario: Scenario, way: Way | null): Promise<Opener> {
  const { id: tenantId, call } = await makeTenant();
  const agent = await makeAgent(
    call,
    scenarioAgent(scenario, {
      url: inject("effectServerUrl"),
      modelUrl: inject("pacedModelUrl"),
      way,
    }),
  );
  return {
    call,
    async open() {
      const session = await makeSession(call, {
        agent_id: agent.id,
        ...(scenario.isEndUsers && { end_user_id: crypto.randomUUID() }),
      });
      const opened = new CrashSession(scenario, tenantId, session.id);
      await opened.quiet();
      return opened;
    },
  };
}

export class CrashSession {
  readonly id: string;
  readonly #scenario: Scenario;
  readonly #tenantId: string;
  /** Events that the reader has seen so far. */
  readonly seen: LoggedEvent[] = [];
  #reader: ReadableStreamDefaultReader<string> | null = null;
  #cut: (value: null) => void = () => undefined;

  constructor(scenario: Scenario, tenantId: string, id: string) {
    this.#scenario = scenario;
    this.#tenantId = tenantId;
    this.id = id;
  }

  /** Another reader of the same session, who has seen nothing. */
  reader(): CrashSession {
    return new CrashSession(this.#scenario, this.#tenantId, this.id);
  }

  /** Fresh each time: one that saw its object die stays broken. */
  get object(): DurableObjectStub<SessionObject> {
    return env.SESSION.getByName(sessionObjectName(this.#tenantId, this.id));
  }

  get #stub(): SessionStub {
    return this.object as unknown as SessionStub;
  }

  /** Reads until the connection ends, or for ever; resolves then. @param after The last seq that was seen. */
  async read(query = `after=${this.seen.at(-1)?.seq ?? 0}`): Promise<void> {
    const cut = Promise.withResolvers<null>();
    this.#cut = cut.resolve;
    // A machine that stops while it opens the session gives no answer at all.
    const asked = this.#stub.fetch(`${STREAM_URL}?${query}`).catch(() => null);
    const response = await Promise.race([asked, cut.promise]);
    if (!response?.body) return;
    const decoder = createSseDecoder();
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    this.#reader = reader;
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      for (const frame of decoder.push(value))
        this.seen.push(JSON.parse(frame.data) as LoggedEvent);
    }
  }

  /** The reader's connection is cut. What its machine shows later, nobody sees. */
  async cut(): Promise<void> {
    this.#cut(null);
    await this.#reader?.cancel();
  }

  /** Says again what was said before, as a client does that got no answer. */
  async say(): Promise<void> {
    // With the session's id in it, a request to the provider tells whose it is.
    const content = `${this.#scenario.script}\n${this.id}`;
    const input = { id: `said_${this.id}`, role: "user" as const, content };
    valueOf(await this.#stub.act("startReply", { input: input as never, on_busy: "reject" }));
  }

  async sharedState(): Promise<SharedState> {
    return valueOf(await this.#stub.act("readSharedState"));
  }

  get ends(): string {
    return this.#scenario.ends ?? "completed";
  }

  /** Answers everything that the reply waits for. */
  async answer(): Promise<void> {
    if (this.#scenario.isInterrupted) return void valueOf(await this.#stub.act("interrupt", {}));
    const reply = await this.readReply();
    const reason = this.#scenario.denialReason;
    for (const call of reply.pending) {
      const event =
        call.kind === "permission"
          ? confirmation(reply.id, call, { confirmed: reason === undefined, reason })
          : externalResult(reply.id, call, "Label 1Z-77");
      valueOf(await this.#stub.act("postEvent", event as never, { actor: KEY }));
    }
  }

  async readReply(): Promise<Reply> {
    const [row] = await this.rows<ReplyStatusRow>("SELECT id, status FROM replies");
    if (!row) throw new Error("there is no reply");
    return valueOf(await this.#stub.act("readReply", { reply_id: row.id, wait_ms: 0 }));
  }

  rows<Row extends Record<string, SqlStorageValue>>(query: string): Promise<Row[]> {
    return runInDurableObject(this.object, (_, state) =>
      state.storage.sql.exec<Row>(query).toArray(),
    );
  }

  /** The object wakes by its alarm, with nobody there. False when none is set. */
  wake(): Promise<boolean> {
    return runDurableObjectAlarm(this.object);
  }

  /** As {@link wake}, when the time of everything but an expiry has come. */
  async wakeLate(): Promise<boolean> {
    await this.rows("UPDATE timers SET due_at = 1 WHERE kind <> 'expiry'");
    return this.wake();
  }

  /** Resolves when the session has nothing more to tell anybody. */
  async quiet(): Promise<void> {
    await waitUntil(async () => ((await this.rows(UNTOLD)).length === 0 ? true : undefined));
  }

  /** Its reply is at rest, and nobody has to be told of it any more. */
  async isOver(): Promise<boolean> {
    const left = await this.rows(
      `${UNTOLD} UNION ALL SELECT id FROM replies WHERE status = 'running'`,
    );
    return left.length === 0;
  }

  /** Null when the reply was never started. Looks into the storage alone, so that no request wakes anything. */
  settled(): Promise<string | null> {
    return waitUntil(async () => {
      const [row] = await this.rows<ReplyStatusRow>("SELECT id, status FROM replies");
      if (!row) return null;
      return row.status === "running" ? undefined : row.status;
    });
  }

  async effects(): Promise<readonly Effect[]> {
    const response = await fetch(`${inject("effectServerUrl")}/effects/${this.id}`);
    return (await response.json()) as readonly Effect[];
  }
}
