import type {
  Agent,
  AgentCreateSchema,
  AgentUpdateSchema,
  AgentVersion,
  AgentVersionUpdateSchema,
  CheckedDefinition,
  WrittenAgent,
} from "../../protocol/agents/contract.ts";
import type { AgentCheck, AgentCheckCreateSchema } from "../../protocol/agents/agent-check.ts";
import type { RuleTestResult } from "../../protocol/permission/contract.ts";
import type {
  AgentRuleTestSchema,
  Simulation,
  SimulationCreateSchema,
} from "../../protocol/decisions/simulation.ts";
import type { Replay, ReplayCreateSchema, ReplayProgress } from "../../protocol/replay/contract.ts";
import type { CalledTool, ToolCallCreateSchema } from "../../protocol/tools/tool-calls.ts";
import { CHECK_MS, HAND_CALL_MS, REPLAY_MS } from "../../protocol/diagnostics/limits.ts";
import type { RequestOptions } from "../transport/api-request.ts";
import { agentA2a, type AgentA2a } from "./agent-a2a.ts";
import { collection, type Collection } from "./collection.ts";
import { readReplay } from "./read-replay.ts";
import type { InputOf } from "../transport/input-of.ts";
import type { ListQuery, Paged } from "../transport/paged.ts";
import type { Transport } from "../transport/transport.ts";
import { postTo, updateAt } from "../transport/write-requests.ts";
import { strictly, VALIDATION, type WriteOptions } from "./write-options.ts";

/** Agents. An update creates a new version, unless it changes nothing. */
export interface Agents extends Omit<
  Collection<Agent, InputOf<typeof AgentCreateSchema>, WrittenAgent>,
  "create" | "update"
> {
  /** The answer has `warnings` where a part of the agent says nothing. */
  create(
    definition: InputOf<typeof AgentCreateSchema>,
    options?: WriteOptions,
  ): Promise<WrittenAgent>;
  /** Members that are left out stay unchanged. The answer has `warnings` where a part of the agent says nothing. */
  update(
    id: string,
    changes: InputOf<typeof AgentUpdateSchema>,
    options?: WriteOptions,
  ): Promise<WrittenAgent>;
  /** The agent's versions, newest first. */
  versions(id: string, query?: ListQuery, options?: RequestOptions): Paged<AgentVersion>;
  version(id: string, version: number, options?: RequestOptions): Promise<AgentVersion>;
  /**
   * `retired: true` retires a version: no session is given it any more, and those that have it get the newest one with their
   * next reply. `false` brings it back.
   *
   * @throws {ApiError} `conflict` for the newest version.
   */
  updateVersion(
    id: string,
    version: number,
    changes: InputOf<typeof AgentVersionUpdateSchema>,
    options?: RequestOptions,
  ): Promise<AgentVersion>;
  /**
   * Checks a definition as `create` would, and writes nothing. @returns it as it would be stored, with all defaults.
   *
   * @throws {ApiError} as `create` would; `errors` names the invalid places.
   */
  validate(
    definition: InputOf<typeof AgentCreateSchema>,
    options?: RequestOptions,
  ): Promise<CheckedDefinition>;
  /** Checks changes as `update` would, and writes nothing. @returns the agent with them, in the version that it has. */
  validateUpdate(
    id: string,
    changes: InputOf<typeof AgentUpdateSchema>,
    options?: RequestOptions,
  ): Promise<WrittenAgent>;
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
  /**
   * Runs a recorded session again on a version of the agent, or on a definition that is not stored, and says what
   * changed. The models are called, tools are answered from the record. Takes up to three minutes; aborting `signal`
   * ends it. With `onProgress` the answer is a stream, and each reply is told before it is run.
   */
  replay(
    id: string,
    replay: InputOf<typeof ReplayCreateSchema>,
    options?: ReplayOptions,
  ): Promise<Replay>;
  /**
   * Calls an http or code tool of the agent by hand, outside any session. It is really called; a tool that fails is a
   * result with state `error`. Takes up to 30 seconds.
   *
   * @throws {ApiError} `denied_by_rule` where a rule forbids it, `validation_failed` where the input does not fit.
   */
  callTool(
    id: string,
    toolName: string,
    call: InputOf<typeof ToolCallCreateSchema>,
    options?: RequestOptions,
  ): Promise<CalledTool>;
  /** Agents as servers of A2A. */
  readonly a2a: AgentA2a;
}

interface ReplayOptions extends RequestOptions {
  /** Called before each reply that is run again; not in an app runtime whose `fetch` gives no stream. */
  readonly onProgress?: (progress: ReplayProgress) => void;
}

export function agentsOf(transport: Transport): Agents {
  return {
    ...collection(transport, "agents"),
    a2a: agentA2a(transport),
    create: (definition, options) => postTo(transport, ["agents"], definition, strictly(options)),
    update: (id, changes, options) =>
      updateAt(transport, ["agents", id], changes, strictly(options)),
    versions: (id, query, options) => transport.list(["agents", id, "versions"], query, options),
    version: (id, version, options) =>
      transport.get(["agents", id, "versions", `${version}`], options),
    updateVersion: (id, version, changes, options) =>
      transport.call({
        ...options,
        method: "PATCH",
        path: ["agents", id, "versions", `${version}`],
        body: changes,
      }),
    validate: (definition, options) =>
      transport.call({
        ...options,
        ...VALIDATION,
        method: "POST",
        path: ["agents"],
        body: definition,
      }),
    validateUpdate: (id, changes, options) =>
      transport.call({
        ...options,
        ...VALIDATION,
        method: "PATCH",
        path: ["agents", id],
        body: changes,
      }),
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
    callTool: (id, toolName, call, options) =>
      transport.call({
        ...options,
        method: "POST",
        path: ["agents", id, "tools", toolName, "call"],
        body: call,
        timeoutMs: HAND_CALL_MS + transport.settings.timeoutMs,
      }),
    replay: (id, replay, { onProgress, signal } = {}) => {
      const stream = onProgress !== undefined && transport.canStream !== false;
      return transport.call({
        signal,
        method: "POST",
        path: ["agents", id, "replays"],
        body: { ...replay, stream },
        timeoutMs: REPLAY_MS + transport.settings.timeoutMs,
        answersOnce: true,
        ...(stream && { read: (response) => readReplay(transport, response, onProgress, signal) }),
      });
    },
  };
}
