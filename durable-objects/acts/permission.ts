// A session's permissions: its rules, a dry run of them, and the record of decisions.
import { checkCall } from "../../agent/permission/check-call.ts";
import { isSameRule } from "../../agent/permission/is-same-rule.ts";
import type { Page } from "../../protocol/schemas/common.ts";
import { refuseSilent } from "../../agent/warnings/refuse-silent.ts";
import type { Warning } from "../../protocol/warning.ts";
import type {
  AddedRules,
  Decision,
  RuleTest,
  RuleTestResult,
  SessionRule,
} from "../../protocol/permission/contract.ts";
import { accept, refuse, type Result } from "../../protocol/errors.ts";
import type { LoggedEvent } from "../../protocol/events.ts";
import { MAX_RULES } from "../../protocol/permission/limits.ts";
import type { PermissionRule } from "../../protocol/messages/permission.ts";
import { decisionsOf } from "../tables/decisions-of.ts";
import type { OpenSession } from "../sessions/open-session.ts";
import type { RecordResult } from "../tables/once.ts";
import { hookedPermission } from "../settings/hooked-permission.ts";
import type { PageRequest } from "../api/page-requests.ts";
import type { Actor, SessionInit } from "../api/session-api.ts";
import { sessionTools } from "../settings/session-tools.ts";
import { takePage, type Sized } from "../bytes/take-page.ts";
import { act, actorAct } from "./act.ts";

function listRules(session: OpenSession): readonly SessionRule[] {
  const ofAgent = agentInUse(session).agent.permission.rules.map((rule): SessionRule => ({
    ...rule,
    id: null,
    scope: "agent",
    created_at: null,
    created_by: null,
  }));
  return [...session.tables.rules.all(), ...ofAgent];
}

/** Adds rules; an equal one that exists stays as it is. @returns One for each given rule, in their order. */
export function addRules(
  { tables, newId }: RuleTarget,
  rules: readonly PermissionRule[],
  actor: Pick<Actor, "id">,
): readonly SessionRule[] {
  const created_at = new Date().toISOString();
  return rules.map((rule) => {
    const known = tables.rules.findSame(rule);
    if (known) return known;
    const id = newId("rul");
    return tables.rules.insert({ id, rule, created_at, created_by: actor.id });
  });
}

export interface RulesWrite {
  readonly rules: readonly PermissionRule[];
  /** Warnings of the answer, which a repeated request gets too. */
  readonly warnings: readonly Warning[];
  /** Whether warnings refuse the rules. */
  readonly is_strict: boolean;
}

/** Kept under an `Idempotency-Key`; the rules alone by a release without warnings. */
type KeptRules = AddedRules | readonly SessionRule[];

/** Adds the rules in one transaction; refuses them all when there is no room for all, or one of them says nothing. */
function writeRules(
  session: OpenSession,
  { rules, warnings, is_strict }: RulesWrite,
  {
    actor,
    recordResult,
  }: { readonly actor: Actor; readonly recordResult: RecordResult<AddedRules> },
): Result<AddedRules> {
  // Not before the act: a request that was performed is answered as it was, whatever has become of the agent since.
  if (is_strict && warnings.length > 0) return refuseSilent(warnings);
  const tooMany = refuseTooMany(session, rules);
  if (tooMany) return tooMany;
  return session.transaction(() => {
    const added: AddedRules = {
      data: addRules(session, rules, actor),
      ...(warnings.length > 0 && { warnings }),
    };
    recordResult(added);
    return accept(added);
  });
}

function removeRule({ tables }: OpenSession, ruleId: string): Result<null> {
  const isRemoved = tables.rules.remove(ruleId);
  return isRemoved ? accept(null) : refuse("not_found", `this session has no rule ${ruleId}`);
}

interface RuleTarget {
  readonly tables: OpenSession["tables"];
  readonly newId: (prefix: "rul") => string;
}

/** The refusal of more rules than a session may have, or null when there is room. */
export function refuseTooMany(
  { tables }: Pick<OpenSession, "tables">,
  rules: readonly PermissionRule[],
): Result<never> | null {
  const known = tables.rules.all();
  const fresh = rules.filter(
    (rule, index) =>
      !known.some((other) => isSameRule(other, rule)) &&
      rules.findIndex((other) => isSameRule(other, rule)) === index,
  );
  if (known.length + fresh.length <= MAX_RULES) return null;
  return refuse("conflict", `a session has ${MAX_RULES} rules at most; remove some first`);
}

function testCall(session: OpenSession, { tool_name, input }: RuleTest): Result<RuleTestResult> {
  const init = agentInUse(session);
  const tools = sessionTools(init, session.tables);
  const tool = tools.find(({ name }) => name === tool_name);
  if (!tool) {
    const detail = `the agent has no tool named ${tool_name}`;
    return refuse("validation_failed", detail, { errors: [{ pointer: "#/tool_name", detail }] });
  }
  const decided = checkCall(hookedPermission(init, session), tool, input);
  const { behavior, reason, rule, suggestedRules } = decided;
  return accept({ behavior, reason, rule, suggested_rules: suggestedRules });
}

const PAGE_TOKEN = /^pg_(\d{1,15})_(\d{1,9})$/;

async function listDecisions(
  session: OpenSession,
  { page, limit }: PageRequest,
): Promise<Result<Page<Decision>>> {
  const [, seq, position] = PAGE_TOKEN.exec(page ?? "") ?? [];
  if (page !== undefined && seq === undefined) {
    const detail = "the page token is not one of this list's";
    return refuse("validation_failed", detail, { errors: [{ pointer: "#/query/page", detail }] });
  }
  await session.log.settled();
  const below = { seq: Number(seq ?? Infinity), position: Number(position ?? 0) };
  const { data, hasMore } = takePage(newestDecisions(session, below), limit);
  const last = data.at(-1);
  return accept({
    data: data.map(({ decision }) => decision),
    has_more: hasMore,
    next_page: hasMore && last ? `pg_${last.decision.seq}_${last.position}` : null,
  });
}

interface PlacedDecision {
  readonly decision: Decision;
  readonly position: number;
}

function* newestDecisions(
  { tables, log }: OpenSession,
  below: { readonly seq: number; readonly position: number },
): Generator<Sized<PlacedDecision>, void> {
  for (const { seq, position, is_edited } of tables.decisions.before(below.seq, below.position)) {
    const [logged] = log.events(seq - 1);
    if (logged?.item.seq !== seq) continue;
    const decision = decisionsOf(logged.item)[position];
    if (!decision) continue;
    const edited_input = is_edited ? inputOf(logged.item, position) : null;
    const item = { decision: { ...decision, edited_input }, position };
    yield { item, bytes: JSON.stringify(item).length };
  }
}

function inputOf(event: LoggedEvent, position: number): string | null {
  if (event.type !== "USER_CONFIRM_RESULT") return null;
  return event.confirm_results[position]?.tool_call.input ?? null;
}

/** The settings of the open reply, or of the next one when none is open. */
function agentInUse({ openReply, settings }: OpenSession): Pick<SessionInit, "agent" | "client"> {
  return openReply ? settings.replyInit : settings.init;
}

export const PERMISSION_ACTS = {
  /** The session's own rules, oldest first, then its agent's, which cannot be removed here. */
  listRules: act<void, readonly SessionRule[]>({
    run: (session) => accept(listRules(session)),
  }),

  /** Rules without a look at what they say: those of a new session, and of Workers of the release before warnings. */
  addRules: actorAct<readonly PermissionRule[], readonly SessionRule[], KeptRules>({
    run(session, rules, context) {
      const written = writeRules(session, { rules, warnings: [], is_strict: false }, context);
      return written.ok ? accept(written.value.data) : written;
    },
    replay: (_, kept) => accept("data" in kept ? kept.data : kept),
  }),

  writeRules: actorAct<RulesWrite, AddedRules, KeptRules>({
    run: writeRules,
    replay: (_, kept) => accept("data" in kept ? kept : { data: kept }),
  }),

  /** Refuses what {@link writeRules} would, and changes nothing. */
  checkRules: act<readonly PermissionRule[], null>({
    run: (session, rules) => refuseTooMany(session, rules) ?? accept(null),
  }),

  removeRule: act<string, null>({ run: removeRule }),

  /** Evaluates the permission rules for a hypothetical call. Changes nothing. */
  testCall: act<RuleTest, RuleTestResult>({ run: testCall }),

  /** The permission decisions and who made them, newest first. */
  listDecisions: act<PageRequest, Page<Decision>>({ run: listDecisions }),
} as const;
