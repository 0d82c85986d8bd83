// Starts an AG-UI run. The effect of its input is decided and written with no await in between, so that of two
// concurrent runs one is first and the other finds it.
import { decideRun } from "../../agent/loop/decide-run.ts";
import { runMetadata } from "../../protocol/ag-ui/ag-ui-run.ts";
import type { RunInput } from "../../protocol/dialects/ag-ui/input/run-input.ts";
import { accept, refuse, type Result } from "../../protocol/errors.ts";
import { QUICK_TRANSCRIPT_MESSAGES } from "../../protocol/ag-ui/limits.ts";
import { MAX_INPUT_MESSAGES } from "../../protocol/replies/limits.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import type { EventDraft } from "../../protocol/events.ts";
import type { ActiveReply } from "../replies/active-reply.ts";
import { admitReply } from "../replies/admit-reply.ts";
import { timeSlice } from "../../runtime/time-slice.ts";
import { addTranscript, isLongTranscript } from "./add-transcript.ts";
import { handDownAnswers, withoutCalled, type AskedRun } from "./called-answers.ts";
import { checkChange, findAllEarlierAnswers } from "./check-run.ts";
import { hasMissedMessages } from "./has-missed-messages.ts";
import { hasMissedResults } from "./has-missed-results.ts";
import type { OpenSession } from "../sessions/open-session.ts";
import { isPartlyHeld } from "./is-partly-held.ts";
import { expireDueCalls } from "../acts/events.ts";
import { refuseRunning } from "../replies/refuse-busy.ts";
import { checkRunAnswers } from "./run-answers.ts";
import type { Actor, RunStart, SessionInit, StartedRun } from "../api/session-api.ts";
import { isUnlistedThread } from "../sessions/session-listing.ts";
import { changeSharedState } from "../acts/shared-state.ts";
import { leaveThread } from "./leave-thread.ts";
import { placeRun } from "./place-run.ts";
import { isKnownRun, isRepetition, repeatRun } from "./repeat-run.ts";
import { seqOfLastResult, settleRun, showRun } from "./show-run.ts";
import { takeAnswers } from "../acts/confirmations.ts";
import type { Staging } from "../log/stage-messages.ts";
import { viewRun } from "./view-run.ts";

const GONE = refuse("not_found", "there is no such session");

interface RunOptions {
  readonly start: RunStart;
  readonly actor: Actor;
  /** Other starts or queued replies came first. */
  readonly isBehindOthers: boolean;
  readonly staging: Staging;
}

export async function startRun(
  session: OpenSession,
  start: RunStart,
  actor: Actor,
): Promise<Result<StartedRun>> {
  const { agent_id } = session.init;
  if (start.is_listed) session.isListed = true;
  if (!session.isListed && isUnlistedThread(session.tables.timers, session.init)) return GONE;
  if (agent_id !== start.agent_id) {
    return refuse("agent_mismatch", `this thread is one of agent ${agent_id}`);
  }
  const waited = session.openReply?.id ?? null;
  const started = await session.queue.aheadOfQueue((isBehindOthers, staging) =>
    run(session, { start, actor, isBehindOthers, staging }),
  );
  if (!started.ok) return started;
  const { message_ids } = start.input;
  const isHeld =
    (started.value.is_repeated && isPartlyHeld(session, started.value, message_ids)) ||
    hasMissedResults(session, waited ?? started.value.reply_id, started.value, message_ids) ||
    (start.profile === "0.0" && hasMissedMessages(session, started.value, message_ids));
  return isHeld ? accept({ ...started.value, is_partly_held: true }) : started;
}

/** Views the session anew after each await, because it may have changed meanwhile. */
async function run(
  session: OpenSession,
  { start, actor, isBehindOthers, staging }: RunOptions,
): Promise<Result<StartedRun>> {
  const { log, settings, tables } = session;
  const { mark } = start;
  let { input } = start;
  const made = new Map<RunInput["messages"][number], Msg>();
  let isAgentFresh = false;
  let isStateTaken = false;
  let isHandedDown = false;
  for (let isFirstLook = true; ; isFirstLook = false) {
    if (input.messages.length > QUICK_TRANSCRIPT_MESSAGES) await timeSlice();
    if (log.isClosed) return GONE;
    // The alarm may be late: a call whose time is over takes no answer.
    expireDueCalls(session);
    const seen = viewRun(session, input, made);
    const view = isHandedDown ? withoutCalled(seen) : seen;
    const asked: AskedRun = { start: isStateTaken ? withoutState(start) : start, actor, view };
    if (isHandedDown && view.waiting.length === 0) return showContinuation(session, asked, true);
    if (isKnownRun(session, mark.run_id) && isRepetition(session, mark.run_id, view)) {
      return repeat(session, asked);
    }
    const place = placeRun(session, start, view);
    if (place) return leaveThread(session, start, place);
    const decided = decideRun(view);
    if (!decided.ok) return decided;
    const { active, openReply } = session;
    const decision = decided.value;
    switch (decision.type) {
      case "again": {
        const seq = seqOfLastResult(session, decision.reply_id, input.results);
        return showRun(session, mark.run_id, decision.reply_id, seq);
      }
      case "continuation":
        return showContinuation(session, asked);
      case "answer":
        return answer(session, asked, waitingReply(openReply));
      case "hand_down": {
        const handed = await handDown(session, asked);
        if (!handed.ok) return handed;
        isStateTaken = isHandedDown = true;
        break;
      }
      case "give_up":
      case "start": {
        const next = isFirstLook && isBehindOthers ? tables.queue.firstToRun() : null;
        if (next && !openReply) return refuseRunning(next.id);
        // One reply at a time, also on disk: the last one is complete when the next one starts.
        if (!openReply && active && !active.isSettled) await active.settled;
        else if (!isAgentFresh) {
          const admitted = await admitReply(session, actor.share);
          if (!admitted.ok) return admitted;
          isAgentFresh = true;
        } else if (decision.type === "start" && isLongTranscript(view.fresh)) {
          const checked = checkChange(session, asked, settings.init);
          if (!checked.ok) return checked;
          const newest = await addTranscript(session, view.fresh);
          if (newest) input = withNewest(input, newest);
        } else if (decision.type === "start") {
          if (!staging.isDue(view.fresh)) return begin(session, asked, staging);
          await staging.stage(view.fresh, 1);
        } else {
          const given = giveUp(session, asked, waitingReply(openReply));
          if (!given.ok) return given;
          await given.value;
          isStateTaken = true;
        }
        break;
      }
      default:
        decision satisfies never;
    }
  }
}

/** Shows the part of a known run that the request asks for again. */
async function repeat(session: OpenSession, asked: AskedRun): Promise<Result<StartedRun>> {
  const earlier = await findAllEarlierAnswers(session, asked, false);
  if (!earlier.ok) return earlier;
  const { mark, input } = asked.start;
  const brought = { earlier: earlier.value, view: asked.view, results: input.results };
  return repeatRun(session, mark.run_id, brought);
}

/** Shows the run from the first of the repeated answers on: the client has missed all that followed. */
async function showContinuation(
  session: OpenSession,
  asked: AskedRun,
  isChecked = false,
): Promise<Result<StartedRun>> {
  const earlier = await findAllEarlierAnswers(session, asked, isChecked);
  if (!earlier.ok) return earlier;
  const [first] = earlier.value.toSorted((one, other) => one.seq - other.seq);
  if (!first) throw new Error("a continuation follows an answer");
  return showRun(session, asked.start.mark.run_id, first.reply_id, first.seq);
}

async function begin(
  session: OpenSession,
  asked: AskedRun,
  staging: Staging,
): Promise<Result<StartedRun>> {
  const { start, actor, view } = asked;
  const { tables, log, settings } = session;
  const change = checkChange(session, asked, settings.init);
  if (!change.ok) return change;
  if (change.value) changeSharedState(session, { patch: change.value });
  const { run_id } = start.mark;
  const begun = await session.queue.begin(
    view,
    {
      mark: start.mark,
      client: clientOf(start.input),
      trace: start.trace,
      share: actor.share,
      staging,
    },
    (reply_id) => {
      // REPLY_START is the last event of its commit.
      tables.runs.add({ run_id, reply_id, from_seq: log.lastSeq - 1, to_seq: null });
    },
  );
  if (!begun.ok) return begun;
  const { id: reply_id, cursor } = begun.value;
  return accept({ reply_id, cursor, is_repeated: false });
}

async function answer(
  session: OpenSession,
  asked: AskedRun,
  reply: ActiveReply,
): Promise<Result<StartedRun>> {
  const { start, actor, view } = asked;
  const { tables, settings } = session;
  const answers = checkRunAnswers(session, reply, view, start, actor);
  if (!answers.ok) return answers;
  const change = checkChange(session, asked, settings.replyInit);
  if (!change.ok) return change;
  if (change.value) changeSharedState(session, { patch: change.value });
  const { run_id } = start.mark;
  const [first] = takeAnswers(session, reply, {
    ...answers.value,
    events: beginRunWith(answers.value.events, start),
    actor,
    trace: start.trace,
    write(seq) {
      settings.continueReply(clientOf(start.input));
      // Bounded, because each request of the run reads them: a transcript may bring thousands with every answer.
      const left_messages = view.fresh.slice(0, MAX_INPUT_MESSAGES).map(({ id }) => id);
      const part = { reply_id: reply.id, from_seq: seq - 1, to_seq: null };
      tables.runs.add({ run_id, ...part, left_messages });
    },
  });
  const cursor = (first?.seq ?? 1) - 1;
  return settleRun(session, { reply_id: reply.id, cursor, is_repeated: false });
}

/** Takes what the run brings beside answers, and hands down those to questions of called agents, once all may be taken. */
async function handDown(session: OpenSession, asked: AskedRun): Promise<Result<null>> {
  const { start, actor } = asked;
  const { settings, openReply } = session;
  const own = withoutCalled(asked.view);
  const answers = checkRunAnswers(session, waitingReply(openReply), own, start, actor);
  if (!answers.ok) return answers;
  const change = checkChange(session, asked, settings.replyInit);
  if (!change.ok) return change;
  session.transaction(() => settings.continueReply(clientOf(start.input)));
  const handed = await handDownAnswers(session, asked);
  if (handed.ok && change.value) changeSharedState(session, { patch: change.value });
  return handed;
}

/**
 * Applies the state and the results of the run, and ends the reply that waited for more, with no await in between. The
 * client's state is checked here, against the reply as it was shown. After a crash before the next reply begins, the
 * repeated request finds this done, and begins the reply.
 * @returns Resolves when the end is on disk.
 */
function giveUp(
  session: OpenSession,
  asked: AskedRun,
  reply: ActiveReply,
): Result<Promise<unknown>> {
  const { start, actor, view } = asked;
  const answers = checkRunAnswers(session, reply, view, start, actor);
  if (!answers.ok) return answers;
  const change = checkChange(session, asked, session.settings.init);
  if (!change.ok) return change;
  if (change.value) changeSharedState(session, { patch: change.value });
  return accept(session.runner.interrupt(answers.value.events));
}

/** Marks the first of the events as the beginning of the run. */
function beginRunWith(
  [first, ...rest]: readonly EventDraft[],
  { mark, input }: RunStart,
): readonly EventDraft[] {
  if (!first) return rest;
  const metadata = "metadata" in first ? first.metadata : {};
  return [{ ...first, metadata: { ...metadata, ...runMetadata(mark, input) } }, ...rest];
}

function clientOf({ tools, context }: RunInput): SessionInit["client"] {
  return tools.length + context.length === 0 ? undefined : { tools, context };
}

/** The input without the messages that were added ahead of the run; its last message stays, known or not. */
function withNewest(input: RunInput, newest: readonly Msg[]): RunInput {
  const ids = new Set<string | undefined>(newest.map(({ id }) => id));
  const last = input.messages.at(-1);
  const messages = input.messages.filter((message) => message === last || ids.has(message.id));
  return { ...input, messages };
}

function withoutState(start: RunStart): RunStart {
  return { ...start, input: { ...start.input, state: null } };
}

function waitingReply(reply: ActiveReply | null): ActiveReply {
  if (!reply) throw new Error("no reply waits for what the run brings");
  return reply;
}
