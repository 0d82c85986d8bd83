import type {
  Agent,
  AgentCreateSchema,
  AgentUpdateSchema,
  AgentVersion,
} from "../../protocol/api/agents.ts";
import type { AgentCheck, AgentCheckCreateSchema } from "../../protocol/api/agent-check.ts";
import type { RuleTestResult } from "../../protocol/api/permission-rules.ts";
import type {
  AgentRuleTestSchema,
  Simulation,
  SimulationCreateSchema,
} from "../../protocol/api/permission-simulation.ts";
import { CHECK_MS } from "../../protocol/limits/diagnostics.ts";
import type { RequestOptions } from "../transport/api-request.ts";
import { collection, type Collection } from "./collection.ts";
import type { InputOf } from "../transport/input-of.ts";
import type { ListQuery, Paged } from "../transport/paged.ts";
import type { Transport } from "../transport/transport.ts";
import { postTo } from "../transport/write-requests.ts";

/** Agents. An update creates a new version, unless it changes nothing. */
export interface Agents extends Collection<
  Agent,
  InputOf<typeof AgentCreateSchema>,
  Agent,
  InputOf<typeof AgentUpdateSchema>
> {
  /** The agent's versions, newest first. */
  versions(id: string, query?: ListQuery, options?: RequestOptions): Paged<AgentVersion>;
  version(id: string, version: number, options?: RequestOptions): Promise<AgentVersion>;
  /** Asks its models for one token each, and its tools' servers whether they are there. Takes up to 20 seconds. */
  check(
    id: string,
    check?: InputOf<typeof AgentCheckCreateSchema>,
    options?: RequestOptions,
  ): Promise<AgentCheck>;
  /** Evaluates a hypothetical call without a session: the decision and the matching rule. No side effects. */
  testPermission(
    id: string,
    call: InputOf<typeof AgentRuleTestSchema>,
    options?: RequestOptions,
  ): Promise<RuleTestResult>;
  /**
   * Past calls that another permission would have decided otherwise: one page. Goes on with `next_page` as `page`. No side
   * effects.
   */
  simulatePermission(
    id: string,
    simulation: InputOf<typeof SimulationCreateSchema>,
    options?: RequestOptions,
  ): Promise<Simulation>;
}

export function agentsOf(transport: Transport): Agents {
  return {
    ...collection(transport, "agents"),
    versions: (id, query, options) => transport.list(["agents", id, "versions"], query, options),
    version: (id, version, options) =>
      transport.get(["agents", id, "versions", `${version}`], options),
    check: (id, check = {}, options) =>
      transport.call({
        ...options,
        method: "POST",
        path: ["agents", id, "check"],
        body: check,
        timeoutMs: CHECK_MS + transport.settings.timeoutMs,
        answersOnce: true,
      }),
    testPermission: (id, call, options) =>
      postTo(transport, ["agents", id, "permission-rules", "test"], call, options),
    simulatePermission: (id, simulation, options) =>
      postTo(transport, ["agents", id, "permission-rules", "simulate"], simulation, options),
  };
}
