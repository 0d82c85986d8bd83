// Asks an agent's sessions which of their past calls another permission would have decided otherwise.
import type { DecisionPlace, SimulatedPart } from "../../durable-objects/acts/decisions.ts";
import type { AgentDefinition } from "../../protocol/agents/contract.ts";
import type { Simulation, SimulationCreate } from "../../protocol/decisions/simulation.ts";
import { isId } from "../../protocol/ids.ts";
import { PARALLEL_SIMULATIONS, SIMULATION_TIMEOUT_MS } from "../../protocol/permission/limits.ts";
import { withinDeadline } from "../../runtime/within-deadline.ts";
import {
  decodeSessionPosition,
  type SessionPosition,
} from "../../storage/sessions/session-position.ts";
import { decodeToken, encodePageToken } from "../../storage/statements/page.ts";
import { tenantStorage } from "../../storage/tenants/tenant-storage.ts";
import type { AppContext } from "../app-env.ts";
import { fieldError } from "../http-error.ts";
import { tenantOf } from "../principal.ts";
import { sessionStub } from "../objects/session-stub.ts";

/** A session, and where its record continues. */
interface Asked {
  readonly session_id: string;
  readonly before?: DecisionPlace;
}

interface Place {
  /** Behind which session the list continues; null when it has ended. */
  readonly after: SessionPosition | null | undefined;
  /** Sessions that have calls left. */
  readonly open: readonly Asked[];
}

interface Compared {
  readonly agent_id: string;
  readonly agent: AgentDefinition;
}

/**
 * One page: sessions with calls left first, then the next ones of the list, newest first. A session that is deleted
 * meanwhile is left out. @throws HttpError 400 for a page token of another list.
 */
export async function simulatePermission(
  context: AppContext,
  { agent_id, agent }: Compared,
  { permission, since, until, limit, page }: SimulationCreate,
): Promise<Simulation> {
  const place = page === undefined ? { after: undefined, open: [] } : decodePlace(page);
  if (!place) {
    const detail = "this is not a `next_page` of a simulation";
    throw fieldError("validation_failed", "#/page", detail);
  }
  const tenantId = tenantOf(context);
  const { sessions } = tenantStorage(context.env.DB, tenantId);
  const asked: Asked[] = place.open.slice(0, limit);
  let { after } = place;
  if (after !== null && asked.length < limit) {
    const request = { agent_id, before: after, created_before: until };
    const listed = await sessions.list({ ...request, limit: limit - asked.length });
    asked.push(...listed.data.map(({ id }) => ({ session_id: id })));
    after = listed.next_page === null ? null : decodeSessionPosition(listed.next_page);
  }
  const parts = await askAll(asked, async ({ session_id, before }) => {
    const stub = sessionStub(context.env, tenantId, session_id);
    const act = stub.act("simulateRules", { agent, permission, since, until, before });
    const answer = await withinDeadline(act, SIMULATION_TIMEOUT_MS);
    if (answer.ok) return answer.value;
    return answer.refusal.code === "not_found" ? "gone" : "failed";
  });
  const found = parts.filter((part) => typeof part !== "string");
  const open = asked.flatMap(({ session_id }, index) => {
    const part = parts[index];
    return typeof part === "object" && part.next ? [{ session_id, before: part.next }] : [];
  });
  const left = [...open, ...place.open.slice(limit)];
  const hasMore = left.length > 0 || after !== null;
  return {
    data: found.flatMap(({ changed }) => changed),
    sessions: found.length,
    sessions_failed: parts.filter((part) => part === "failed").length,
    calls: found.reduce((sum, { calls }) => sum + calls, 0),
    calls_skipped: found.reduce((sum, { calls_skipped }) => sum + calls_skipped, 0),
    has_more: hasMore,
    next_page: hasMore ? encodePlace({ after, open: left }) : null,
  };
}

type Part = SimulatedPart | "gone" | "failed";

/** Some at a time; the results are in the order of the sessions. */
async function askAll(
  asked: readonly Asked[],
  ask: (session: Asked) => Promise<Part>,
): Promise<readonly Part[]> {
  const parts: Part[] = asked.map(() => "failed");
  const queue = [...asked.entries()];
  const lanes = Array.from({ length: PARALLEL_SIMULATIONS }, async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const [index, session] = next;
      try {
        parts[index] = await ask(session);
      } catch (error) {
        console.warn("simulation: a session does not answer", { error: String(error) });
      }
    }
  });
  await Promise.all(lanes);
  return parts;
}

/** `[created_at, id]` of the list, or null at its end, and `[id, seq, position]` of each session with calls left. */
function encodePlace({ after, open }: Place): string {
  const position = after ? [after.created_at, after.id] : null;
  const left = open.map(({ session_id, before }) => [session_id, ...(before ?? [])]);
  return encodePageToken(JSON.stringify([position, left]));
}

function decodePlace(token: string): Place | null {
  const value = parse(decodeToken(token) ?? "");
  if (!Array.isArray(value) || value.length !== 2 || !Array.isArray(value[1])) return null;
  const [position, left] = value as [unknown, readonly unknown[]];
  const after = position === null ? null : toPosition(position);
  const open = left.map(toAsked);
  if (after === undefined || open.includes(null)) return null;
  return { after, open: open.filter((asked) => asked !== null) };
}

function toPosition(value: unknown): SessionPosition | undefined {
  if (!Array.isArray(value) || value.length !== 2) return undefined;
  const [created_at, id] = value as readonly unknown[];
  const isPosition = typeof created_at === "string" && typeof id === "string" && isId("ses", id);
  return isPosition ? { created_at, id } : undefined;
}

function toAsked(value: unknown): Asked | null {
  if (!Array.isArray(value) || value.length !== 3) return null;
  const [id, seq, position] = value as readonly unknown[];
  const isPlace = Number.isSafeInteger(seq) && Number.isSafeInteger(position);
  if (typeof id !== "string" || !isId("ses", id) || !isPlace) return null;
  return { session_id: id, before: [Number(seq), Number(position)] };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
