// The hooks before and after observed messages. What has to be told after a message is on disk with it, as a timer: after
// a crash the question is asked again, under the same id.
import { askHook, type AnsweredHook, type HookScope } from "../../agent/hooks/ask-hook.ts";
import type { RegisteredHook, ShownMessage } from "../../agent/hooks/hook-runner.ts";
import { withChange } from "../../agent/hooks/read-change.ts";
import { showMessage } from "../../agent/hooks/shown.ts";
import { refuse, type Result } from "../../protocol/errors.ts";
import type { EventDraft } from "../../protocol/events.ts";
import type { HookPoint } from "../../protocol/hooks/events.ts";
import { HOOK_RETRY_MS } from "../../protocol/hooks/limits.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import type { TraceContext } from "../../protocol/trace-context.ts";
import { egressRules, type EgressBindings } from "../../outgoing/egress-rules.ts";
import { createOutgoing } from "../../outgoing/outgoing.ts";
import { createHookRunner } from "../../tools/hook-runner.ts";
import { registeredHooks } from "../settings/registered-hooks.ts";
import type { SessionLog } from "../log/session-log.ts";
import type { SessionSettings } from "../settings/session-settings.ts";
import type { SessionTables } from "../tables/session-tables.ts";
import type { NewId } from "../../agent/ports.ts";
import { OBSERVED, type Timer } from "../tables/timers.ts";

interface ObservedSession {
  readonly settings: SessionSettings;
  readonly tables: SessionTables;
  readonly log: SessionLog;
  readonly newId: NewId;
  /** Whether a reply runs, or the next one of the queue is about to. */
  readonly isActing: boolean;
}

interface ObserveHooksContext {
  readonly env: EgressBindings;
  /** Keeps the object awake. */
  readonly inBackground: (work: Promise<unknown>) => void;
}

/** Answers that belong into the commit of the messages, or the refusal of a hook that blocked them. */
export type AskedBefore = Result<readonly EventDraft[]>;

export class ObserveHooks {
  readonly #session: ObservedSession;
  readonly #context: ObserveHooksContext;
  readonly #stop = new AbortController();
  /** The timers whose questions are being asked. */
  readonly #asking = new Set<string>();

  constructor(session: ObservedSession, context: ObserveHooksContext) {
    this.#session = session;
    this.#context = context;
  }

  /** Null when there is no `pre_observe` hook: nothing is waited for then. */
  before(messages: readonly Msg[], trace?: TraceContext): Promise<AskedBefore> | null {
    const hooks = this.#at("pre_observe");
    return hooks.length === 0 ? null : this.#before(hooks, messages, trace);
  }

  /** Part of the commit of the messages: what has to be told of them. */
  expect(messages: readonly Msg[]): void {
    const { timers } = this.#session.tables;
    for (const hook of this.#at("post_observe")) {
      for (const { id } of messages) timers.set(timerOf(id, hook), Date.now() + HOOK_RETRY_MS);
    }
  }

  /** Tells the hooks of messages that are on disk: their answers are not awaited, since they change nothing. */
  tellSoon(trace?: TraceContext): void {
    if (this.#at("post_observe").length > 0) this.#context.inBackground(this.#tell(trace));
  }

  async #tell(trace?: TraceContext): Promise<void> {
    const { tables, log } = this.#session;
    const waiting = tables.timers.of(OBSERVED).filter(({ id }) => !this.#asking.has(id));
    if (waiting.length === 0 || log.isClosed) return;
    for (const { id } of waiting) this.#asking.add(id);
    try {
      const scope = await this.#scope(trace);
      for (const timer of waiting) {
        await this.#tellOne(timer, scope);
      }
    } finally {
      for (const { id } of waiting) this.#asking.delete(id);
    }
  }

  /** The alarm: sets the timers anew and asks beside it. */
  retry(): void {
    const { timers } = this.#session.tables;
    for (const timer of timers.of(OBSERVED)) timers.set(timer, Date.now() + HOOK_RETRY_MS);
    this.#context.inBackground(this.#tell());
  }

  async #before(
    hooks: readonly RegisteredHook[],
    messages: readonly Msg[],
    trace?: TraceContext,
  ): Promise<AskedBefore> {
    const scope = await this.#scope(trace);
    const events: EventDraft[] = [];
    for (const message of messages) {
      let question = questionAt("pre_observe", showMessage(message));
      for (const hook of hooks) {
        const answered = await askHook(hook, question, scope);
        if (!answered) break;
        events.push(...answered.events);
        const refusal = refusalOf(answered);
        if (refusal) {
          const { log, isActing } = this.#session;
          if (!log.isClosed) log.append(answered.events, { isLast: !isActing });
          return refusal;
        }
        question = withChange(question, answered.value.change);
      }
    }
    return { ok: true, value: events };
  }

  async #tellOne(timer: Timer, scope: HookScope): Promise<void> {
    const { tables, log } = this.#session;
    const [messageId = "", origin, name] = JSON.parse(timer.id) as string[];
    const hook = this.#at("post_observe").find(
      (one) => one.definition.name === name && one.origin === origin,
    );
    const message = tables.messages.find(messageId)?.message;
    if (!hook || !message) return tables.timers.clear(timer);
    const shown = tables.changedMessages.apply([message])[0] ?? message;
    const answered = await askHook(hook, questionAt("post_observe", showMessage(shown)), scope);
    if (!answered || log.isClosed) return;
    log.append(answered.events, {
      isLast: !this.#session.isActing,
      write: () => tables.timers.clear(timer),
    });
  }

  #at(point: HookPoint): readonly RegisteredHook[] {
    const { init } = this.#session.settings;
    return registeredHooks(init).filter(({ definition }) => definition.point === point);
  }

  async #scope(trace?: TraceContext): Promise<HookScope> {
    const { settings, newId } = this.#session;
    const { init } = settings;
    const isUsable = await settings.confirmCredentials(init);
    const secrets = await settings.openSecrets(isUsable, "init");
    const outgoing = createOutgoing({ ...egressRules(this.#context.env), fetch, trace });
    const { session_id, end_user_id } = init;
    return {
      runner: createHookRunner({ outgoing, secrets }),
      session_id,
      reply_id: null,
      end_user_id,
      newId,
      stop: this.#stop.signal,
    };
  }
}

function timerOf(messageId: string, { definition, origin }: RegisteredHook): Timer {
  return { kind: OBSERVED, id: JSON.stringify([messageId, origin, definition.name]) };
}

function questionAt<Point extends HookPoint>(point: Point, message: ShownMessage) {
  return { point, step: message.id, input: { messages: [message] } };
}

function refusalOf({ value }: AnsweredHook): AskedBefore | null {
  const { hook, outcome, reason, failure } = value;
  if (outcome === "blocked") {
    const detail = reason ?? `the hook ${hook} refused the messages`;
    return refuse("hook_blocked", detail, { extensions: { hook } });
  }
  if (failure?.on_failure !== "closed") return null;
  const detail = `the hook ${hook} gave no valid answer, so the messages were not added`;
  return refuse("hook_failed", detail, { extensions: { hook, kind: failure.kind } });
}
