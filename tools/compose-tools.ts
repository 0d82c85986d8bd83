// Combines several tool providers to one tool runner.
import type { Ability } from "../agent/ability.ts";
import type { StopSignal, ToolDeclaration, ToolRunner } from "../agent/ports.ts";
import { failure } from "./answer-shape.ts";
import type { ToolAccess, ToolProvider } from "./tool-provider.ts";

export interface OpenableToolRunner extends ToolRunner {
  /** Called before the first step: every provider loads its tools. Contract: never rejects. */
  open(stop: StopSignal): Promise<void>;
}

/** @param order As that of {@link distinctTools}. @param abilities May withhold tools. */
export function composeTools(
  providers: readonly ToolProvider[],
  order: readonly string[],
  access: ToolAccess,
  abilities: readonly Ability[] = [],
): OpenableToolRunner {
  return {
    get tools() {
      return markWithheld(distinctTools(providers, order), abilities);
    },
    async open(stop) {
      await Promise.all(providers.map(async (provider) => provider.open?.(access, stop)));
    },
    async *run(request, stop, report) {
      const provider = providers.find((candidate) => candidate.owns(request.name));
      if (provider) yield* provider.run(request, stop, { ...access, report });
      else yield* failure(`There is no tool named ${request.name}.`);
    },
  };
}

/**
 * The tools that the model may call, each name once: the first provider that has it counts.
 * @param order Names that come first; the others follow in the order of their providers.
 */
export function distinctTools(
  providers: readonly ToolProvider[],
  order: readonly string[],
): readonly ToolDeclaration[] {
  const offered = new Map<string, ToolDeclaration>();
  for (const provider of providers) {
    for (const tool of provider.tools) {
      if (offered.has(tool.name)) continue;
      const isUntrusted = provider.returnsUntrusted && tool.returns_untrusted === undefined;
      offered.set(tool.name, isUntrusted ? { ...tool, returns_untrusted: true } : tool);
    }
  }
  const first = order.flatMap((name) => offered.get(name) ?? []);
  return [...new Set([...first, ...offered.values()])];
}

/** Each tool that an ability withholds says so. */
export function markWithheld(
  tools: readonly ToolDeclaration[],
  abilities: readonly Ability[],
): readonly ToolDeclaration[] {
  const withholding = abilities.filter((ability) => ability.withholds);
  if (withholding.length === 0) return tools;
  return tools.map((tool) => {
    for (const ability of withholding) {
      const withheld = ability.withholds?.(tool.name) ?? null;
      if (withheld !== null) return { ...tool, withheld };
    }
    return tool;
  });
}
