// Two tabs, a webhook and lost machines, at random: whatever they do, the log and the table of runs say the same,
// and every reader of it is shown the same.
import { abortAllDurableObjects, evictDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";

import type { SessionInit, StartedRun } from "../../../durable-objects/api/session-api.ts";
import { runMarkOf } from "../../../protocol/ag-ui/ag-ui-run.ts";
import type { InputMessage } from "../../../protocol/replies/contract.ts";
import type { RunInput } from "../../../protocol/dialects/ag-ui/input/run-input.ts";
import type { Result } from "../../../protocol/errors.ts";
import { sampled, seeds } from "../../support/breadth.ts";
import { seededRandom } from "../../support/seeded-random.ts";
import {
  confirmation,
  externalResult,
  LABEL,
  post,
  REFUND,
  withTools,
} from "../confirmations/parked.ts";
import {
  allEvents,
  createdSession,
  listMessages,
  objectOf,
  stubOf,
  valueOf,
} from "../sessions/session.ts";
import { checkFrames } from "./check-frames.ts";
import { answerTo, codeOf, PRINT, resultOf, runRows, said, shownRuns, startRun } from "./runs.ts";

const SCRIPTS = [
  "/say hello",
  "/call print {}\n/say done",
  "/call refund {}\n/say done",
  "/call refund {}\n/call label {}\n/call print {}\n/then\n/call print {}\n/say done",
  "/rate 200\n/words 20",
];
const STEPS = 20;
/** Refusals that a run may get here; all others are mistakes. */
const REFUSALS = [
  "reply_running",
  "interrupts_open",
  "run_empty",
  "confirmation_used",
  "call_not_pending",
];

class Thread {
  readonly init: SessionInit;
  readonly codes = new Set<string | null>();
  readonly #next: () => number;
  #said: readonly InputMessage[] = [];
  #messages = 0;
  #runs = 0;

  constructor(init: SessionInit, next: () => number) {
    this.init = init;
    this.#next = next;
  }

  #random(below: number): number {
    return Math.floor(this.#next() * below);
  }

  async step(): Promise<void> {
    const kind = this.#random(10);
    if (kind === 0) await this.#evict();
    else if (kind === 1) await this.#die();
    else if (kind === 2) await this.#answerByWebhook();
    else if (kind === 3) await stubOf(this.init).act("interrupt", {});
    else if (kind < 7) await this.#race(await this.#answers(), await this.#message());
    else await this.#race(await this.#answers(), await this.#answers());
  }

  /** Gives up what waits, and waits for what runs. */
  async end(): Promise<void> {
    const { reply_id } = valueOf(await stubOf(this.init).act("read"));
    if (reply_id !== null) await stubOf(this.init).act("interrupt", {});
  }

  async #race(...inputs: readonly Partial<RunInput>[]): Promise<void> {
    const ids = inputs.map(() => `r${(this.#runs += 1)}`);
    // Now and then a client asks twice for the same run.
    if (this.#random(4) === 0) ids.fill(ids[0] ?? "");
    const started = await Promise.all(
      inputs.map((input, index) => startRun(this.init, ids[index] ?? "", input)),
    );
    for (const [index, result] of started.entries()) {
      await this.#note(result, inputs[index]);
    }
  }

  async #message(): Promise<Partial<RunInput>> {
    const text = SCRIPTS[this.#random(SCRIPTS.length)] ?? "";
    const messages = [...this.#said, said(`m${(this.#messages += 1)}`, text)];
    return { messages, tools: [PRINT], state: { said: messages.length } };
  }

  async #answers(): Promise<Partial<RunInput>> {
    const { pending, reply_id } = valueOf(await stubOf(this.init).act("read"));
    const isWhole = this.#random(5) > 0;
    const answered = pending.filter((_, index) => isWhole || index % 2 === 0);
    const results = answered
      .filter(({ kind }) => kind === "external_result")
      .map(({ tool_call }) => resultOf(tool_call.id, "printed"));
    const resume = answered
      .filter(({ kind }) => kind === "permission")
      .map(({ tool_call }) => answerTo(reply_id ?? "", tool_call.id, { approved: true }));
    return { messages: this.#said, results, resume, tools: [PRINT] };
  }

  async #evict(): Promise<void> {
    valueOf(await stubOf(this.init).act("read"));
    await evictDurableObject(objectOf(this.init));
  }

  /** In the middle of a request, which then comes again. */
  async #die(): Promise<void> {
    const input = this.#random(2) === 0 ? await this.#message() : await this.#answers();
    const id = `r${(this.#runs += 1)}`;
    const asked = startRun(this.init, id, input).catch(() => null);
    await abortAllDurableObjects();
    await asked;
    const repeated = await startRun(this.init, id, input);
    await this.#note(repeated, input);
  }

  /** Takes a refused message out of the transcript again: it would be new in each later run. */
  async #note(result: Result<StartedRun>, input: Partial<RunInput> | undefined): Promise<void> {
    this.codes.add(codeOf(result));
    if (!result.ok) return;
    const known = input?.messages ?? [];
    if (known.length > this.#said.length) this.#said = known;
    await stubOf(this.init).act("readReply", { reply_id: result.value.reply_id, wait_ms: 60_000 });
  }

  async #answerByWebhook(): Promise<void> {
    const { pending, reply_id } = valueOf(await stubOf(this.init).act("read"));
    const [call] = pending;
    if (!call || reply_id === null) return;
    await post(
      this.init,
      call.kind === "permission"
        ? confirmation(reply_id, call)
        : externalResult(reply_id, call, "from elsewhere"),
    );
  }
}

async function check({ init, codes }: Thread): Promise<void> {
  expect([...codes].filter((code) => code !== null && !REFUSALS.includes(code))).toEqual([]);
  const events = await allEvents(init);
  const rows = await runRows(init);
  expect(rows.length).toBeGreaterThan(STEPS / 4);
  const marked = events.flatMap((event) => {
    const { run_id } = runMarkOf(event);
    return run_id === undefined ? [] : [[run_id, event.seq - 1] as const];
  });
  // Each run that the log names is in the table, once, where the log has it.
  expect(new Set(marked.map(([id]) => id)).size).toBe(marked.length);
  const kept = new Map(rows.map(({ run_id, from_seq }) => [run_id, from_seq]));
  expect(marked.filter(([id, seq]) => kept.get(id) !== seq)).toEqual([]);
  // Every run begins where the translation begins one, and has ended.
  const shown = await shownRuns(init);
  expect(shown.filter(([, outcome]) => outcome === "open")).toEqual([]);
  expect(marked.map(([id]) => id).filter((id) => !shown.some(([run]) => run === id))).toEqual([]);
  expect(rows.filter(({ to_seq }) => to_seq === null)).toEqual([]);
  const ofType = (type: string) => events.filter((event) => event.type === type).length;
  expect(ofType("REPLY_END")).toBe(ofType("REPLY_START"));
  expect(ofType("TOOL_RESULT_END")).toBe(ofType("TOOL_RESULT_START"));
  // No message is said twice.
  const { data } = valueOf(await listMessages(init, { limit: 100 }));
  const ids = data.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
}

describe("runs at random", () => {
  for (const [rows, breadth] of sampled(seeds(8), 1))
    it.each(rows)("leave a log and a table that say the same (seed %i)", breadth, (seed) =>
      withTools(async () => {
        const beside = { concurrency_safe: true };
        const tools = [REFUND, LABEL].map((tool) => ({ ...tool, ...beside }));
        const thread = new Thread(await createdSession({ tools }), seededRandom(seed));
        for (let step = 0; step < STEPS; step += 1) {
          await thread.step();
        }
        await thread.end();
        await check(thread);
        await checkFrames(thread.init);
      }),
    );
});
