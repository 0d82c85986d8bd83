// Makes a context smaller: a model writes a summary of its older part. A function of its input but for the model's answer;
// it appends nothing.
import type { ContextSettings } from "../../protocol/context/contract.ts";
import type {
  ContextCompressedValue,
  ContextTruncatedValue,
  LeftMessages,
  TruncationReason,
} from "../../protocol/context/events.ts";
import {
  BYTES_PER_TOKEN,
  DEFAULT_KEEP_RECENT,
  MAX_COUNT_RATIO,
  MAX_REPEATED_REQUEST_CHARACTERS,
  MAX_SUMMARY_CHARACTERS,
} from "../../protocol/context/limits.ts";
import { getTextContent } from "../../protocol/messages/accessors.ts";
import type { Msg, Usage } from "../../protocol/messages/messages.ts";
import type { Model, NewId, Random, Sleep, StopSignal } from "../ports.ts";
import {
  beforeCut,
  chooseBoundary,
  replyIndex,
  requestIndex,
  type Cut,
} from "./choose-boundary.ts";
import { untrustedCallIds } from "../permission/untrusted-content.ts";
import type { CompressionOutcome, CompressionRequest } from "./context-keeper.ts";
import { cutMiddle } from "./cut-middle.ts";
import { contextLimits } from "./context-limits.ts";
import { isOpening } from "./context-view.ts";
import { countBlock, countRequest, countText } from "./count-tokens.ts";
import { renderSummary } from "./summary-form.ts";
import { writeSummary } from "./write-summary.ts";

export interface CompressionContext {
  readonly settings: ContextSettings;
  /** The model that writes the summary. */
  readonly model: Model;
  /** Tokens that it can read at once. */
  readonly model_window: number;
  /** Whether the conversation is sent to this model, too: then its prompt cache has the beginning of the request. */
  readonly is_own_model: boolean;
  readonly newId: NewId;
  readonly sleep: Sleep;
  readonly random: Random;
  readonly stop: StopSignal;
  /** Aborts when the compression has taken too long: it then has failed. */
  readonly deadline: StopSignal;
}

/** Messages that leave the context. */
interface Leaving {
  readonly cut: Cut;
  /** The messages behind the summary so far. */
  readonly messages: readonly Msg[];
  /** The estimate's share in what the provider counts. */
  readonly scale: number;
  /** Tokens of system prompt and tools, by the counter. */
  readonly fixed: number;
  readonly value: Omit<LeftMessages, "tokens_after">;
}

/** The part of the target that is kept free for the summary. */
const SUMMARY_SHARE = 1 / 4;
/** By how much the target, half of the soft threshold, may be missed to keep the message that is being answered. */
const REQUEST_SHARE = 2;
/** Less than this part of the target is not worth a model call. */
const WORTH_SHARE = 1 / 16;

/** Contract: never rejects, and ends soon after `stop` or `deadline`. */
export async function compressContext(
  request: CompressionRequest,
  context: CompressionContext,
): Promise<CompressionOutcome> {
  const leaving = chooseLeaving(request, context.settings);
  if (!leaving || !isWorthwhile(leaving, request)) return { type: "nothing" };
  const { cut, messages, value } = leaving;
  const opening = request.messages.filter((message) => isOpening(message, request.state));
  const head = [...opening, ...beforeCut(messages, cut)];
  const written = await writeSummary({ request, head, scale: leaving.scale }, context);
  if (context.stop.aborted) return { type: "stopped" };
  const { usage: used, cost_usd } = written;
  if (written.type === "failed") {
    const truncation = truncationOf(request, leaving, context.settings, "compression_failed", used);
    return {
      type: "failed",
      reason: written.reason,
      error: written.error,
      truncation,
      model: context.model.name,
      cost_usd,
    };
  }
  const { soft, counter } = contextLimits(context.settings, request.window);
  const unit = counter === "chars" ? 1 : BYTES_PER_TOKEN;
  const room = Math.min(MAX_SUMMARY_CHARACTERS, Math.floor((soft * unit) / 4));
  const summary = renderSummary(written.fields, context.settings, room);
  const { reply_id, trigger } = request;
  const compressed: ContextCompressedValue = {
    summary_id: context.newId("sum"),
    summary,
    ...value,
    tokens_after: tokensAfter(leaving, countText(summary + (value.request ?? ""), counter)),
    model: context.model.name,
    usage: used ?? NO_USAGE,
    trigger,
    ...(reply_id !== null && { reply_id }),
  };
  return { type: "compressed", value: compressed, cost_usd };
}

/** The messages that would leave the context without a summary; null for none. */
export function truncateContext(
  request: CompressionRequest,
  settings: ContextSettings,
  reason: TruncationReason,
): ContextTruncatedValue | null {
  const leaving = chooseLeaving(request, settings);
  return leaving && truncationOf(request, leaving, settings, reason, null);
}

const NO_USAGE: Usage = {
  input_tokens: 0,
  output_tokens: 0,
  cache_input_tokens: 0,
  cache_creation_input_tokens: 0,
};

function chooseLeaving(request: CompressionRequest, settings: ContextSettings): Leaving | null {
  const { counter } = contextLimits(settings, request.window);
  const { state, reply_id, trigger, tokens } = request;
  const messages = request.messages.filter((message) => !isOpening(message, state));
  const counted = countRequest(request, counter);
  const scale = Math.min(MAX_COUNT_RATIO, Math.max(1, tokens) / Math.max(1, counted.total));
  const fixed = counted.system_prompt + counted.tools;
  const target = request.target / scale;
  const room = Math.max(target * SUMMARY_SHARE, target * (1 - SUMMARY_SHARE) - fixed);
  const kept = settings.keep_recent ?? DEFAULT_KEEP_RECENT;
  const cut = chooseBoundary(messages, {
    keep_recent: kept,
    room,
    reach: Math.max(room, target * (REQUEST_SHARE - SUMMARY_SHARE) - fixed),
    reply_id,
    isAll: trigger === "tool" || (trigger === "request" && messages.length <= kept),
    count: (block) => countBlock(block, counter),
  });
  const last = cut && messages[cut.message];
  const first = messages[0];
  if (!cut || !last || !first) return null;
  const block = cut.block === null ? null : last.content[cut.block];
  const untrusted_results = untrustedCallIds(beforeCut(messages, cut));
  const value = {
    first_message_id: first.id,
    last_message_id: last.id,
    last_block_id: block?.id ?? null,
    tokens_before: tokens,
    ...repeatedRequest(request, messages, cut),
    ...(untrusted_results.length > 0 && { untrusted_results }),
  };
  return { cut, messages, scale, fixed, value };
}

/** The user's words, when they go and a part of the reply to them stays: of many words the beginning and the end. */
function repeatedRequest(
  { state, reply_id }: CompressionRequest,
  messages: readonly Msg[],
  cut: Cut,
): { readonly request?: string } {
  const reply = replyIndex(messages, reply_id);
  const first = requestIndex(messages, reply_id);
  if (reply_id === null || cut.message < first) return {};
  const words = messages.slice(first, reply).map((message) => getTextContent(message) ?? "");
  // The reply is the first that is left, so the words that have gone before it are those that it answers.
  const isAgain = reply === 0;
  const text = words.join("\n\n") || (isAgain && state.request) || "";
  return text === "" ? {} : { request: cutMiddle(text, MAX_REPEATED_REQUEST_CHARACTERS) };
}

/** A request and the model itself know what they ask for. */
function isWorthwhile(
  { cut, messages, scale, fixed }: Leaving,
  { trigger, target, tokens }: CompressionRequest,
): boolean {
  if (trigger === "request" || trigger === "tool") return messages.length > 0;
  return tokens / scale - fixed - cut.after >= (target / scale) * WORTH_SHARE;
}

function truncationOf(
  { reply_id, state }: CompressionRequest,
  leaving: Leaving,
  settings: ContextSettings,
  reason: TruncationReason,
  usage: Usage | null,
): ContextTruncatedValue {
  const opening = `${state.summary?.text ?? ""}${leaving.value.request ?? ""}`;
  return {
    ...leaving.value,
    tokens_after: tokensAfter(leaving, countText(opening, settings.token_counter ?? "provider")),
    reason,
    ...(usage && { usage }),
    ...(reply_id !== null && { reply_id }),
  };
}

function tokensAfter({ cut, scale, fixed }: Leaving, opening: number): number {
  return Math.ceil((fixed + opening + cut.after) * scale);
}
