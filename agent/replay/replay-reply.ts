// Runs one recorded reply again: the loop as it is, over a log in memory, with tools and people answered from the
// record. Pure: the models are ports, as in every reply.
import type { PermissionRule } from "../../protocol/messages/permission.ts";
import type { Ability } from "../ability.ts";
import { closeReply } from "../state/close-reply.ts";
import type { ReplyRun } from "../loop/reply-run.ts";
import { runReply } from "../loop/run-reply.ts";
import type { PermissionSettings } from "../permission/check-call.ts";
import type { StopSignal, ToolDeclaration } from "../ports.ts";
import { answerQuestions, type Assumption, type ReplayedQuestion } from "./answer-questions.ts";
import type { Recording } from "./recording.ts";
import type { ReplayLog } from "./replay-log.ts";
import { recordedRunner, replayAbilities, replayDeclarations } from "./replay-tools.ts";

/** A call at which a replay ends. */
export interface StoppedCall {
  readonly reason: "no_recorded_result" | "confirmation_required";
  readonly tool_call_id: string;
}

/** The way that a call of the replay got its result from the record. */
type ResultSource = "recorded" | "repeated";

type LoopPorts = Omit<
  ReplyRun,
  | "permission"
  | "asking"
  | "abilities"
  | "toolRunner"
  | "log"
  | "stop"
  | "isRestart"
  | "diagnostics"
  // Hooks and middleware may have effects outside.
  | "hooks"
  | "middleware"
>;

export interface ReplayRun extends LoopPorts {
  /** The id of the recorded reply. */
  readonly recorded_reply_id: string;
  readonly recording: Recording;
  readonly assume: Assumption;
  /** As the agent has them; what may act outside the log is left out here. */
  readonly abilities: readonly Ability[];
  /** All tools of the reply, as they are declared at this moment. */
  readonly tools: () => readonly ToolDeclaration[];
  readonly log: ReplayLog;
  /** @param added Rules that answers of the record have added to the session. */
  readonly permission: (added: readonly PermissionRule[]) => PermissionSettings;
  /** Rules that were added so far; this reply's are pushed to it. */
  readonly addedRules: PermissionRule[];
  /** Aborted by `end`, by the deadline, and when the client has left. */
  readonly stop: StopSignal;
  /** Ends the replay: aborts `stop`. The first reason counts. */
  readonly end: (stopped: StoppedCall) => void;
}

export interface ReplayOutcome {
  /** By call id. */
  readonly sources: ReadonlyMap<string, ResultSource>;
  /** Calls that were allowed, also where the record has no result of them. */
  readonly allowed: ReadonlySet<string>;
  readonly questions: ReadonlyMap<string, ReplayedQuestion>;
}

/**
 * Resolves when the reply has ended in its log, if only because it was stopped: every call then has a result, and the
 * usage is counted. Contract: rejects only on a bug.
 */
export async function replayReply(run: ReplayRun): Promise<ReplayOutcome> {
  const { log, stop, recording, recorded_reply_id: reply_id, session_id } = run;
  const sources = new Map<string, ResultSource>();
  const allowed = new Set<string>();
  const questions = new Map<string, ReplayedQuestion>();
  const tools = () => replayDeclarations(run.tools(), run.abilities);
  const abilities = replayAbilities(run.abilities);
  const toolRunner = recordedRunner(
    tools,
    ({ tool_call_id, name, input }) => {
      allowed.add(tool_call_id);
      const found = recording.takeResult({ reply_id, name, input });
      if (found) sources.set(tool_call_id, found.isRepeated ? "repeated" : "recorded");
      return found;
    },
    ({ tool_call_id }) => run.end({ reason: "no_recorded_result", tool_call_id }),
  );
  const permission = () => run.permission(run.addedRules);
  const asking = {
    confirmation_ttl_ms: 0,
    hashInput: () => Promise.resolve(""),
    expiresAt: () => log.state.message.created_at,
  };
  const ports = { ...run, abilities, toolRunner, permission, asking, diagnostics: log };
  do {
    log.parked = null;
    // A reply that waits is answered from the record, and continues.
    await runReply(ports);
    if (log.parked) answerQuestions({ ...run, reply_id, tools: tools(), permission, questions });
  } while (log.parked && !stop.aborted);
  if (log.state.message.finished_reason === null) {
    log.append(closeReply(log.state, { session_id, finished_reason: "interrupted" }));
  }
  return { sources, allowed, questions };
}
