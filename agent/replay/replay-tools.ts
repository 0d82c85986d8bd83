// The tools of a reply that is run again: declared as its agent has them, and answered from the record. Nothing is sent
// to a tool, and no ability acts outside the log.
import type { DataBlock, ToolResultBlock } from "../../protocol/messages/blocks.ts";
import { untrustedSourceOf } from "../../protocol/messages/untrusted-content.ts";
import { STOPS_REPLY } from "../../protocol/tools/events.ts";
import type { Ability } from "../ability.ts";
import type { ToolCallRequest, ToolChunk, ToolDeclaration, ToolRunner } from "../ports.ts";
import type { Found } from "./recording.ts";

/**
 * The abilities without what may act outside the log: neither what they do before a reply, nor tools of the kind
 * `outside`, which are answered from the record like all others. Tools that change the log alone are theirs.
 */
export function replayAbilities(abilities: readonly Ability[]): readonly Ability[] {
  return abilities.map((ability) => {
    const { name, hint, tools } = ability;
    return {
      name,
      ...(hint && { hint }),
      ...(tools && tools.kind !== "outside" && { tools }),
      withholds: (tool) => ability.withholds?.(tool) ?? null,
      requiredTool: (reply) => ability.requiredTool?.(reply) ?? null,
      changeContext: (messages) => ability.changeContext?.(messages) ?? messages,
      end: (reply) => ability.end?.(reply) ?? [],
    };
  });
}

/**
 * The declarations of the tools, all as tools that run at once, external ones too: a reply that is run again waits for no
 * other system.
 * @param abilities The agent's own, as {@link replayAbilities} gets them.
 */
export function replayDeclarations(
  tools: readonly ToolDeclaration[],
  abilities: readonly Ability[],
): readonly ToolDeclaration[] {
  const outside = new Set(
    abilities.flatMap(({ name, tools: own }) => (own?.kind === "outside" ? [name] : [])),
  );
  return tools.map(({ external: _, ability, ...tool }) =>
    ability === undefined || outside.has(ability) ? tool : { ...tool, ability },
  );
}

/**
 * @param tools As they are at the moment. @param find The recorded result of a call; null when there is none.
 * @param missing Called for a call without one: the reply has to be stopped.
 */
export function recordedRunner(
  tools: () => readonly ToolDeclaration[],
  find: (request: ToolCallRequest) => Found | null,
  missing: (request: ToolCallRequest) => void,
): ToolRunner {
  return {
    get tools() {
      return tools();
    },
    async *run(request) {
      const found = find(request);
      if (found?.call.result) yield* chunksOf(found.call.result);
      else missing(request);
    },
  };
}

function* chunksOf({ output, state, metadata }: ToolResultBlock): Generator<ToolChunk, void> {
  for (const part of typeof output === "string" ? [output] : output) {
    if (typeof part === "string") yield { type: "text", delta: part };
    else if (part.type === "text") yield { type: "text", delta: part.text };
    else yield toChunk(part);
  }
  // A tool that finds out at its end that what it says is not trusted does not declare it.
  const untrusted = untrustedSourceOf(metadata);
  const stops = metadata?.[STOPS_REPLY] === true && { stops: true as const };
  const end = { type: "end", state: state === "success" ? "success" : "error" } as const;
  yield { ...end, metadata, untrusted, ...stops };
}

function toChunk({ id: block_id, source }: DataBlock): ToolChunk {
  const { media_type } = source;
  return source.type === "url"
    ? { type: "url", block_id, media_type, url: source.url }
    : { type: "data", block_id, media_type, data: source.data };
}
