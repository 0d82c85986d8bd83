// The tools of an agent's definition, behind the one port that the loop knows.
import type { ToolDeclaration, ToolRunner } from "../agent/ports.ts";
import type { Ability } from "../agent/ability.ts";
import type { AgentDefinition, ExternalTool, ToolDefinition } from "../protocol/api/agents.ts";
import type { ClientTool } from "../protocol/dialects/ag-ui/input/run-input.ts";
import { abilityTools } from "./ability-tools.ts";
import { CODE_TOOLS } from "./code-tools.ts";
import { runCodeTool, type CodeTool } from "./code.ts";
import { runHttpTool } from "./run-http-tool.ts";
import { failure } from "./answer-shape.ts";
import type { OutgoingFetch } from "../outgoing/outgoing.ts";
import type { SecretSource } from "../outgoing/secret-source.ts";

/** The part of an agent's definition that says what its model may call. */
interface ToolsOfAgent extends Pick<AgentDefinition, "tools"> {
  /** Those whose tools the model may call besides; none when left out. */
  readonly abilities?: readonly Ability[];
  /** Those that a client brought for the reply, in addition; their names are none of the agent's. */
  readonly client_tools?: readonly ClientTool[];
}

export interface ToolRunnerSettings extends Readonly<ToolsOfAgent> {
  readonly outgoing: OutgoingFetch;
  /** The agent's secrets, each for the hosts that it may be sent to. */
  readonly secrets: SecretSource;
  /** Those of this deployment when left out. */
  readonly codeTools?: readonly CodeTool[];
}

export function createToolRunner({
  tools,
  abilities,
  client_tools,
  outgoing,
  secrets,
  codeTools = CODE_TOOLS,
}: ToolRunnerSettings): ToolRunner {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  return {
    get tools() {
      return declareTools({ tools, abilities, client_tools }, codeTools);
    },
    async *run(request, stop) {
      const tool = byName.get(request.name);
      if (!tool) {
        yield* failure(`There is no tool named ${request.name}.`);
        return;
      }
      switch (tool.type) {
        case "http":
          yield* runHttpTool({ tool, request, outgoing, secrets, stop });
          return;
        case "external":
          // The loop hands such calls out and never runs them.
          yield* failure(`${request.name} is run by somebody outside.`);
          return;
        case "code": {
          const code = codeTools.find(({ name }) => name === tool.name);
          if (code) yield* runCodeTool({ tool: code, request, stop });
          else yield* failure(`${tool.name} is not deployed any more.`);
          return;
        }
        default:
          tool satisfies never;
      }
    },
  };
}

/** What the loop knows of an agent's tools and of those that the platform gives it, without what it takes to run them. */
export function declareTools(
  { tools, abilities = [], client_tools = [] }: ToolsOfAgent,
  codeTools: readonly CodeTool[] = CODE_TOOLS,
): readonly ToolDeclaration[] {
  const own = tools.flatMap((tool): readonly ToolDeclaration[] => {
    if (tool.type !== "code") return [declare(tool)];
    // A function that is not deployed any more is not offered.
    return codeTools.filter(({ name }) => name === tool.name);
  });
  const ofClient = client_tools.map(declareForClient);
  return [...own, ...abilityTools(abilities), ...ofClient];
}

/** What it does happens in the client's hands: the rules that deny or ask hold, and no result is too late. */
function declareForClient({ name, description, input_schema }: ClientTool): ToolDeclaration {
  return {
    name,
    description,
    input_schema,
    read_only: true,
    concurrency_safe: true,
    idempotent: false,
    external: { offered_by: "client" },
  };
}

function declare(tool: Exclude<ToolDefinition, { type: "code" }>): ToolDeclaration {
  const { name, description, input_schema, read_only, concurrency_safe, idempotent } = tool;
  const { edits_files, rule_argument, rule_syntax, editable } = tool;
  const flags = { read_only, concurrency_safe, idempotent, edits_files };
  const people = { rule_argument, rule_syntax, editable };
  const declared = { name, description, input_schema, ...flags, ...people };
  return tool.type === "external" ? { ...declared, external: waiting(tool) } : declared;
}

function waiting({ result_ttl }: ExternalTool): NonNullable<ToolDeclaration["external"]> {
  return result_ttl === undefined ? {} : { result_ttl_ms: result_ttl * 1_000 };
}
