// Untrusted results in the context that the model was sent: a fold of the log, and what follows for a call.
import { CONTEXT_COMPRESSED, CONTEXT_TRUNCATED } from "../../protocol/context/events.ts";
import type { LoggedEvent } from "../../protocol/events.ts";
import { REPLY_RECOVERED } from "../../protocol/fold/append-custom.ts";
import {
  MAX_NAMED_SOURCES,
  MAX_SOURCE_NAME_CHARACTERS,
  MAX_UNTRUSTED_RESULTS,
} from "../../protocol/permission/limits.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import {
  UNTRUSTED_CONTENT,
  untrustedSourceOf,
  type UntrustedSource,
} from "../../protocol/messages/untrusted-content.ts";

/** An untrusted result, or a hint or message with untrusted content. */
interface UntrustedResult {
  /** The call whose result it is; the block of a hint; the task that a message is about, else the message. */
  readonly tool_call_id: string;
  readonly source: UntrustedSource;
  /**
   * `new`: no model call has begun since, so that no model has seen it. `context`: it is in the context that was sent.
   * `summary`: it is in the summary, which is carried on for ever.
   */
  readonly place: "new" | "context" | "summary";
}

export interface UntrustedContent {
  /** Oldest first. */
  readonly results: readonly UntrustedResult[];
}

export const NO_UNTRUSTED_CONTENT: UntrustedContent = { results: [] };

/** The event of a message that is added to the conversation; the platform alone writes it. */
const MESSAGE_ADDED = "message_added";

/** The tool name of what an import brings in as a summary. */
const IMPORTED_SUMMARY = "imported_summary";

/** @returns the same value when the event changes nothing. */
export function advanceUntrusted(before: UntrustedContent, event: LoggedEvent): UntrustedContent {
  switch (event.type) {
    case "TOOL_RESULT_START": {
      const source = untrustedSourceOf(event.metadata);
      if (!source) return before;
      const { tool_call_id } = event;
      return bounded([...before.results, { tool_call_id, source, place: "new" }]);
    }
    case "TOOL_RESULT_END": {
      // Known at its end alone, or said at its start already.
      const source = untrustedSourceOf(event.metadata);
      const { tool_call_id } = event;
      return source ? withResult(before, { tool_call_id, source, place: "new" }) : before;
    }
    case "HINT_BLOCK": {
      const source = untrustedSourceOf(event.metadata);
      const { block_id: tool_call_id } = event;
      return source ? withResult(before, { tool_call_id, source, place: "new" }) : before;
    }
    case "MODEL_CALL_START":
      return moved(before, "context", ({ place }) => place === "new");
    case "CUSTOM": {
      if (event.name === REPLY_RECOVERED) return withoutBlocks(before, event.value);
      const given = event.name === MESSAGE_ADDED ? untrustedMessage(event.value["message"]) : null;
      if (given) return bounded([...before.results, { ...given, place: "new" }]);
      const left = leftResults(event.value);
      if (left.size === 0) return before;
      if (event.name === CONTEXT_COMPRESSED) {
        return moved(before, "summary", ({ tool_call_id }) => left.has(tool_call_id));
      }
      if (event.name !== CONTEXT_TRUNCATED) return before;
      const results = before.results.filter(
        ({ tool_call_id, place }) => place === "summary" || !left.has(tool_call_id),
      );
      return results.length === before.results.length ? before : { results };
    }
    default:
      return before;
  }
}

/** Each source once, oldest first: of the results that the model has been sent. */
export function sentSources({ results }: UntrustedContent): readonly UntrustedSource[] {
  const sent = results.filter(({ place }) => place !== "new");
  return [...new Map(sent.map(({ source }) => [source.tool_call_id, source])).values()];
}

/** Ids of the untrusted among these messages: calls with such results, blocks of hints, tasks that ended, and messages. */
export function untrustedCallIds(messages: readonly Msg[]): readonly string[] {
  return messages.flatMap((message) => {
    const given = untrustedMessage(message);
    const called = message.content.flatMap((block) =>
      (block.type === "tool_result" || block.type === "hint") && untrustedSourceOf(block.metadata)
        ? [block.id]
        : [],
    );
    return given ? [given.tool_call_id, ...called] : called;
  });
}

/**
 * A message that names a source: the end of a background task, what came with a trigger, what another one said in a room.
 * A client's message may have the mark as well, as when it sends back a stored one: it only makes more calls ask.
 */
function untrustedMessage(message: unknown): Omit<UntrustedResult, "place"> | null {
  if (!isRecord(message)) return null;
  const { id, metadata } = message;
  const said = untrustedSourceOf(metadata);
  if (!said || !isRecord(metadata)) return null;
  const source = { ...said, tool_name: shownName(said.tool_name) };
  const { woken_by } = metadata;
  if (typeof woken_by === "string") return { tool_call_id: woken_by, source };
  return typeof id === "string" ? { tool_call_id: id, source } : null;
}

/** A message's source as a question may show it: one line of words, since a client can have written it. */
function shownName(name: string): string {
  return name.slice(0, MAX_SOURCE_NAME_CHARACTERS).replaceAll(/[^\p{L}\p{N}_:./-]+/gu, "_");
}

/** The untrusted content of imported messages, of which nothing else is known: results, marked hints and messages, the summary. */
export function importedContent(messages: readonly Msg[], summary: string): UntrustedContent {
  const results = messages.flatMap((message): UntrustedResult[] => {
    const given = untrustedMessage(message);
    const called = message.content.flatMap((block): UntrustedResult[] => {
      const { id: tool_call_id } = block;
      if (block.type === "hint") {
        const source = untrustedSourceOf(block.metadata);
        if (!source) return [];
        const tool_name = shownName(source.tool_name);
        return [{ tool_call_id, source: { ...source, tool_name }, place: "context" }];
      }
      if (block.type !== "tool_result") return [];
      const source = { tool_name: block.name, tool_call_id };
      return [{ tool_call_id, source, place: "context" }];
    });
    return given ? [{ ...given, place: "context" }, ...called] : called;
  });
  const source = { tool_name: IMPORTED_SUMMARY, tool_call_id: "" };
  const first: UntrustedResult = { tool_call_id: "", source, place: "summary" };
  return bounded(summary === "" ? results : [first, ...results]);
}

/** The untrusted content that an imported state names in its `middle_context`; null when nothing there can be read. */
export function readUntrusted(middleContext: unknown): UntrustedContent | null {
  const value = isRecord(middleContext) ? middleContext[UNTRUSTED_CONTENT] : null;
  const results = isRecord(value) ? value["results"] : null;
  if (!Array.isArray(results) || results.length > MAX_UNTRUSTED_RESULTS) return null;
  const read = results.flatMap((result: unknown): UntrustedResult[] => {
    if (!isRecord(result)) return [];
    const { tool_call_id, place, source } = result;
    const named = untrustedSourceOf({ untrusted: source });
    if (typeof tool_call_id !== "string" || !named) return [];
    // A new conversation begins with a model call that is sent all of it.
    return [{ tool_call_id, source: named, place: place === "summary" ? "summary" : "context" }];
  });
  return read.length === results.length ? { results: read } : null;
}

/** The reason that a sink asks, such as: Untrusted content: the result of read_mail */
export function untrustedReason(sources: readonly UntrustedSource[]): string | null {
  if (sources.length === 0) return null;
  // The newest is the likeliest to have brought the call about.
  const names = [...new Set([...sources].reverse().map(({ tool_name }) => tool_name))];
  const named = names
    .slice(0, MAX_NAMED_SOURCES)
    .map((name) => (name === IMPORTED_SUMMARY ? "the imported summary" : name));
  const more = names.length - named.length;
  return `Untrusted content: the result of ${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

function withResult(before: UntrustedContent, result: UntrustedResult): UntrustedContent {
  const isKnown = before.results.some(({ tool_call_id }) => tool_call_id === result.tool_call_id);
  return isKnown ? before : bounded([...before.results, result]);
}

/** Without the hints that a recovery has taken back. */
function withoutBlocks(
  before: UntrustedContent,
  { discard_block_ids: discarded }: Readonly<Record<string, unknown>>,
): UntrustedContent {
  if (!Array.isArray(discarded)) return before;
  const ids = new Set<unknown>(discarded);
  const results = before.results.filter(({ tool_call_id }) => !ids.has(tool_call_id));
  return results.length === before.results.length ? before : { results };
}

function moved(
  before: UntrustedContent,
  place: UntrustedResult["place"],
  isMoved: (result: UntrustedResult) => boolean,
): UntrustedContent {
  if (!before.results.some((result) => isMoved(result) && result.place !== place)) return before;
  return {
    results: before.results.map((result) => (isMoved(result) ? { ...result, place } : result)),
  };
}

/** Of too many results the oldest one stays for ever in place of those after it: none is forgotten. */
function bounded(results: readonly UntrustedResult[]): UntrustedContent {
  const [first] = results;
  const extra = results.length - MAX_UNTRUSTED_RESULTS;
  if (!first || extra <= 0) return { results };
  return { results: [{ ...first, place: "summary" }, ...results.slice(extra + 1)] };
}

function leftResults(value: Readonly<Record<string, unknown>>): ReadonlySet<unknown> {
  const { untrusted_results: left } = value;
  return new Set(Array.isArray(left) ? left : []);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
