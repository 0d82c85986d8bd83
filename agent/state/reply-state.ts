// The state of a reply as a fold of its events, so that it can always be rebuilt from the log.
import { a2aDepthOf } from "../../protocol/a2a/a2a-mark.ts";
import { USAGE_TOLD } from "../../protocol/a2a/told-usage.ts";
import { CONTEXT_COMPRESSED, CONTEXT_TRUNCATED } from "../../protocol/context/events.ts";
import { AGENT_STEP, isSubagentCopy, type AgentStepValue } from "../../protocol/agents/events.ts";
import {
  REPLY_INTERRUPTED,
  REPLY_RECOVERED,
  TOOL_CALL_EDITED,
} from "../../protocol/fold/append-custom.ts";
import { appendEvent, startMessage } from "../../protocol/fold/append-event.ts";
import type { ContentBlock, ToolCallBlock } from "../../protocol/messages/blocks.ts";
import type { AgentEvent, EventOf } from "../../protocol/events.ts";
import { modelOptionsOf, type ReplyModelOptions } from "../../protocol/models/model-options.ts";
import { HOOK_ANSWERED } from "../../protocol/hooks/events.ts";
import { TOOL_PROGRESS } from "../../protocol/tools/events.ts";
import { SPEECH_KEPT, SPEECH_SAID, SPEECH_TRUNCATED } from "../../protocol/voice/events.ts";
import { EVENT_CHARACTERS } from "../../protocol/events/limits.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import { structuredSchemaOf, type JsonSchema } from "../../protocol/schemas/structured-output.ts";
import {
  untrustedSourceOf,
  type UntrustedSource,
} from "../../protocol/messages/untrusted-content.ts";
import { advanceInputs, NO_INPUTS, type InputRecord } from "./input-record.ts";
import { contentCharacters, eventCharacters } from "./characters.ts";
import { advanceHooks, NO_HOOKS, type HookRecord } from "./hook-record.ts";
import { rememberOriginals } from "./original-inputs.ts";
import { stoppingTool } from "./stopping-tool.ts";
import { arrangedTurns, beginTurn, isRoundOpen, type ReplyTurns } from "./turns.ts";
import { advanceProgress, NO_PROGRESS, type ProgressRecord } from "./progress-record.ts";
import {
  advanceSubagentTokens,
  advanceTasks,
  NO_TASKS,
  type SubagentTokens,
  type TaskRecord,
} from "./task-record.ts";

export interface ReplyState extends ReplyTurns {
  readonly message: Msg;
  /** Whether a model call has started without its `MODEL_CALL_END`. */
  readonly is_model_call_open: boolean;
  /** Interrupted, and open only for a remark about that: nothing else runs, whatever happens. */
  readonly is_interrupted: boolean;
  /** Model calls that were given up; it is the index of the next model among the agent's models. */
  readonly failed_model_calls: number;
  /** Completed model calls and tool results; it only grows. */
  readonly completed_steps: number;
  /** JSON Schema of the reply's structured output; null when the reply ends with text. */
  readonly structured_schema: JsonSchema | null;
  /** Options of the reply's model calls; null for those of the models' definitions. */
  readonly model_options: ReplyModelOptions | null;
  /** Agents of the deployment that have called each other over A2A above it, where its start says so. */
  readonly a2a_depth: number | null;
  /** UTF-16 units that deltas have added to the message, approximately; at most `MAX_REPLY_CHARACTERS`. */
  readonly characters: number;
  /**
   * UTF-16 units of its events, approximately, including output that was taken back: it only grows. At most
   * `MAX_REPLY_LOG_CHARACTERS`.
   */
  readonly logged_characters: number;
  /**
   * Tokens that the last completed model call read and wrote; null when it said nothing, or messages have left since.
   */
  readonly last_call: CountedCall | null;
  /** By call id, the model's original input of calls that were edited. */
  readonly original_inputs: ReadonlyMap<string, string>;
  /** Steps of an agent in code, by their names. */
  readonly agent_steps: ReadonlyMap<string, AgentStepValue>;
  /** Answers of hooks. */
  readonly hooks: HookRecord;
  /** By call id, where the content of untrusted results is from. */
  readonly untrusted_results: ReadonlyMap<string, UntrustedSource>;
  /** Questions of the reply's calls to a person. */
  readonly inputs: InputRecord;
  /** Tasks that the reply's calls were given in place of results. */
  readonly tasks: TaskRecord;
  /** Tokens of agents that calls have called, by call id. */
  readonly subagent_tokens: SubagentTokens;
  /** Progress that its open calls have told. */
  readonly progress: ProgressRecord;
  /** The first tool that has asked that the reply ends, behind the results of its turn; null for none. */
  readonly stopped_by: string | null;
}

/** A model call whose tokens the provider has counted. */
interface CountedCall {
  /** The last block of the message at its end. */
  readonly block_id: string;
  /** Input and output. */
  readonly tokens: number;
  readonly input_tokens: number;
}

/** The state right after `REPLY_START`. */
export function startReplyState(start: EventOf<"REPLY_START">): ReplyState {
  return {
    message: startMessage(start),
    iterations: 0,
    turn_start: 0,
    is_model_call_open: false,
    is_interrupted: false,
    completed_turns: [],
    failed_model_calls: 0,
    completed_steps: 0,
    structured_schema: structuredSchemaOf(start),
    model_options: modelOptionsOf(start),
    a2a_depth: a2aDepthOf(start),
    characters: 0,
    logged_characters: 0,
    last_call: null,
    original_inputs: new Map(),
    agent_steps: new Map(),
    hooks: NO_HOOKS,
    untrusted_results: new Map(),
    inputs: NO_INPUTS,
    tasks: NO_TASKS,
    subagent_tokens: new Map(),
    progress: NO_PROGRESS,
    stopped_by: null,
    is_answer_gone: false,
  };
}

/** The blocks since the last model call began. */
export function turnBlocks(state: ReplyState): readonly ContentBlock[] {
  return state.message.content.slice(state.turn_start);
}

/** Calls of the last model call. */
export function countTurnCalls(state: ReplyState): number {
  return turnBlocks(state).filter((block) => block.type === "tool_call").length;
}

/** The calls of the last model call that have no result yet, in the model's order. */
export function unfinishedCalls(state: ReplyState): readonly ToolCallBlock[] {
  return turnBlocks(state).filter(
    (block): block is ToolCallBlock => block.type === "tool_call" && block.state !== "finished",
  );
}

/** Applies one event. Deltas, which are most events, cost one fold and one small object. */
export function advanceReply(before: ReplyState, event: AgentEvent): ReplyState {
  // Events of called agents are no part of the reply, and take no room in it.
  if (event.type === "CUSTOM" && isSubagentCopy(event.name)) return before;
  const message = appendEvent(before.message, event);
  const characters = eventCharacters(event);
  const state: ReplyState = {
    ...before,
    message,
    characters: before.characters + characters,
    logged_characters: before.logged_characters + EVENT_CHARACTERS + characters,
    inputs: advanceInputs(before.inputs, event),
    tasks: advanceTasks(before.tasks, event),
    subagent_tokens: advanceSubagentTokens(before.subagent_tokens, event),
    progress: advanceProgress(before.progress, event),
  };
  switch (event.type) {
    case "MODEL_CALL_START":
      return { ...state, ...beginTurn(message), is_model_call_open: true };
    case "MODEL_CALL_END": {
      if (event.finished_reason === "interrupted") {
        const failed_model_calls = state.failed_model_calls + (isGivenUp(before, event) ? 1 : 0);
        return { ...state, is_model_call_open: false, failed_model_calls };
      }
      const completed_steps = state.completed_steps + 1;
      const last_call = countedCall(message, event);
      const completed_turns = [...state.completed_turns, state.turn_start];
      const counts = { completed_steps, completed_turns, last_call };
      const ended = { ...state, ...counts, is_model_call_open: false };
      const hasCalls = turnBlocks(ended).some((block) => block.type === "tool_call");
      return hasCalls ? ended : { ...ended, iterations: state.iterations + 1 };
    }
    case "TOOL_RESULT_START":
      return withUntrusted(state, event.tool_call_id, untrustedSourceOf(event.metadata));
    case "TOOL_RESULT_END": {
      const source = untrustedSourceOf(event.metadata);
      const marked = withUntrusted(state, event.tool_call_id, source);
      const stopped_by = state.stopped_by ?? stoppingTool(message, event);
      const next = { ...marked, stopped_by, completed_steps: state.completed_steps + 1 };
      const isRoundComplete = isRoundOpen(turnBlocks(before)) && !isRoundOpen(turnBlocks(next));
      return isRoundComplete ? { ...next, iterations: state.iterations + 1 } : next;
    }
    case "CUSTOM":
      if (event.name === REPLY_RECOVERED && event.reply_id === message.id) {
        // Also without output: the model call is no longer open.
        return {
          ...state,
          turn_start: Math.min(state.turn_start, message.content.length),
          is_model_call_open: false,
          // Removed output frees room.
          characters: before.characters + grownBy(before, message),
        };
      }
      if (event.name === REPLY_INTERRUPTED && event.reply_id === message.id) {
        return { ...state, is_interrupted: true };
      }
      if (event.name === TOOL_CALL_EDITED && message !== before.message) {
        return { ...state, original_inputs: rememberOriginals(before, message) };
      }
      // Progress, and the address and the length of audio, take room in the log alone.
      if ([TOOL_PROGRESS, SPEECH_KEPT, SPEECH_SAID].includes(event.name)) {
        return { ...state, characters: before.characters };
      }
      if (event.name === AGENT_STEP && event.reply_id === message.id) return takeStep(state, event);
      if (event.name === HOOK_ANSWERED && event.reply_id === message.id) {
        return takeHookAnswer(before, state, event);
      }
      if (event.name === SPEECH_TRUNCATED && message !== before.message) {
        // Words that were not heard take no room.
        return { ...state, characters: before.characters + grownBy(before, message) };
      }
      return hasContextShrunk(event) ? { ...state, last_call: null } : state;
    default:
      return state;
  }
}

/** A step begins a turn of its own: what was said before is no answer of the model, and no call waits for its round. */
function takeStep(state: ReplyState, { value }: EventOf<"CUSTOM">): ReplyState {
  if (typeof value["step"] !== "string") return state;
  const step = value as unknown as AgentStepValue;
  const agent_steps = new Map(state.agent_steps).set(step.step, step);
  if (step.kind === "value") return { ...state, agent_steps };
  return { ...state, agent_steps, ...beginTurn(state.message) };
}

/** A change of texts takes or frees room; any other takes room in the log alone. */
function takeHookAnswer(
  before: ReplyState,
  state: ReplyState,
  { value }: EventOf<"CUSTOM">,
): ReplyState {
  const hooks = advanceHooks(before.hooks, value);
  if (state.message === before.message) return { ...state, hooks, characters: before.characters };
  const characters = before.characters + grownBy(before, state.message);
  const { content } = state.message;
  const isLastThere = content.some(({ id }) => id === state.last_call?.block_id);
  return {
    ...state,
    ...arrangedTurns(before, before.message, state.message),
    hooks,
    characters,
    last_call: isLastThere ? state.last_call : null,
  };
}

function grownBy(before: ReplyState, message: Msg): number {
  return contentCharacters(message) - contentCharacters(before.message);
}

/** The state with a result that is not trusted; as it is for null. */
export function withUntrusted(
  state: ReplyState,
  toolCallId: string,
  source: UntrustedSource | null,
): ReplyState {
  if (!source) return state;
  return {
    ...state,
    untrusted_results: new Map([...state.untrusted_results, [toolCallId, source]]),
  };
}

function countedCall(
  { content }: Msg,
  { input_tokens, output_tokens, metadata }: EventOf<"MODEL_CALL_END">,
): CountedCall | null {
  const last = content.at(-1);
  // Usage that an agent of another system tells is the size of its own contexts, if of anything.
  return last && input_tokens > 0 && metadata[USAGE_TOLD] !== true
    ? { block_id: last.id, tokens: input_tokens + output_tokens, input_tokens }
    : null;
}

function hasContextShrunk({ name }: EventOf<"CUSTOM">): boolean {
  return name === CONTEXT_COMPRESSED || name === CONTEXT_TRUNCATED;
}

/**
 * Whether the model was given up: its `MODEL_CALL_END` then counts the tries. The END of a call that was taken back
 * comes when the call is no longer open. A call that an interrupt ended says nothing about its model.
 */
function isGivenUp(state: ReplyState, { metadata }: EventOf<"MODEL_CALL_END">): boolean {
  if (state.is_interrupted) return false;
  return state.is_model_call_open || Object.hasOwn(metadata, "attempts");
}
